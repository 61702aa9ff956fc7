//! Coercion by schema: without loss, and on record.

use proptest::prelude::*;
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

#[test]
fn unions() {
    check(&json!({"type": ["integer", "null"]}), r#"{"v": "3"}"#, r#"{"v": 3}"#);
    check(&json!({"anyOf": [{"type": "boolean"}, {"type": "number"}]}), r#"{"v": "True"}"#, r#"{"v": true}"#);
    let kinds = json!({"anyOf": [
        {"type": "object", "required": ["kind", "n"], "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}},
        {"type": "object", "required": ["kind", "n"], "properties": {"kind": {"const": "b"}, "n": {"type": "boolean"}}},
    ]});
    check(&kinds, r#"{"v": {"kind": "a", "n": "1"}}"#, r#"{"v": {"kind": "a", "n": 1}}"#);
    check(&kinds, r#"{"v": {"kind": "B", "n": "true"}}"#, r#"{"v": {"kind": "b", "n": true}}"#);
    // A list or a number: neither is nearer.
    let either = json!({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}, "maxItems": 1}]});
    leave(&either, r#"{"v": "3"}"#);
    leave(&json!({"type": ["integer", "string"]}), r#"{"v": "3"}"#);
    // What cannot be mended does not keep the rest from it.
    let list = json!({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]});
    check(&list, r#"{"v": ["1", "two"]}"#, r#"{"v": [1, "two"]}"#);
}

#[test]
fn patterns_prefixes_and_names_that_are_not_declared() {
    check(&json!({"type": "string", "pattern": "^[0-9]{5}$"}), r#"{"v": 12345}"#, r#"{"v": "12345"}"#);
    leave(&json!({"type": "string", "pattern": "^[0-9]{5}$"}), r#"{"v": 1234}"#);
    let pair = json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": {"type": "boolean"}});
    check(&pair, r#"{"v": [1, "2", "true"]}"#, r#"{"v": ["1", 2, true]}"#);
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    check(&map, r#"{"v": {"x": "1", "y~": 2}}"#, r#"{"v": {"x": 1, "y~": 2}}"#);
    check(&map, r#"{"v": "{\"x\": \"1\"}"}"#, r#"{"v": {"x": 1}}"#);
}

#[test]
fn references() {
    let schema = json!({
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {"type": "object", "required": ["n"], "properties": {
                "n": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}, "all": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            }},
        },
    });
    let contract = Contract::from_json("case", &schema.to_string()).unwrap();
    let repaired =
        repair_as(r#"{"n": "1", "next": {"n": "2"}, "all": {"n": "3", "next": null}}"#, contract.schema()).unwrap();
    assert_eq!(repaired.text, r#"{"n": 1, "next": {"n": 2}, "all": [{"n": 3}]}"#);
    let pointers: Vec<_> = repaired.coercions.iter().map(|coercion| coercion.pointer.as_str()).collect();
    assert_eq!(pointers, ["/n", "/next/n", "/all/n", "/all/next", "/all"]);
}

#[test]
fn lists_of_lists_come_to_an_end() {
    let schema = r##"{"$ref": "#/$defs/l", "$defs": {"l": {"type": "array", "items": {"$ref": "#/$defs/l"}}}}"##;
    let contract = Contract::from_json("case", schema).unwrap();
    assert_eq!(repair_as("\"x\"", contract.schema()).unwrap().text, "\"x\"");
}

/// Damages a value in the ways that coercion mends, at places that `seed` chooses; how many.
fn damage(value: &mut Value, seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let does = *seed >> 62 == 0;
    match value {
        Value::Array(items) => items.iter_mut().map(|item| damage(item, seed)).sum(),
        Value::Object(members) => {
            let inside = members.iter_mut().map(|(_, member)| damage(member, seed)).sum::<usize>();
            if does && !members.is_empty() {
                *value = Value::String(value.to_string());
                return inside + 1;
            }
            inside
        }
        Value::Bool(_) | Value::Number(_) if does => {
            *value = Value::String(value.to_string());
            1
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

proptest! {
    #[test]
    fn coerced_values_validate(index in any::<prop::sample::Index>(), sample: u64, mut seed: u64) {
        let contracts: Vec<_> = slm_schema::Registry::builtin().iter().collect();
        let contract = index.get(&contracts);
        let meant: Value = serde_json::from_str(&contract.sample(sample).unwrap()).unwrap();
        let mut damaged = meant.clone();
        let places = damage(&mut damaged, &mut seed);
        let repaired = repair_as(&damaged.to_string(), contract.schema()).unwrap();
        prop_assert_eq!(&repaired.value, &meant);
        prop_assert!(contract.schema().conforms(&repaired.value));
        prop_assert_eq!(repaired.coercions.is_empty(), places == 0);
    }
}
