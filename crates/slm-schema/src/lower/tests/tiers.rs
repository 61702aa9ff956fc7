//! Who enforces what: a table for each dialect.

use super::{EVERYTHING, json, lowered, rewriting, rules_of, tier};
use crate::lower::Dialect::{
    self, Anthropic, Gemini, Groq, JsonObject, LlamaCpp, LmStudio, Ollama, Openai, OpenaiStrict, PromptOnly, Sglang,
    Tgi, Vllm,
};
use crate::report::Tier::{self, Description, Grammar, GrammarStricter, Validator};

#[test]
fn every_rule_of_every_place_has_one_entry_in_every_dialect() {
    let rules = rules_of(&json(EVERYTHING));
    for dialect in rewriting() {
        let report = lowered(EVERYTHING, dialect).report;
        for (pointer, keyword) in &rules {
            let count =
                report.entries().iter().filter(|entry| entry.pointer == *pointer && entry.keyword == *keyword).count();
            assert_eq!(count, 1, "{dialect}: {keyword} at {pointer:?}");
        }
        for entry in report.entries() {
            let is_silence =
                matches!(entry.keyword.as_str(), "type" | "additionalProperties") && entry.tier == GrammarStricter;
            assert!(
                is_silence || rules.contains(&(entry.pointer.clone(), entry.keyword.clone())),
                "{dialect}: {entry:?}"
            );
            assert_eq!(entry.why.is_empty(), entry.tier == Grammar, "{dialect}: {entry:?}");
            assert!(!NOTHING.contains(&dialect) || entry.tier == Validator, "{dialect}: {entry:?}");
        }
    }
}

/// Is the tier of `keyword` in `schema` the one listed for each dialect?
#[track_caller]
fn check(schema: &str, keyword: &str, expected: &[(Tier, &[Dialect])]) {
    for (expected, dialects) in expected {
        for dialect in *dialects {
            assert_eq!(tier(schema, *dialect, "", keyword), *expected, "{dialect} {keyword} of {schema}");
        }
    }
    let listed: usize = expected.iter().map(|(_, dialects)| dialects.len()).sum();
    assert_eq!(listed, rewriting().count(), "{keyword} of {schema}: each dialect is listed once");
}

const LLAMA: &[Dialect] = &[LlamaCpp, Ollama, LmStudio];
const NOTHING: &[Dialect] = &[JsonObject, PromptOnly];

