//! What is sent.

use super::lowered;
use super::{EVERYTHING, by_rules, json, rewriting, rules_of, sent};
use crate::lower::Dialect::{Anthropic, Gemini, Groq, LlamaCpp, LmStudio, Ollama, Openai, OpenaiStrict, Tgi, Vllm};
use crate::lower::{Constraint, Dialect};
use crate::report::Tier;

#[track_caller]
fn check(schema: &str, dialect: Dialect, expected: &str) {
    assert_eq!(sent(schema, dialect), json(expected).compact(), "{dialect} of {schema}");
}

#[test]
fn strict_objects_are_closed_and_complete() {
    let schema = r##"{"type": "object", "properties": {
        "z": {"type": "string"}, "a": {"type": "integer", "description": "D"}, "k": {"enum": ["x", "y"]},
        "c": {"const": 1}, "n": {"type": ["string", "null"]}, "r": {"$ref": "#/$defs/t"}, "o": {"type": "object", "properties": {}, "additionalProperties": false}},
        "required": ["z"], "$defs": {"t": {"type": "boolean"}}}"##;
    let expected = r##"{"type": "object", "properties": {
        "z": {"type": "string"}, "a": {"type": ["integer", "null"], "description": "D"},
        "k": {"type": ["string", "null"], "enum": ["x", "y", null]}, "c": {"type": ["integer", "null"], "enum": [1, null]},
        "n": {"type": ["string", "null"]}, "r": {"anyOf": [{"$ref": "#/$defs/t"}, {"type": "null"}]},
        "o": {"type": ["object", "null"], "properties": {}, "additionalProperties": false, "required": []}},
        "required": ["z", "a", "k", "c", "n", "r", "o"], "additionalProperties": false, "$defs": {"t": {"type": "boolean"}}}"##;
    check(schema, OpenaiStrict, expected);
    check(schema, Groq, expected);
}

#[test]
fn refused_keywords_become_words() {
    let schema = r#"{"type": "object", "properties": {
        "a": {"type": "string", "maxLength": 80, "description": "A word"}, "b": {"type": "number", "minimum": 0, "exclusiveMaximum": 9}},
        "required": ["a", "b"], "additionalProperties": false}"#;
    let expected = r#"{"type": "object", "properties": {
        "a": {"type": "string", "description": "A word. Rules: at most 80 characters."},
        "b": {"type": "number", "description": "at least 0; less than 9"}},
        "required": ["a", "b"], "additionalProperties": false}"#;
    check(schema, Anthropic, expected);
    check(schema, OpenaiStrict, expected);
}

#[test]
fn a_root_that_is_no_object_is_wrapped() {
    let wrapped = r#"{"type": "object", "properties": {"value": {"type": "array", "items": {"type": "null"}}}, "required": ["value"], "additionalProperties": false}"#;
    let schema = r#"{"type": "array", "items": {"type": "null"}}"#;
    for dialect in [OpenaiStrict, Groq, Gemini, Anthropic, Tgi] {
        check(schema, dialect, wrapped);
    }
    for dialect in [Openai, Vllm, LlamaCpp] {
        check(schema, dialect, schema);
    }
    let tree = r##"{"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#"}}]}"##;
    let expected = r##"{"type": "object", "properties": {"value": {"$ref": "#/$defs/root"}}, "required": ["value"], "additionalProperties": false,
        "$defs": {"root": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/root"}}]}}}"##;
    check(tree, OpenaiStrict, expected);
}

#[test]
fn a_referred_root_is_shown_where_an_object_is_wanted() {
    let schema = r##"{"$ref": "#/definitions/Node", "definitions": {"Node": {"type": "object",
        "properties": {"next": {"anyOf": [{"$ref": "#/definitions/Node"}, {"type": "null"}]}}, "required": ["next"], "additionalProperties": false}}}"##;
    let node = r##""type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}}, "required": ["next"], "additionalProperties": false"##;
    check(schema, OpenaiStrict, &format!(r#"{{{node}, "$defs": {{"Node": {{{node}}}}}}}"#));
    check(schema, Vllm, &format!(r##"{{"$ref": "#/$defs/Node", "$defs": {{"Node": {{{node}}}}}}}"##));
}

#[test]
fn what_stands_beside_a_reference_is_merged_into_it() {
    let schema = r##"{"type": "object", "properties": {"a": {"description": "First", "$ref": "#/$defs/w"}, "b": {"$ref": "#/$defs/w"}},
        "required": ["a", "b"], "additionalProperties": false, "$defs": {"w": {"type": "string", "description": "Word"}}}"##;
    let expected = r##"{"type": "object", "properties": {"a": {"description": "First", "type": "string"}, "b": {"$ref": "#/$defs/w"}},
        "required": ["a", "b"], "additionalProperties": false, "$defs": {"w": {"type": "string", "description": "Word"}}}"##;
    for dialect in [OpenaiStrict, Vllm, LlamaCpp] {
        check(schema, dialect, expected);
    }
}

#[test]
fn parts_are_merged_where_one_schema_says_the_same() {
    let schema = r##"{"allOf": [{"$ref": "#/$defs/base"}, {"properties": {"b": {"type": "boolean"}}, "required": ["b"]}], "unevaluatedProperties": false,
        "$defs": {"base": {"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"]}}}"##;
    let expected = r#"{"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "boolean"}}, "required": ["a", "b"], "additionalProperties": false}"#;
    for dialect in [OpenaiStrict, Vllm, LlamaCpp, Anthropic] {
        check(schema, dialect, expected);
    }
    // A closed part excludes the properties of the others: no one schema says that.
    let clash = r#"{"allOf": [{"type": "object", "properties": {"a": {}}, "additionalProperties": false}, {"properties": {"b": {}}}]}"#;
    assert!(sent(clash, Vllm).contains("allOf"));
}

