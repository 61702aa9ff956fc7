//! The way back from a reply to a document of the original schema.

use serde_json::{Value, json};

use super::lowered;
use crate::lower::Dialect::{self, Anthropic, Groq, OpenaiStrict, Vllm};

#[track_caller]
fn check(schema: &str, dialect: Dialect, reply: Value, expected: &Value) {
    assert_eq!(lowered(schema, dialect).read_back(reply), *expected, "{dialect} of {schema}");
}

#[test]
fn null_for_absent_is_taken_out_and_no_other_null() {
    let schema = r#"{"type": "object", "properties": {
        "a": {"type": "string"}, "b": {"type": ["string", "null"]}, "c": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "d": {"type": "null"}, "e": {"enum": ["x", null]}, "f": {"type": "integer"}}, "required": ["f"]}"#;
    let reply = json!({"a": null, "b": null, "c": null, "d": null, "e": null, "f": null, "g": null});
    let expected = json!({"b": null, "c": null, "d": null, "e": null, "f": null, "g": null});
    for dialect in [OpenaiStrict, Groq] {
        check(schema, dialect, reply.clone(), &expected);
    }
    check(schema, Anthropic, reply.clone(), &reply);
    check(schema, Vllm, reply.clone(), &reply);
}

#[test]
fn references_arrays_and_parts_are_followed() {
    let schema = r##"{"type": "object", "properties": {
        "tree": {"$ref": "#/$defs/tree"},
        "list": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}},
        "pair": {"type": "array", "prefixItems": [{"type": "null"}, {"type": "object", "properties": {"x": {"type": "string"}}}]},
        "both": {"allOf": [{"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}}, {"required": ["y"]}]}},
        "$defs": {"tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "v": {"type": "integer"}}}}}"##;
    let reply = json!({
        "tree": {"left": {"left": {"left": null, "v": 3}, "v": null}, "v": 1},
        "list": [{"x": null}, {"x": "x"}], "pair": [null, {"x": null}], "both": {"x": null, "y": null}});
    let expected = json!({
        "tree": {"left": {"left": {"v": 3}}, "v": 1}, "list": [{}, {"x": "x"}], "pair": [null, {}], "both": {"y": null}});
    check(schema, OpenaiStrict, reply, &expected);
}

#[test]
fn a_union_is_read_by_the_branch_that_fits() {
    let schema = r#"{"type": "object", "properties": {"shape": {"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "string"}}, "required": ["kind"], "additionalProperties": false},
        {"type": "object", "properties": {"kind": {"const": "b"}, "x": {"type": ["string", "null"]}}, "required": ["kind"], "additionalProperties": false},
        {"type": "null"}]}}, "required": ["shape"]}"#;
    check(schema, OpenaiStrict, json!({"shape": {"kind": "a", "x": null}}), &json!({"shape": {"kind": "a"}}));
    check(
        schema,
        OpenaiStrict,
        json!({"shape": {"kind": "b", "x": null}}),
        &json!({"shape": {"kind": "b", "x": null}}),
    );
    check(schema, OpenaiStrict, json!({"shape": null}), &json!({"shape": null}));
}

#[test]
fn unions_within_unions_take_no_exponential_time() {
    let schema = r##"{"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"anyOf": [
        {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}, "a": {"const": 1}}, "required": ["a"]},
        {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}, "b": {"const": 1}}},
        {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}, "c": {"const": 1}}}]}}}"##;
    let reply = (0..100).fold(json!({"c": 1, "n": null, "b": null}), |below, _| json!({"n": below, "b": null}));
    let expected = (0..100).fold(json!({"c": 1, "b": null}), |below, _| json!({"n": below}));
    let read = lowered(schema, OpenaiStrict).read_back(json!({"n": reply}));
    // The innermost `b` stands in a branch that declares it, so it goes as well.
    let expected = serde_json::to_string(&json!({"n": expected}))
        .map(|text| text.replace(r#""b":null,"#, "").replace(r#","b":null"#, ""));
    assert_eq!(serde_json::to_string(&read).ok(), expected.ok());
}

#[test]
fn a_wrapped_root_is_unwrapped() {
    for dialect in [OpenaiStrict, Anthropic] {
        let schema = r#"{"type": "array", "items": {"type": "string"}}"#;
        check(schema, dialect, json!({"value": ["a"]}), &json!(["a"]));
        check(schema, dialect, json!(["a"]), &json!(["a"]));
        check(schema, dialect, json!({"value": 1, "more": 2}), &json!({"value": 1, "more": 2}));
    }
    let schema = r#"{"type": "object", "properties": {"value": {"type": "integer"}}, "required": ["value"]}"#;
    check(schema, OpenaiStrict, json!({"value": 1}), &json!({"value": 1}));
    let list = r#"{"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}}"#;
    check(list, OpenaiStrict, json!({"value": [{"x": null}]}), &json!([{}]));
}
