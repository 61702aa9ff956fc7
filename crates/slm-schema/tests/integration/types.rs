//! Schemas as generators write them: of Rust types by schemars, of Python types by pydantic, of TypeScript types by zod.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slm_schema::{Contract, Dialect, Tier};

use crate::engine::Engine;

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Review {
    /// What is wrong.
    findings: Vec<Finding>,
    scores: BTreeMap<String, u8>,
    verdict: Verdict,
    note: Option<String>,
    pair: (bool, char),
    parent: Option<Box<Self>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Finding {
    line: u32,
    message: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Approve,
    Reject { reason: String },
    Ask(Vec<String>),
}

fn contract_of<T: JsonSchema>() -> Contract {
    let schema = schemars::SchemaGenerator::default().into_root_schema_for::<T>();
    Contract::from_json("t", &serde_json::to_string(&schema).unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn samples_of_a_rust_type_are_values_of_it() {
    let contract = contract_of::<Review>();
    let mut engine = Engine::new(contract.grammar().as_str());
    for seed in 0..100 {
        let text = contract.sample(seed).unwrap();
        let review: Review = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(engine.accepts(&text), "{text}");
        let again = serde_json::to_string(&review).unwrap();
        assert_eq!(contract.validate(&serde_json::from_str(&again).unwrap()), [], "{again}");
    }
}

#[cfg(feature = "schemars")]
#[test]
fn a_contract_is_made_of_a_type_in_the_order_of_its_fields() {
    let contract = Contract::of::<Finding>("finding").unwrap();
    assert!(contract.grammar().as_str().starts_with(r#"root ::= "{\"line\":""#), "{}", contract.grammar());
}

/// Nothing but rules that a grammar cannot hold is left over.
#[track_caller]
fn left_over(schema: &str) -> Vec<String> {
    let contract = Contract::from_json("t", schema).unwrap_or_else(|error| panic!("{error}"));
    assert!(contract.sample(1).is_some_and(|text| Engine::new(contract.grammar().as_str()).accepts(&text)));
    let report = contract.lower(Dialect::Gbnf).report;
    report.exceptions().filter(|entry| entry.tier == Tier::Validator).map(|entry| entry.keyword.clone()).collect()
}

#[test]
fn pydantic_models_compile() {
    let model = r##"{
        "$defs": {
            "Cat": {"properties": {"kind": {"const": "cat", "title": "Kind", "type": "string"}, "lives": {"default": 9, "title": "Lives", "type": "integer"}},
                    "required": ["kind"], "title": "Cat", "type": "object"},
            "Dog": {"properties": {"kind": {"const": "dog", "title": "Kind", "type": "string"}}, "required": ["kind"], "title": "Dog", "type": "object"},
            "Color": {"enum": ["red", "green"], "title": "Color", "type": "string"}
        },
        "properties": {
            "name": {"maxLength": 20, "minLength": 1, "title": "Name", "type": "string"},
            "pet": {"discriminator": {"mapping": {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"}, "propertyName": "kind"},
                    "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}], "title": "Pet"},
            "color": {"anyOf": [{"$ref": "#/$defs/Color"}, {"type": "null"}], "default": null},
            "scores": {"additionalProperties": {"type": "number"}, "title": "Scores", "type": "object"},
            "point": {"maxItems": 2, "minItems": 2, "prefixItems": [{"type": "integer"}, {"type": "integer"}], "title": "Point", "type": "array"},
            "when": {"format": "date-time", "title": "When", "type": "string"},
            "extra": {"title": "Extra"}
        },
        "required": ["name", "pet", "scores", "point", "when", "extra"], "title": "Owner", "type": "object"
    }"##;
    assert_eq!(left_over(model), ["format"]);
}

#[test]
fn zod_schemas_compile() {
    let schema = r#"{
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "age": {"type": "integer", "exclusiveMinimum": 0, "maximum": 150},
            "status": {"anyOf": [{"type": "string", "const": "on"}, {"type": "string", "const": "off"}]},
            "nick": {"type": ["string", "null"]},
            "meta": {"type": "object", "additionalProperties": {}},
            "both": {"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                               {"type": "object", "properties": {"b": {"type": "number"}}, "required": ["b"]}]}
        },
        "required": ["id", "tags", "age", "status", "nick", "meta", "both"],
        "additionalProperties": false
    }"#;
    assert_eq!(left_over(schema), Vec::<String>::new());
}