#[test]
fn older_drafts_are_written_as_the_newest() {
    let schema = r#"{"type": "array", "items": [{"type": "integer", "minimum": 1, "exclusiveMinimum": true, "maximum": 9}], "additionalItems": false, "minItems": 1}"#;
    check(
        schema,
        Vllm,
        r#"{"type": "array", "prefixItems": [{"type": "integer", "exclusiveMinimum": 1, "maximum": 9}], "maxItems": 1, "minItems": 1}"#,
    );
    let nullable = r#"{"type": "string", "enum": ["a"], "nullable": true}"#;
    check(nullable, Vllm, r#"{"type": ["string", "null"], "enum": ["a", null]}"#);
}

#[test]
fn tuples_become_unions_where_places_cannot_be_told() {
    let schema = r#"{"type": "object", "properties": {"p": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}, {"type": "string"}], "items": false, "minItems": 3}}, "required": ["p"]}"#;
    let expected = r#"{"type": "object", "properties": {"p": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "maxItems": 3, "minItems": 3}}, "required": ["p"], "additionalProperties": false}"#;
    check(schema, OpenaiStrict, expected);
}

#[test]
fn gemini_knows_neither_const_nor_lists_of_types() {
    let schema = r#"{"type": "object", "title": "T", "properties": {"c": {"type": "string", "const": "x"}, "n": {"type": ["string", "null"], "description": "D"}}}"#;
    let expected = r#"{"type": "object", "properties": {"c": {"type": "string", "enum": ["x"]}, "n": {"description": "D", "anyOf": [{"type": "string"}, {"type": "null"}]}}}"#;
    check(schema, Gemini, expected);
}

#[test]
fn what_takes_a_server_down_is_never_sent_there() {
    let places = [
        r#"{"type": "integer", BOUND}"#,
        r#"{"type": "array", "items": {"type": "integer", BOUND}}"#,
        r#"{"type": "object", "properties": {"a": {"type": ["integer", "null"], BOUND}}}"#,
        r#"{"anyOf": [{"type": "integer", BOUND}]}"#,
        r#"{"oneOf": [{"type": "integer", BOUND}]}"#,
        r#"{"allOf": [{"type": "integer"}, {BOUND}]}"#,
        r#"{"allOf": [{"type": "integer", "pattern": "a"}, {"type": "integer", "pattern": "b", BOUND}]}"#,
        r##"{"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer", BOUND}}}"##,
        r##"{"$ref": "#/$defs/n", "type": "integer", "$defs": {"n": {BOUND}}}"##,
        r##"{"type": "array", "items": {"$ref": "#/nowhere/n"}, "nowhere": {"n": {"type": "integer", BOUND}}}"##,
        r#"{"type": "array", "prefixItems": [{"type": "integer", BOUND}]}"#,
        r#"{"type": "object", "additionalProperties": {"type": "integer", BOUND}}"#,
        r#"{"type": "string", "not": {"type": "integer", BOUND}}"#,
    ];
    let bounds = [
        r#""minimum": 90071992547409920"#,
        r#""maximum": -90071992547409920"#,
        r#""exclusiveMinimum": 90071992547409920"#,
        r#""minimum": 90071992547409920, "exclusiveMinimum": true"#,
        r#""minimum": 1e300"#,
        r#""minimum": 90071992547409920, "maximum": 3"#,
    ];
    for dialect in [LlamaCpp, Ollama, LmStudio] {
        for place in places {
            for bound in bounds {
                let sent = sent(&place.replace("BOUND", bound), dialect);
                assert!(
                    !sent.contains("90071992547409920") && !sent.contains("e+300") && !sent.contains("e300"),
                    "{dialect}: {sent}"
                );
            }
        }
    }
    let crossed = r#"{"type": "string", "minLength": 3, "maxLength": 1}"#;
    check(crossed, LlamaCpp, r#"{"type": "string"}"#);
    assert!(sent(r#"{"type": "integer", "minimum": 90071992547409920}"#, Vllm).contains("minimum"));
}

#[test]
fn lowering_twice_gives_the_same_bytes() {
    for dialect in rewriting() {
        assert_eq!(lowered(EVERYTHING, dialect), lowered(EVERYTHING, dialect));
    }
}

#[test]
fn what_is_sent_holds_only_what_the_dialect_takes() {
    let forbidden: &[(Dialect, &[&str])] = &[
        (
            OpenaiStrict,
            &[
                "oneOf",
                "allOf",
                "not",
                "if",
                "uniqueItems",
                "minLength",
                "minimum",
                "prefixItems",
                "patternProperties",
                "default",
            ],
        ),
        (Groq, &["oneOf", "allOf", "pattern", "format", "minItems", "maxItems", "minimum"]),
        (Anthropic, &["oneOf", "minLength", "minimum", "maxItems", "uniqueItems", "multipleOf"]),
        (Gemini, &["oneOf", "const", "additionalProperties", "pattern", "exclusiveMaximum", "format"]),
        (Vllm, &["uniqueItems", "contains", "not", "if", "oneOf"]),
        (LlamaCpp, &["uniqueItems", "not", "patternProperties", "multipleOf"]),
    ];
    for (dialect, keywords) in forbidden {
        let sent = rules_of(&json(&sent(EVERYTHING, *dialect)));
        for keyword in *keywords {
            assert!(sent.iter().all(|(_, sent)| sent != keyword), "{dialect} is sent {keyword}");
        }
    }
}

#[test]
fn references_are_followed_through_circles_and_fans() {
    let circle = r##"{"type": "object", "properties": {"a": {"description": "A", "$ref": "#/$defs/x"}}, "$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"$ref": "#/$defs/x"}}}"##;
    let fan: Vec<String> = (0..40)
        .map(|i| format!(r##""d{i}": {{"type": "object", "properties": {{"a": {{"description": "A", "$ref": "#/$defs/d{0}"}}, "b": {{"description": "B", "$ref": "#/$defs/d{0}"}}}}}}"##, i + 1))
        .collect();
    let fan = format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d40": {{"type": "null"}}}}}}"##, fan.join(", "));
    for dialect in rewriting() {
        for schema in
            [circle, &fan, r##"{"$ref": "#"}"##, r##"{"allOf": [{"$ref": "#"}]}"##, r##"{"$ref": "#/nowhere"}"##]
        {
            let lowered = lowered(schema, dialect);
            if let Constraint::Schema(sent) = lowered.constraint {
                assert!(sent.len() < 100_000, "{dialect}: {}", sent.len());
            }
        }
    }
}

#[test]
fn up_to_draft_07_a_reference_stands_alone() {
    let schema = r##"{"type": "object", "properties": {"a": {"$ref": "#/definitions/w", "maxLength": 3, "description": "D"}}, "required": ["a"],
        "additionalProperties": false, "definitions": {"w": {"type": "string"}}}"##;
    let expected = r#"{"type": "object", "properties": {"a": {"type": "string", "description": "D"}}, "required": ["a"], "additionalProperties": false}"#;
    check(schema, Vllm, expected);
    assert_eq!(super::tier(schema, Vllm, "/properties/a", "maxLength"), Tier::Validator);
    let newer = schema.replace("definitions", "$defs");
    assert!(sent(&newer, Vllm).contains("maxLength"));
    assert_eq!(super::tier(&newer, Vllm, "/properties/a", "maxLength"), Tier::Grammar);
}

#[test]
fn what_an_endpoint_refused_is_left_to_the_validator() {
    let schema = json(
        r#"{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string", "maxLength": 4}, "uniqueItems": true,
            "maxItems": 3}}, "required": ["a"], "additionalProperties": false}"#,
    );
    let aside = ["maxLength", "uniqueItems", "type", "required", "additionalProperties"].map(str::to_owned);
    for dialect in rewriting() {
        let rules = dialect.rules().expect("a dialect that rewrites the schema");
        let lowered = by_rules(&schema, rules, dialect, &aside);
        let tier_of =
            |keyword: &str| lowered.report.entries().iter().find(|entry| entry.keyword == keyword).map(|e| e.tier);
        assert_eq!(
            (tier_of("maxLength"), tier_of("uniqueItems")),
            (Some(Tier::Validator), Some(Tier::Validator)),
            "{dialect}"
        );
        let Constraint::Schema(sent) = &lowered.constraint else { continue };
        assert!(!sent.contains("maxLength") && !sent.contains("uniqueItems"), "{dialect}: {sent}");
        assert!(sent.contains(r#""required":["a"]"#) && sent.contains(r#""type":"string""#), "{dialect}: {sent}");
    }
}