#[test]
fn shapes_are_held_wherever_a_schema_is_read() {
    let all = &[OpenaiStrict, Openai, Vllm, Sglang, LlamaCpp, LmStudio, Ollama, Tgi, Groq, Gemini, Anthropic];
    check(r#"{"type": "boolean"}"#, "type", &[(Grammar, all), (Validator, NOTHING)]);
    check(r#"{"enum": ["a"]}"#, "enum", &[(Grammar, all), (Validator, NOTHING)]);
    check(r#"{"const": "a"}"#, "const", &[(Grammar, all), (Validator, NOTHING)]);
    let object = r#"{"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"], "additionalProperties": false}"#;
    check(object, "properties", &[(Grammar, all), (Validator, NOTHING)]);
    check(object, "required", &[(Grammar, all), (Validator, NOTHING)]);
    let most = &[OpenaiStrict, Openai, Vllm, Sglang, LlamaCpp, LmStudio, Ollama, Tgi, Groq, Anthropic];
    check(object, "additionalProperties", &[(Grammar, most), (Description, &[Gemini]), (Validator, NOTHING)]);
}

#[test]
fn open_objects() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": true}"#;
    let looser = &[Openai, Vllm, Sglang, LlamaCpp, LmStudio, Ollama, JsonObject, PromptOnly];
    check(
        schema,
        "additionalProperties",
        &[(GrammarStricter, &[OpenaiStrict, Groq, Anthropic, Gemini, Tgi]), (Validator, looser)],
    );
}

#[test]
fn lengths_and_counts() {
    let weak = &[Openai, LmStudio, JsonObject, PromptOnly];
    let strong = &[Vllm, Sglang, LlamaCpp, Ollama, Tgi];
    let schema = r#"{"type": "string", "maxLength": 80}"#;
    check(
        schema,
        "maxLength",
        &[(Grammar, strong), (Validator, weak), (Description, &[OpenaiStrict, Groq, Gemini, Anthropic])],
    );
    let schema = r#"{"type": "array", "items": {"type": "null"}, "maxItems": 80}"#;
    let strong = &[OpenaiStrict, Gemini, Vllm, Sglang, LlamaCpp, Ollama, Tgi];
    check(schema, "maxItems", &[(Grammar, strong), (Validator, weak), (Description, &[Groq, Anthropic])]);
    let least = |count: u64| format!(r#"{{"type": "array", "items": {{"type": "null"}}, "minItems": {count}}}"#);
    assert_eq!(tier(&least(1), Anthropic, "", "minItems"), Grammar);
    assert_eq!(tier(&least(2), Anthropic, "", "minItems"), Description);
    assert_eq!(tier(&least(2001), LlamaCpp, "", "minItems"), Validator);
    assert_eq!(tier(r#"{"type": "string", "minLength": 2}"#, LlamaCpp, "", "minLength"), Validator);
    assert_eq!(tier(r#"{"type": "string", "minLength": 1}"#, LlamaCpp, "", "minLength"), Grammar);
}

#[test]
fn bounds_of_numbers() {
    let weak = &[Openai, LmStudio, Tgi, JsonObject, PromptOnly];
    let refused = &[OpenaiStrict, Groq, Anthropic];
    let whole = r#"{"type": "integer", "minimum": 1, "maximum": 9}"#;
    check(
        whole,
        "minimum",
        &[(Grammar, &[Vllm, Sglang, LlamaCpp, Ollama, Gemini]), (Validator, weak), (Description, refused)],
    );
    let fraction = r#"{"type": "number", "minimum": 1, "maximum": 9}"#;
    let weak = &[Openai, LmStudio, Tgi, JsonObject, PromptOnly, Vllm, Sglang, LlamaCpp, Ollama];
    check(fraction, "maximum", &[(Grammar, &[Gemini]), (Validator, weak), (Description, refused)]);
    assert_eq!(tier(r#"{"type": "number", "exclusiveMinimum": 1}"#, Gemini, "", "exclusiveMinimum"), Description);
    assert_eq!(
        tier(r#"{"type": "number", "minimum": 1, "exclusiveMinimum": true}"#, Gemini, "", "minimum"),
        Description
    );
    assert_eq!(tier(r#"{"type": "integer", "minimum": 1}"#, LlamaCpp, "", "minimum"), Validator);
}

#[test]
fn patterns_and_formats() {
    let of = |pattern: &str| format!(r#"{{"type": "string", "pattern": "{pattern}"}}"#);
    let weak = &[Openai, LmStudio, JsonObject, PromptOnly];
    let strong = &[OpenaiStrict, Anthropic, Vllm, Sglang, Tgi, LlamaCpp, Ollama];
    check(&of("^[a-z]+$"), "pattern", &[(Grammar, strong), (Validator, weak), (Description, &[Groq, Gemini])]);
    let weak = &[Openai, LmStudio, LlamaCpp, Ollama, JsonObject, PromptOnly];
    let stricter = &[OpenaiStrict, Anthropic, Vllm, Sglang, Tgi];
    check(&of("[a-z]+"), "pattern", &[(GrammarStricter, stricter), (Validator, weak), (Description, &[Groq, Gemini])]);
    assert_eq!(tier(&of("^(?=a)b$"), OpenaiStrict, "", "pattern"), Description);
    assert_eq!(tier(&of("^(?=a)b$"), Vllm, "", "pattern"), Validator);
    assert_eq!(tier(&of(r"^\\d$"), LlamaCpp, "", "pattern"), Validator);
    let format = |name: &str| format!(r#"{{"type": "string", "format": "{name}"}}"#);
    let weak = &[Openai, LmStudio, Vllm, Sglang, Tgi, JsonObject, PromptOnly];
    let strong = &[OpenaiStrict, Anthropic, LlamaCpp, Ollama];
    check(&format("uuid"), "format", &[(Grammar, strong), (Validator, weak), (Description, &[Groq, Gemini])]);
    assert_eq!(tier(&format("date"), OpenaiStrict, "", "format"), Validator);
    assert_eq!(tier(&format("uri"), OpenaiStrict, "", "format"), Description);
    assert_eq!(tier(&format("uri"), Anthropic, "", "format"), Validator);
}

#[test]
fn what_no_decoder_holds() {
    let weak = &[Vllm, Sglang, LlamaCpp, LmStudio, Ollama, Tgi, JsonObject, PromptOnly];
    let refused = &[OpenaiStrict, Openai, Groq, Gemini, Anthropic];
    for (keyword, value, base) in [
        ("uniqueItems", "true", r#""type": "array", "items": {"type": "null"}"#),
        ("contains", r#"{"type": "null"}"#, r#""type": "array", "items": {"type": "null"}"#),
        ("minProperties", "1", r#""type": "object""#),
        ("propertyNames", r#"{"maxLength": 3}"#, r#""type": "object""#),
        ("dependentRequired", r#"{"a": ["b"]}"#, r#""type": "object""#),
        ("not", r#"{"const": "a"}"#, r#""type": "string""#),
        ("if", r#"{"const": "a"}"#, r#""type": "string""#),
    ] {
        check(&format!(r#"{{{base}, "{keyword}": {value}}}"#), keyword, &[(Validator, weak), (Description, refused)]);
    }
}

#[test]
fn a_union_is_exclusive_where_its_branches_are() {
    let strong = &[OpenaiStrict, Openai, Vllm, Sglang, LlamaCpp, LmStudio, Ollama, Groq, Gemini, Anthropic];
    let tagged = r##"{"oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {
        "a": {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "boolean"}}, "required": ["kind", "x"], "additionalProperties": false},
        "b": {"type": "object", "properties": {"kind": {"enum": ["b", "c"]}}, "required": ["kind"], "additionalProperties": false}}}"##;
    // Gemini puts `additionalProperties` of the branches into words, which leaves the union to the validator.
    let strong_but_gemini: Vec<Dialect> = strong.iter().copied().filter(|dialect| *dialect != Gemini).collect();
    check(tagged, "oneOf", &[(Grammar, &strong_but_gemini), (Validator, &[Gemini, Tgi, JsonObject, PromptOnly])]);
    check(
        r#"{"oneOf": [{"type": "string"}, {"type": "null"}]}"#,
        "oneOf",
        &[(Grammar, strong), (Validator, &[Tgi, JsonObject, PromptOnly])],
    );
    let overlapping = r#"{"oneOf": [{"type": "number"}, {"type": "integer"}]}"#;
    for dialect in rewriting() {
        assert_eq!(tier(overlapping, dialect, "", "oneOf"), Validator, "{dialect}");
    }
}

#[test]
fn a_branch_that_is_held_in_part_leaves_the_union_to_the_validator() {
    let schema = r##"{"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/word"}}], "$defs": {"word": {"type": "string", "maxLength": 3}}}"##;
    assert_eq!(tier(schema, Vllm, "", "anyOf"), Grammar);
    assert_eq!(tier(schema, OpenaiStrict, "", "anyOf"), Validator);
    assert_eq!(tier(schema, OpenaiStrict, "/$defs/word", "maxLength"), Description);
}

#[test]
fn below_a_rule_that_is_not_sent_nothing_is() {
    for dialect in [Vllm, LlamaCpp] {
        assert_eq!(tier(r#"{"type": "string", "not": {"const": "a"}}"#, dialect, "/not", "const"), Validator);
    }
    assert_eq!(tier(r#"{"type": "string", "not": {"const": "a"}}"#, OpenaiStrict, "/not", "const"), Description);
}

#[test]
fn what_llama_cpp_does_not_read_together() {
    for (schema, keyword) in [
        (r#"{"type": "string", "pattern": "^a$", "maxLength": 3}"#, "maxLength"),
        (r#"{"enum": ["a", 1], "type": "string"}"#, "type"),
        (r#"{"anyOf": [{"type": "object"}], "properties": {"a": {}}}"#, "properties"),
        (r#"{"maxLength": 3}"#, "maxLength"),
        (r#"{"minItems": 3}"#, "minItems"),
        (r#"{"type": "object", "required": ["a"]}"#, "required"),
        (
            r#"{"allOf": [{"minimum": 3, "type": "integer"}, {"minimum": 3.5, "pattern": "a"}], "pattern": "b"}"#,
            "allOf",
        ),
    ] {
        assert_eq!(tier(schema, LlamaCpp, "", keyword), Validator, "{keyword} of {schema}");
    }
    assert_eq!(tier(r#"{"enum": ["a", "b"], "type": "string"}"#, LlamaCpp, "", "type"), Grammar);
    assert_eq!(tier(r#"{"title": "anything"}"#, LlamaCpp, "", "type"), GrammarStricter);
    for dialect in LLAMA {
        assert_eq!(tier(r#"{"type": "number"}"#, *dialect, "", "type"), GrammarStricter);
    }
}
