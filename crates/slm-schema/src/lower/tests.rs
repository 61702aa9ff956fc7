//! Lowering of schemas beyond the portable profile, dialect by dialect.

mod limits;
#[cfg(feature = "validate")]
mod meaning;
mod read_back;
mod round_trip;
mod send;
mod tiers;

use super::{Constraint, Dialect, Lowered, by_rules};
use crate::json::Json;
use crate::keywords;
use crate::pointer::Pointer;
use crate::report::Tier;

/// Every dialect that rewrites the schema.
fn rewriting() -> impl Iterator<Item = Dialect> {
    Dialect::ALL.into_iter().filter(|dialect| dialect.rules().is_some())
}

#[track_caller]
fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[track_caller]
fn lowered(text: &str, dialect: Dialect) -> Lowered {
    let rules = dialect.rules().expect("a dialect that rewrites the schema");
    by_rules(&json(text), rules, dialect, &[])
}

/// What is sent, minified.
#[track_caller]
fn sent(text: &str, dialect: Dialect) -> String {
    let Constraint::Schema(sent) = lowered(text, dialect).constraint else { panic!("{dialect} sends no schema") };
    sent
}

#[track_caller]
fn tier(text: &str, dialect: Dialect, pointer: &str, keyword: &str) -> Tier {
    let report = lowered(text, dialect).report;
    let mut found = report.entries().iter().filter(|entry| entry.pointer == pointer && entry.keyword == keyword);
    let entry = found.next().unwrap_or_else(|| panic!("{dialect}: no entry for {keyword} at {pointer:?} of {text}"));
    assert_eq!(found.next(), None, "{dialect}: a second entry for {keyword} at {pointer:?} of {text}");
    entry.tier
}

/// Every rule that stands in a schema, with its place.
fn rules_of(schema: &Json) -> Vec<(String, String)> {
    let mut found = Vec::new();
    keywords::walk(schema, &Pointer::root(), &mut |pointer, schema| {
        if let Json::Object(members) = schema {
            let rules = members.iter().filter(|(keyword, _)| keywords::is_rule(keyword));
            found.extend(rules.map(|(keyword, _)| (pointer.to_string(), keyword.clone())));
        }
    });
    found
}

/// A schema in which every keyword stands at least once.
const EVERYTHING: &str = r##"{
    "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.org/everything", "title": "T",
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 2, "maxLength": 80, "pattern": "^[a-z]+$", "description": "A word"},
        "day": {"type": "string", "format": "date"},
        "number": {"type": "number", "minimum": 0, "exclusiveMaximum": 10, "multipleOf": 0.5},
        "count": {"type": "integer", "exclusiveMinimum": 0, "maximum": 99},
        "list": {"type": "array", "items": {"type": "string", "maxLength": 5}, "minItems": 2, "maxItems": 9,
                 "uniqueItems": true, "contains": {"type": "string", "const": "x"}, "minContains": 1, "maxContains": 2},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false, "minItems": 2},
        "old": {"type": "array", "items": [{"type": "null"}], "additionalItems": {"type": "boolean"}},
        "rest": {"type": "array", "items": {"type": "null"}, "unevaluatedItems": false},
        "kind": {"enum": ["a", "b"]}, "tag": {"const": "t"}, "maybe": {"type": "string", "nullable": true},
        "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "one": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        "both": {"allOf": [{"$ref": "#/$defs/named"}, {"type": "object", "properties": {"b": {"type": "boolean"}}}]},
        "tree": {"$ref": "#/$defs/tree"},
        "dynamic": {"$dynamicRef": "#node"}, "recursive": {"$recursiveRef": "#"},
        "map": {"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"maxLength": 3},
                "minProperties": 1, "maxProperties": 4, "patternProperties": {"^x": {"type": "integer"}},
                "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}},
                "dependencies": {"e": ["f"]}},
        "closed": {"type": "object", "properties": {"a": {"type": "null"}}, "unevaluatedProperties": false},
        "logic": {"type": "string", "not": {"const": "no"}, "if": {"minLength": 3}, "then": {"pattern": "^a"}, "else": {"maxLength": 1}}
    },
    "required": ["text"],
    "additionalProperties": false,
    "$defs": {
        "named": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        "tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "value": {"type": "integer"}}, "additionalProperties": false},
        "idle": {"type": "string", "format": "email"}
    }
}"##;
