//! What is refused before it is sent.

use super::{lowered, sent};
use crate::error::ErrorKind;
use crate::lower::Dialect::{self, Anthropic, Gemini, Groq, JsonObject, LlamaCpp, OpenaiStrict, Tgi, Vllm};

#[track_caller]
fn passes(schema: &str, dialect: Dialect) {
    assert_eq!(lowered(schema, dialect).check(), Ok(()), "{dialect}");
}

/// Refused, at this place, with these words.
#[track_caller]
fn fails(schema: &str, dialect: Dialect, pointer: &str, keyword: &str, words: &str) {
    let error = lowered(schema, dialect).check().expect_err("a broken limit");
    assert_eq!(
        (error.kind(), error.pointer(), error.keyword()),
        (ErrorKind::DialectLimit, Some(pointer), Some(keyword)),
        "{error}"
    );
    assert!(error.to_string().contains(words), "{error}");
}

fn object(properties: &str) -> String {
    format!(r#"{{"type": "object", "properties": {{{properties}}}, "additionalProperties": false}}"#)
}

fn nested(levels: usize) -> String {
    (1..levels).fold(object(r#""leaf": {"type": "null"}"#), |below, _| object(&format!(r#""a": {below}"#)))
}

#[test]
fn openai_bounds_depth_properties_enums_and_characters() {
    passes(&nested(10), OpenaiStrict);
    fails(&nested(11), OpenaiStrict, &"/properties/a".repeat(10), "properties", "10 levels");
    let many = |count: usize, name: usize| {
        let each: Vec<String> = (0..count).map(|i| format!(r#""{i:0>name$}": {{"type": "null"}}"#)).collect();
        object(&each.join(", "))
    };
    passes(&many(5000, 4), OpenaiStrict);
    fails(&many(5001, 4), OpenaiStrict, "", "properties", "5000 properties");
    fails(&many(2000, 61), OpenaiStrict, "", "properties", "120000 characters");
    let values = |count: usize, length: usize| {
        let each: Vec<String> = (0..count).map(|i| format!(r#""{i:0>length$}""#)).collect();
        object(&format!(r#""e": {{"enum": [{}]}}"#, each.join(", ")))
    };
    passes(&values(900, 4), OpenaiStrict);
    fails(&values(1001, 4), OpenaiStrict, "/properties/e", "enum", "1000 values");
    // One more is there than stands here: null, since the property is optional.
    fails(&values(250, 61), OpenaiStrict, "/properties/e", "enum", "15000 characters");
    passes(&values(249, 61), OpenaiStrict);
    passes(&values(5000, 4), Vllm);
}

#[test]
fn anthropic_bounds_optional_properties_unions_and_recursion() {
    let optional = |count: usize| {
        object(&(0..count).map(|i| format!(r#""p{i}": {{"type": "null"}}"#)).collect::<Vec<_>>().join(", "))
    };
    passes(&optional(24), Anthropic);
    fails(&optional(25), Anthropic, "", "required", "24 properties that are not required");
    let union = |count: usize| {
        let names: Vec<String> = (0..count).map(|i| format!(r#""p{i}""#)).collect();
        let each: Vec<String> = names
            .iter()
            .map(|name| format!(r#"{name}: {{"anyOf": [{{"type": "string"}}, {{"type": "null"}}]}}"#))
            .collect();
        format!(r#"{{"type": "object", "properties": {{{}}}, "required": [{}]}}"#, each.join(", "), names.join(", "))
    };
    passes(&union(16), Anthropic);
    fails(&union(17), Anthropic, "", "anyOf", "16 properties of more than one type");
    let tree = r##"{"type": "object", "properties": {"next": {"$ref": "#"}}}"##;
    fails(tree, Anthropic, "/properties/next", "$ref", "fixed depth");
    fails(tree, Tgi, "/properties/next", "$ref", "fixed depth");
    passes(tree, OpenaiStrict);
    passes(tree, Gemini);
}

#[test]
fn strict_schemas_say_every_type() {
    for dialect in [OpenaiStrict, Groq] {
        fails(&object(r#""a": {}"#), dialect, "/properties/a", "type", "add `type`");
        fails(&object(r#""a": {"type": "array"}"#), dialect, "/properties/a", "items", "add `items`");
        passes(&object(r#""a": {"enum": ["x", 1]}, "b": {"maxLength": 3}"#), dialect);
    }
    passes(&object(r#""a": {}"#), LlamaCpp);
}

#[test]
fn an_object_that_could_only_be_empty_is_refused_where_objects_are_closed() {
    let map = object(r#""a": {"type": "object", "additionalProperties": {"type": "string"}}"#);
    for dialect in [OpenaiStrict, Groq, Anthropic] {
        fails(&map, dialect, "/properties/a", "additionalProperties", "only be empty");
        passes(&object(r#""a": {"type": "object", "additionalProperties": false}"#), dialect);
    }
    passes(&map, Vllm);
}

#[test]
fn roots() {
    fails(r#"{"type": "object", "additionalProperties": {"type": "string"}}"#, Tgi, "", "properties", "declare some");
    fails(r#"{"type": "array"}"#, JsonObject, "", "type", "wrap");
    passes(r#"{"type": ["object", "null"]}"#, JsonObject);
    passes(r#"{"type": "array", "items": {"type": "null"}}"#, Tgi);
    assert!(sent(r#"{"type": "string"}"#, Tgi).contains(r#""properties":{"value""#));
}

#[test]
fn hostile_sizes_take_linear_time() {
    let each = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(", ");
    let names = each(4_000, &|i| format!(r#""p{i}""#));
    let properties = each(4_000, &|i| format!(r#""p{i}": {{"type": "string", "maxLength": 3}}"#));
    let wide = format!(r#"{{"type": "object", "properties": {{{properties}}}, "required": [{names}]}}"#);
    let values = format!(r#"{{"enum": [{names}]}}"#);
    let referring = format!(
        r#"{{"anyOf": [{}], "$defs": {{{}}}}}"#,
        each(4_000, &|i| format!(r##"{{"$ref": "#/$defs/d{i}", "description": "D"}}"##)),
        each(4_000, &|i| format!(r#""d{i}": {{"type": "boolean"}}"#)),
    );
    let parts = each(1_000, &|i| format!(r#"{{"type": "object", "properties": {{"p{i}": {{"type": "null"}}}}}}"#));
    let parts = format!(r#"{{"allOf": [{parts}]}}"#);
    let circle =
        r##"{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}"##;
    let start = std::time::Instant::now();
    for schema in [wide.as_str(), &values, &referring, &parts, circle] {
        for dialect in [OpenaiStrict, Anthropic, Gemini, Vllm, LlamaCpp] {
            lowered(schema, dialect);
        }
    }
    // Debug builds on a busy machine take a few seconds; anything quadratic takes minutes.
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}
