//! Rules as words that a model can follow, for endpoints that would refuse the keyword.

use super::view::{as_list, as_str};
use crate::json::Json;

/// A schema longer than this is no help inside a sentence.
const LONGEST_SCHEMA: usize = 300;

/// The rule in words; `None` where it is too long to be put into any.
pub(super) fn of(keyword: &str, value: &Json, node: &Json) -> Option<String> {
    let text = short(value);
    let words = match (keyword, value) {
        ("minLength", _) => counted("at least", &text?, "character", "characters"),
        ("maxLength", _) => counted("at most", &text?, "character", "characters"),
        ("minItems", _) => counted("at least", &text?, "item", "items"),
        ("maxItems", _) => counted("at most", &text?, "item", "items"),
        ("minProperties", _) => counted("at least", &text?, "property", "properties"),
        ("maxProperties", _) => counted("at most", &text?, "property", "properties"),
        ("minimum", _) if node.get("exclusiveMinimum") == Some(&Json::Bool(true)) => format!("more than {}", text?),
        ("maximum", _) if node.get("exclusiveMaximum") == Some(&Json::Bool(true)) => format!("less than {}", text?),
        ("minimum", _) => format!("at least {}", text?),
        ("maximum", _) => format!("at most {}", text?),
        ("exclusiveMinimum", Json::Number(_)) => format!("more than {}", text?),
        ("exclusiveMaximum", Json::Number(_)) => format!("less than {}", text?),
        ("exclusiveMinimum" | "exclusiveMaximum", Json::Bool(_)) => format!("its bound is {}excluded", negated(value)),
        ("multipleOf", _) => format!("a multiple of {}", text?),
        ("pattern", Json::String(pattern)) => format!("matches the pattern {pattern}"),
        ("format", Json::String(format)) => format!("written as {format}"),
        ("uniqueItems", Json::Bool(true)) => "all items differ".to_owned(),
        ("uniqueItems", _) => "items may repeat".to_owned(),
        ("required", Json::Array(names)) => format!("has the properties {}", listed(names)),
        ("dependentRequired" | "dependencies", Json::Object(rules)) => dependencies(rules)?,
        ("additionalProperties" | "unevaluatedProperties", Json::Bool(false)) => "no other properties".to_owned(),
        ("additionalProperties" | "unevaluatedProperties", Json::Bool(true)) => {
            "other properties are allowed".to_owned()
        }
        ("additionalProperties" | "unevaluatedProperties", _) => format!("other properties look like {}", text?),
        ("additionalItems" | "unevaluatedItems", Json::Bool(false)) => "no further items".to_owned(),
        ("additionalItems" | "unevaluatedItems", _) => format!("further items look like {}", text?),
        ("prefixItems" | "items", Json::Array(places)) => places_in_words(places)?,
        ("propertyNames", _) => format!("property names look like {}", text?),
        ("patternProperties", Json::Object(rules)) => pattern_properties(rules)?,
        ("contains", _) => format!("at least one item looks like {}", text?),
        ("minContains", _) => format!("at least {} such items", text?),
        ("maxContains", _) => format!("at most {} such items", text?),
        ("not", _) => format!("does not look like {}", text?),
        ("if", _) => format!("if it looks like {}", text?),
        ("then", _) => format!("then it looks like {}", text?),
        ("else", _) => format!("else it looks like {}", text?),
        ("oneOf", _) => format!("looks like exactly one of {}", text?),
        ("anyOf", _) => format!("looks like one of {}", text?),
        ("allOf", _) => format!("looks like all of {}", text?),
        ("const", _) => format!("is {}", text?),
        ("enum", _) => format!("is one of {}", text?),
        _ => format!("obeys {keyword} {}", text?),
    };
    Some(words)
}

fn counted(bound: &str, count: &str, one: &str, many: &str) -> String {
    format!("{bound} {count} {}", if count == "1" { one } else { many })
}

fn short(value: &Json) -> Option<String> {
    let text = value.compact();
    (text.len() <= LONGEST_SCHEMA).then_some(text)
}

fn negated(value: &Json) -> &'static str {
    if *value == Json::Bool(true) { "" } else { "not " }
}

fn listed(names: &[Json]) -> String {
    names.iter().filter_map(as_str).collect::<Vec<_>>().join(", ")
}

fn dependencies(rules: &[(String, Json)]) -> Option<String> {
    let each = rules.iter().map(|(name, rule)| match as_list(rule) {
        Some(names) => Some(format!("with {name} also {}", listed(names))),
        None => short(rule).map(|schema| format!("with {name} it looks like {schema}")),
    });
    each.collect::<Option<Vec<_>>>().map(|rules| rules.join("; "))
}

fn pattern_properties(rules: &[(String, Json)]) -> Option<String> {
    let each = rules.iter().map(|(pattern, schema)| {
        short(schema).map(|schema| format!("properties whose names match {pattern} look like {schema}"))
    });
    each.collect::<Option<Vec<_>>>().map(|rules| rules.join("; "))
}

fn places_in_words(places: &[Json]) -> Option<String> {
    let each = places
        .iter()
        .enumerate()
        .map(|(i, schema)| short(schema).map(|schema| format!("item {} looks like {schema}", i + 1)));
    each.collect::<Option<Vec<_>>>().map(|rules| rules.join("; "))
}

/// A description with the rules at its end.
pub(super) fn added(description: Option<&str>, rules: &[String]) -> String {
    let rules = rules.join("; ");
    match description.map(str::trim_end).filter(|text| !text.is_empty()) {
        None => rules,
        Some(text) if text.ends_with(['.', '!', '?', ':', ';']) => format!("{text} Rules: {rules}."),
        Some(text) => format!("{text}. Rules: {rules}."),
    }
}
