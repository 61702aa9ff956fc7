//! White space in documents, for those who want some.

use slm_schema::{Contract, Registry, Spacing};

use crate::engine::Engine;

fn engine(contract: &Contract, spacing: Spacing) -> Engine {
    Engine::new(contract.grammar_spaced(spacing).as_str())
}

fn contract(schema: &str) -> Contract {
    Contract::from_json("t", schema).unwrap()
}

/// A compact document with each member on a line of its own.
fn pretty(compact: &str) -> String {
    let (mut out, mut depth, mut quoted, mut escaped) = (String::new(), 0, false, false);
    let mut rest = compact.chars().peekable();
    while let Some(c) = rest.next() {
        let (was_quoted, was_escaped) = (quoted, escaped);
        quoted ^= c == '"' && !escaped;
        escaped = was_quoted && !was_escaped && c == '\\';
        if was_quoted || quoted {
            out.push(c);
            continue;
        }
        match c {
            '{' | '[' if rest.peek().is_some_and(|next| matches!(next, '}' | ']')) => {
                out.push(c);
                out.extend(rest.next());
            }
            '{' | '[' => {
                depth += 1;
                out.push(c);
                out.push_str(&line(depth));
            }
            '}' | ']' => {
                depth -= 1;
                out.push_str(&line(depth));
                out.push(c);
            }
            ',' => out.extend([",", line(depth).as_str()]),
            ':' => out.push_str(": "),
            c => out.push(c),
        }
    }
    out
}

fn line(depth: usize) -> String {
    format!("\n{}", "  ".repeat(depth))
}

#[test]
fn a_space_behind_commas_and_colons() {
    let contract = contract(
        r#"{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "null"}}}, "required": ["a"], "additionalProperties": false}"#,
    );
    let mut engine = engine(&contract, Spacing::Spaced);
    assert!(engine.accepts(r#"{"a": [null, null]}"#) && !engine.accepts(r#"{"a":[null,null]}"#));
}

#[test]
fn every_sample_of_a_contract_is_pretty_as_a_printer_writes_it() {
    for contract in Registry::builtin().iter() {
        let mut engine = engine(contract, Spacing::Pretty);
        for seed in 0..20 {
            let compact = contract.sample(seed).unwrap();
            let written = pretty(&compact);
            assert!(engine.accepts(&written), "{}: {written}", contract.name());
            assert!(!engine.accepts(&compact), "{}: {compact}", contract.name());
        }
    }
}

#[test]
fn what_may_be_left_out_leaves_no_line_behind() {
    let cases = [
        (
            r#"{"type": "object", "properties": {"a": {"enum": [1]}, "b": {"enum": [2]}}, "additionalProperties": false}"#,
            vec!["{}", r#"{"a":1}"#, r#"{"b":2}"#, r#"{"a":1,"b":2}"#],
        ),
        (
            r#"{"type": "object", "additionalProperties": {"type": "null"}}"#,
            vec!["{}", r#"{"x":null}"#, r#"{"x":null,"y":null}"#],
        ),
        (
            r#"{"type": "object", "properties": {"a": {"enum": [1]}}, "additionalProperties": {"type": "null"}}"#,
            vec!["{}", r#"{"a":1}"#, r#"{"x":null}"#, r#"{"a":1,"x":null}"#],
        ),
        (
            r#"{"type": "array", "prefixItems": [{"enum": [1]}, {"enum": [2]}], "items": {"type": "null"}, "$schema": "https://json-schema.org/draft/2020-12/schema"}"#,
            vec!["[]", "[1]", "[1,2]", "[1,2,null]"],
        ),
        (
            r#"{"type": "array", "items": {"type": "array", "items": {"type": "null"}, "maxItems": 2}, "minItems": 1}"#,
            vec!["[[]]", "[[null,null],[]]"],
        ),
    ];
    for (schema, documents) in cases {
        let mut engine = engine(&contract(schema), Spacing::Pretty);
        for compact in documents {
            let written = pretty(compact);
            assert!(engine.accepts(&written), "{schema}: {written}");
            assert!(written == compact || !engine.accepts(compact), "{schema}: {compact}");
            assert!(!engine.accepts("{\n}") && !engine.accepts("[\n]"), "{schema}");
        }
    }
}

#[test]
fn what_stands_at_no_known_depth_stands_on_one_line() {
    let tree = contract(
        r##"{"type": "object", "properties": {"next": {"$ref": "#"}, "any": {}}, "additionalProperties": false}"##,
    );
    let mut engine = engine(&tree, Spacing::Pretty);
    assert!(engine.accepts("{\n  \"next\": {\"next\": {}, \"any\": [1, {\"b\": 2}]},\n  \"any\": [1]\n}"));
    assert!(!engine.accepts("{\n  \"next\": {\n    \"any\": 1\n  }\n}"));
}
