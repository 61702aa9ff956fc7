//! What is sent means what the source means, but for what the report says.
//!
//! An endpoint that held all it is sent would exclude a valid document only where an entry says `grammar_stricter`, and
//! let an invalid one pass only where an entry leaves the broken keyword to the validator. Judged by an independent
//! validator on both schemas.

use jsonschema::Draft;
use serde_json::{Value, json};

use super::{lowered, rewriting};
use crate::lower::Constraint;
use crate::lower::Dialect::{self, Groq, JsonObject, OpenaiStrict, PromptOnly};
use crate::report::Tier;

const SCHEMAS: &[&str] = &[
    r#"{"type": ["string", "null"], "minLength": 2, "maxLength": 3}"#,
    r#"{"enum": ["a", 1, null, [1]], "type": ["string", "array", "integer"]}"#,
    r#"{"const": {"a": 1}}"#,
    r#"{"type": "integer", "minimum": 1, "exclusiveMaximum": 5}"#,
    r#"{"type": "number", "exclusiveMinimum": 0, "maximum": 1.5, "multipleOf": 0.5}"#,
    r#"{"$schema": "http://json-schema.org/draft-04/schema#", "type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 2, "exclusiveMaximum": false}"#,
    r#"{"type": "string", "pattern": "^a", "format": "date"}"#,
    r#"{"type": "string", "pattern": "^(?=a)a+$"}"#,
    r#"{"minLength": 2, "minimum": 2, "minItems": 2, "required": ["a"]}"#,
    r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": false}, "required": ["a"]}"#,
    r#"{"type": "object", "properties": {"a": true}, "additionalProperties": {"type": "integer"}}"#,
    r#"{"type": "object", "patternProperties": {"^b": {"type": "integer"}}, "additionalProperties": false}"#,
    r#"{"type": "object", "properties": {"a": {}}, "patternProperties": {"^b": {"type": "string"}}, "additionalProperties": {"type": "null"}}"#,
    r#"{"type": "object", "minProperties": 1, "maxProperties": 1, "propertyNames": {"maxLength": 1}}"#,
    r#"{"type": "object", "dependentRequired": {"a": ["b"]}}"#,
    r#"{"type": "object", "dependencies": {"a": ["b"], "b": {"required": ["c"]}}}"#,
    r#"{"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": true}"#,
    r#"{"type": "array", "items": [{"type": "integer"}, {"type": "string"}], "additionalItems": false}"#,
    r#"{"type": "array", "items": [{"type": "integer"}, {"type": "string"}], "additionalItems": {"type": "null"}}"#,
    r#"{"type": "array", "prefixItems": [{"type": "integer"}], "items": false, "minItems": 1}"#,
    r#"{"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}}"#,
    r#"{"type": "array", "items": false}"#,
    r#"{"type": "array", "items": true, "contains": {"const": 1}, "minContains": 2}"#,
    r#"{"anyOf": [{"type": "string", "maxLength": 1}, {"type": "integer", "minimum": 3}, false]}"#,
    r#"{"oneOf": [{"type": "integer", "minimum": 1}, {"type": "integer", "maximum": 3}]}"#,
    r#"{"oneOf": [{"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}, {"type": "object", "properties": {"a": {"const": "x"}, "b": {"type": "integer"}}, "required": ["a"]}]}"#,
    r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
    r#"{"allOf": [{"type": "integer"}, {"minimum": 2}, {"maximum": 9, "minimum": 1}]}"#,
    r#"{"allOf": [{"type": ["integer", "string"]}, {"type": ["string", "null"]}], "minLength": 1}"#,
    r#"{"allOf": [{"pattern": "^a"}, {"pattern": "b$"}], "type": "string"}"#,
    r#"{"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"type": "object", "properties": {"a": {"minimum": 2}, "b": {"type": "string"}}}]}"#,
    r#"{"allOf": [{"type": "object", "properties": {"a": {}}, "additionalProperties": false}, {"type": "object", "properties": {"b": {}}}]}"#,
    r#"{"allOf": [{"type": "object", "properties": {"a": {}}}], "properties": {"b": {}}, "unevaluatedProperties": false}"#,
    r#"{"type": "object", "properties": {"a": {}}, "unevaluatedProperties": false}"#,
    r##"{"$ref": "#/$defs/s", "maxLength": 2, "$defs": {"s": {"type": "string", "minLength": 1}}}"##,
    r##"{"$ref": "#/definitions/s", "maxLength": 2, "definitions": {"s": {"type": "string", "minLength": 1}}}"##,
    r##"{"type": "object", "properties": {"a": {"$ref": "#/properties/b", "description": "D"}, "b": {"type": "integer"}}, "required": ["a"]}"##,
    r##"{"type": "array", "items": {"$ref": "#"}}"##,
    r##"{"anyOf": [{"type": "integer", "maximum": 3}, {"type": "array", "items": {"$ref": "#"}}]}"##,
    r##"{"$defs": {"t": {"type": "object", "properties": {"a": {"$ref": "#/$defs/t", "minProperties": 1}}, "additionalProperties": false}}, "$ref": "#/$defs/t"}"##,
    r##"{"$ref": "#here", "$defs": {"x": {"$anchor": "here", "type": "boolean"}}}"##,
    r#"{"type": "string", "not": {"enum": ["a", "ab"]}}"#,
    r#"{"type": "integer", "if": {"minimum": 3}, "then": {"multipleOf": 2}, "else": {"const": 1}}"#,
    r#"{"type": "object", "properties": {"properties": {"type": "integer"}, "$ref": {"type": "string"}, "a": {"type": "null"}}, "required": ["a"]}"#,
    r#"{"type": "object", "properties": {"a": {"enum": ["x", null]}, "b": {"type": ["integer", "null"]}}, "additionalProperties": false}"#,
    r#"{"properties": {"a": {"type": "integer"}}}"#,
    "{}",
];

