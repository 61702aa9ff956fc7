//! Coercion by schema: without loss, and on record.

use serde_json::{Value, json};
use slm_repair::{Rung, repair_as};
use slm_schema::Contract;

/// The document under a schema with one property `v`.
fn repaired(schema: &Value, document: &str) -> slm_repair::Repaired {
    let schema = json!({"type": "object", "properties": {"v": schema}});
    let contract = Contract::from_json("case", &schema.to_string()).unwrap();
    repair_as(document, contract.schema()).unwrap()
}

#[track_caller]
fn check(schema: &Value, document: &str, expected: &str) {
    let repaired = repaired(schema, document);
    assert_eq!((repaired.text.as_str(), repaired.rung), (expected, Rung::Coerce), "{document}");
    assert!(repaired.coercions.iter().all(|coercion| coercion.pointer.starts_with("/v")), "{:?}", repaired.coercions);
}

#[track_caller]
fn leave(schema: &Value, document: &str) {
    let repaired = repaired(schema, document);
    assert_eq!((repaired.text.as_str(), repaired.rung), (document, Rung::None));
    assert_eq!(repaired.coercions, []);
}

#[test]
fn scalars() {
    check(&json!({"type": "boolean"}), r#"{"v": "False"}"#, r#"{"v": false}"#);
    check(&json!({"type": "integer"}), r#"{"v": "-7"}"#, r#"{"v": -7}"#);
    check(&json!({"type": "number"}), r#"{"v": "1e3"}"#, r#"{"v": 1e3}"#);
    check(&json!({"type": "string"}), r#"{"v": 1.10}"#, r#"{"v": "1.10"}"#);
    leave(&json!({"type": "boolean"}), r#"{"v": "yes"}"#);
    leave(&json!({"type": "integer"}), r#"{"v": "3.7"}"#);
    leave(&json!({"type": "integer"}), r#"{"v": 3.7}"#);
    leave(&json!({"type": "integer"}), r#"{"v": "1,234"}"#);
    leave(&json!({"type": "integer", "maximum": 5}), r#"{"v": "6"}"#);
    leave(&json!({"type": "string"}), r#"{"v": "007"}"#);
}

#[test]
fn containers() {
    let tags = json!({"type": "array", "items": {"type": "string"}});
    check(&tags, r#"{"v": "x"}"#, r#"{"v": ["x"]}"#);
    check(&tags, r#"{"v": 3}"#, r#"{"v": ["3"]}"#);
    check(&tags, r#"{"v": "[\"x\"]"}"#, r#"{"v": ["x"]}"#);
    check(&json!({"type": "object"}), r#"{"v": "{\"k\": 1}"}"#, r#"{"v": {"k": 1}}"#);
    leave(&json!({"type": "array", "items": {"type": "string"}, "minItems": 2}), r#"{"v": "x"}"#);
    leave(&tags, r#"{"v": [null]}"#);
}

#[test]
fn enums() {
    let states = json!({"enum": ["to_do", "In Progress", "done", "DONE", 3]});
    check(&states, r#"{"v": "TO DO"}"#, r#"{"v": "to_do"}"#);
    check(&states, r#"{"v": "in-progress"}"#, r#"{"v": "In Progress"}"#);
    check(&states, r#"{"v": "3"}"#, r#"{"v": 3}"#);
    leave(&states, r#"{"v": "Done"}"#);
    leave(&states, r#"{"v": "finished"}"#);
}

#[test]
fn null_for_an_optional_property_is_removed() {
    let schema = r#"{"type": "object", "required": ["b"], "properties":
        {"a": {"type": "string"}, "b": {"type": "null"}, "c": {"type": "string"}, "d": {"type": "string"}}}"#;
    let contract = Contract::from_json("case", schema).unwrap();
    for (document, expected) in [
        (r#"{"a": null, "b": null}"#, r#"{"b": null}"#),
        (r#"{"b": null, "c": null, "d": null}"#, r#"{"b": null}"#),
        (r#"{"a": null, "c": null, "b": null, "d": "x"}"#, r#"{"b": null, "d": "x"}"#),
        (r#"{"a": null}"#, "{}"),
    ] {
        let repaired = repair_as(document, contract.schema()).unwrap();
        assert_eq!(repaired.text, expected);
        assert!(repaired.coercions.iter().all(|coercion| coercion.to.is_none() && coercion.from == "null"));
    }
}

#[test]
fn every_change_is_on_record() {
    let schema = json!({"type": "array", "items": {"type": "object", "properties":
        {"n/m": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}}}});
    let contract = Contract::from_json("case", &schema.to_string()).unwrap();
    let repaired = repair_as(r#"{"n/m": "1", "tags": "x",}"#, contract.schema()).unwrap();
    assert_eq!(repaired.text, r#"[{"n/m": 1, "tags": ["x"]}]"#);
    assert_eq!(repaired.rungs, [Rung::TrailingComma, Rung::Coerce]);
    assert_eq!(
        serde_json::to_value(&repaired.coercions).unwrap(),
        json!([
            {"pointer": "/n~1m", "from": "\"1\"", "to": "1"},
            {"pointer": "/tags", "from": "\"x\"", "to": "[\"x\"]"},
            {"pointer": "", "from": "{\"n/m\": \"1\", \"tags\": \"x\"}", "to": "[{\"n/m\": 1, \"tags\": [\"x\"]}]"},
        ])
    );
}