fn documents() -> Vec<Value> {
    let simple = json!([
        null, true, false, 0, 1, 1.5, 2, 3, 4, 5, 7, 0.5, -1, "", "a", "b", "ab", "aa", "aab", "abc", "2024-02-30", "a2024-01-01",
        [], [1], [1, 1], [1, 2], [1, 2, 3], [1, "a"], ["a"], ["a", 1], [1, "a", null], [null], [[]], [[], [[1]]], [4], [[4]],
        {}, {"a": 1}, {"a": "x"}, {"a": null}, {"b": 1}, {"b": "x"}, {"b": null}, {"a": 1, "b": 1}, {"a": "x", "b": 1},
        {"a": "x", "b": "x"}, {"a": 2, "b": "x"}, {"a": null, "b": null}, {"c": null}, {"a": 1, "b": 1, "c": 1}, {"bb": 1}, {"aa": 1},
        {"a": {}}, {"a": {"a": {}}}, {"$ref": "x", "a": null}, {"$ref": 1, "a": null}, {"properties": 1, "a": null}, {"properties": "x", "a": null}
    ]);
    simple.as_array().cloned().unwrap_or_default()
}

fn validator(schema: &Value, draft: Draft) -> jsonschema::Validator {
    let options = jsonschema::options().with_draft(draft).should_validate_formats(true);
    options.build(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

fn draft_of(text: &str) -> Draft {
    let newer = ["$defs", "prefixItems", "dependentRequired", "unevaluatedProperties", "minContains"];
    match text {
        _ if text.contains("draft-04") => Draft::Draft4,
        _ if newer.iter().any(|keyword| text.contains(&format!("\"{keyword}\""))) => Draft::Draft202012,
        _ => Draft::Draft7,
    }
}

/// The keywords that a document breaks; each stands at the end of a schema path, but where a branch or a list is named.
fn broken(validator: &jsonschema::Validator, document: &Value) -> Vec<String> {
    let paths = validator.iter_errors(document).map(|error| error.schema_path().to_string());
    paths.flat_map(|path| path.split('/').map(str::to_owned).collect::<Vec<_>>().into_iter().rev().take(2)).collect()
}

fn check(text: &str, dialect: Dialect, documents: &[Value]) {
    let lowered = lowered(text, dialect);
    let Constraint::Schema(sent) = &lowered.constraint else { panic!("a schema") };
    let source: Value = serde_json::from_str(text).expect("a schema");
    let sent: Value = serde_json::from_str(sent).expect("what is sent is JSON");
    let (original, held) = (validator(&source, draft_of(text)), validator(&sent, Draft::Draft202012));
    let is_wrapped = lowered.way_back.as_ref().is_some_and(|way_back| way_back.is_wrapped);
    let is_completed = matches!(dialect, OpenaiStrict | Groq);
    let tiers: Vec<(&str, Tier)> =
        lowered.report.entries().iter().map(|entry| (entry.keyword.as_str(), entry.tier)).collect();
    for document in documents {
        let reply = if is_wrapped { json!({"value": document}) } else { document.clone() };
        let passes = held.is_valid(&reply);
        let read = lowered.read_back(reply);
        let is_valid = original.is_valid(&read);
        let context = || format!("{dialect}: {document} by {text}, sent as {sent}");
        if is_valid && !passes && !is_completed {
            assert!(
                tiers.iter().any(|(_, tier)| *tier == Tier::GrammarStricter),
                "excluded without a word: {}",
                context()
            );
        }
        if passes && !is_valid {
            let broken = broken(&original, &read);
            let is_said = tiers.iter().any(|(keyword, tier)| {
                matches!(tier, Tier::Validator | Tier::Description) && broken.iter().any(|broken| broken == keyword)
            });
            assert!(is_said, "let pass without a word ({broken:?}): {}", context());
        }
    }
}

#[test]
fn every_difference_between_source_and_sent_is_in_the_report() {
    let documents = documents();
    for text in SCHEMAS {
        for dialect in rewriting().filter(|dialect| !matches!(dialect, JsonObject | PromptOnly)) {
            check(text, dialect, &documents);
        }
    }
}

#[test]
fn so_it_is_for_the_official_suite() {
    let Some(folder) = std::env::var_os("SLM_TEST_DATA") else { return };
    let path = std::path::PathBuf::from(folder).join("grammar/jsts_draft7_subset.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let suite: Value = serde_json::from_str(&text).expect("JSON");
    for group in suite["groups"].as_array().expect("a list") {
        let documents: Vec<Value> =
            group["tests"].as_array().expect("a list").iter().map(|test| test["data"].clone()).collect();
        for dialect in rewriting().filter(|dialect| !matches!(dialect, JsonObject | PromptOnly)) {
            check(&group["schema"].to_string(), dialect, &documents);
        }
    }
}
