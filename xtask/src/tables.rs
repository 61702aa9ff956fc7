//! docs/enforcement.md: which dialect enforces which keyword, as the code answers when it is asked.

use std::fmt::Write as _;

use slm_schema::{Constraint, Contract, Dialect, Entry, Tier};

use crate::Outcome;

/// A row: what it is called, a schema in which the keyword stands at the root, and the keyword.
struct Row(&'static str, &'static str, &'static str);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row("`type`", r#"{"type": "boolean"}"#, "type"),
    Row("`type`: a list", r#"{"type": ["string", "null"]}"#, "type"),
    Row("`type: number`", r#"{"type": "number"}"#, "type"),
    Row("`type: integer`, unbounded", r#"{"type": "integer"}"#, "type"),
    Row("`nullable`", r#"{"type": "string", "nullable": true}"#, "nullable"),
    Row("`enum`", r#"{"enum": ["a", "b"]}"#, "enum"),
    Row("`const`", r#"{"const": "a"}"#, "const"),
    Row("`properties`", CLOSED, "properties"),
    Row("`required`", CLOSED, "required"),
    Row("`additionalProperties: false`", CLOSED, "additionalProperties"),
    Row("`additionalProperties` absent", r#"{"type": "object", "properties": {"a": {"type": "null"}}}"#, "additionalProperties"),
    Row("`additionalProperties: true`", r#"{"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": true}"#, "additionalProperties"),
    Row("`additionalProperties`: a schema", r#"{"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": {"type": "boolean"}}"#, "additionalProperties"),
    Row("`patternProperties`", r#"{"type": "object", "properties": {"a": {"type": "null"}}, "patternProperties": {"^x": {"type": "boolean"}}}"#, "patternProperties"),
    Row("`propertyNames`", r#"{"type": "object", "properties": {"a": {"type": "null"}}, "propertyNames": {"pattern": "^x"}}"#, "propertyNames"),
    Row("`minProperties`", r#"{"type": "object", "properties": {"a": {"type": "null"}}, "minProperties": 1}"#, "minProperties"),
    Row("`maxProperties`", r#"{"type": "object", "properties": {"a": {"type": "null"}}, "maxProperties": 3}"#, "maxProperties"),
    Row("`dependentRequired`", r#"{"type": "object", "properties": {"a": {"type": "null"}}, "dependentRequired": {"a": ["b"]}}"#, "dependentRequired"),
    Row("`dependentSchemas`", r#"{"type": "object", "properties": {"a": {"type": "null"}}, "dependentSchemas": {"a": {"required": ["b"]}}}"#, "dependentSchemas"),
    Row("`unevaluatedProperties`", r#"{"type": "object", "properties": {"a": {"type": "null"}}, "unevaluatedProperties": false}"#, "unevaluatedProperties"),
    Row("`items`", r#"{"type": "array", "items": {"type": "null"}}"#, "items"),
    Row("`prefixItems`", r#"{"type": "array", "prefixItems": [{"type": "null"}, {"type": "string"}]}"#, "prefixItems"),
    Row("`minItems`", r#"{"type": "array", "items": {"type": "null"}, "minItems": 2}"#, "minItems"),
    Row("`maxItems`", r#"{"type": "array", "items": {"type": "null"}, "maxItems": 9}"#, "maxItems"),
    Row("`maxItems` over 2000", r#"{"type": "array", "items": {"type": "null"}, "maxItems": 3000}"#, "maxItems"),
    Row("`uniqueItems`", r#"{"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 99}, "uniqueItems": true}"#, "uniqueItems"),
    Row("`contains`", r#"{"type": "array", "items": {"type": "boolean"}, "contains": {"const": true}}"#, "contains"),
    Row("`minLength`", r#"{"type": "string", "minLength": 1}"#, "minLength"),
    Row("`maxLength`", r#"{"type": "string", "maxLength": 80}"#, "maxLength"),
    Row("`maxLength` over 2000", r#"{"type": "string", "maxLength": 3000}"#, "maxLength"),
    Row("`pattern`, anchored", r#"{"type": "string", "pattern": "^[a-z]{1,9}$"}"#, "pattern"),
    Row("`pattern`, not anchored", r#"{"type": "string", "pattern": "[a-z]"}"#, "pattern"),
    Row("`pattern` with `\\d`", r#"{"type": "string", "pattern": "^\\d{3}$"}"#, "pattern"),
    Row("`format: date`", r#"{"type": "string", "format": "date"}"#, "format"),
    Row("`format: uuid`", r#"{"type": "string", "format": "uuid"}"#, "format"),
    Row("`format: uri`", r#"{"type": "string", "format": "uri"}"#, "format"),
    Row("integer `minimum` and `maximum`", r#"{"type": "integer", "minimum": 1, "maximum": 9}"#, "minimum"),
    Row("integer `minimum` alone", r#"{"type": "integer", "minimum": 1}"#, "minimum"),
    Row("integer `exclusiveMinimum`", r#"{"type": "integer", "exclusiveMinimum": 0, "maximum": 9}"#, "exclusiveMinimum"),
    Row("number `minimum`", r#"{"type": "number", "minimum": 0.5, "maximum": 9}"#, "minimum"),
    Row("`multipleOf`", r#"{"type": "integer", "minimum": 0, "maximum": 100, "multipleOf": 5}"#, "multipleOf"),
    Row("`anyOf`", r#"{"anyOf": [{"type": "boolean"}, {"type": "null"}]}"#, "anyOf"),
    Row("`oneOf`, branches exclude each other", r#"{"oneOf": [{"type": "boolean"}, {"type": "null"}]}"#, "oneOf"),
    Row("`oneOf`, branches overlap", r#"{"oneOf": [{"type": "string", "maxLength": 3}, {"type": "string", "minLength": 2, "maxLength": 9}]}"#, "oneOf"),
    Row("`allOf`, one schema says the same", r#"{"allOf": [{"type": "string"}, {"maxLength": 3}]}"#, "allOf"),
    Row("`not`", r#"{"type": "boolean", "not": {"const": true}}"#, "not"),
    Row("`if`", r#"{"type": "boolean", "if": {"const": true}, "then": {"enum": [true]}}"#, "if"),
    Row("`$ref`", r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "boolean"}}}"##, "$ref"),
    Row("`$ref`, recursive", r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}}"##, "$ref"),
];

const CLOSED: &str =
    r#"{"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"], "additionalProperties": false}"#;

const HEADER: &str = "\
# Who enforces what

Written by `cargo xtask grammars` from the code; do not edit.

A schema keyword is enforced while a model writes, or it is checked afterwards. Which of the two depends on how the
endpoint reads the schema, so it is said for each dialect. The report of a lowered contract says it for each keyword of
that contract, with its place and the reason.

| mark | tier | meaning |
| --- | --- | --- |
| **G** | `grammar` | decoding: the rule cannot be violated |
| **S** | `grammar_stricter` | decoding, and more than the schema asks: some valid documents cannot be written |
| V | `validator` | checked after the reply |
| D | `description` | the endpoint would refuse it: put into words, and checked after the reply |
| ✗ | | refused by this crate before it is sent, since the endpoint would refuse it |
| · | | no entry: what is absent forbids nothing there |
| – | | not in the profile that a contract is read by |
";

/// The page.
pub(crate) fn enforcement() -> Outcome<String> {
    let mut page = HEADER.to_owned();
    page.push_str("\n## Keywords by dialect\n\n| keyword |");
    for dialect in Dialect::ALL {
        append(&mut page, format_args!(" {dialect} |"))?;
    }
    append(&mut page, format_args!("\n| --- |{}\n", " :-: |".repeat(Dialect::ALL.len())))?;
    let rows: Vec<(&Row, Option<Contract>)> =
        ROWS.iter().map(|row| (row, Contract::from_json("row", row.1).ok())).collect();
    for (row, contract) in &rows {
        append(&mut page, format_args!("| {} |", row.0))?;
        for dialect in Dialect::ALL {
            append(
                &mut page,
                format_args!(" {} |", contract.as_ref().map_or("–", |contract| cell(contract, dialect, row.2))),
            )?;
        }
        page.push('\n');
    }
    page.push_str("\n## Why\n");
    for dialect in Dialect::ALL {
        append(&mut page, format_args!("\n### {dialect}\n\n"))?;
        for (reason, names) in reasons(&rows, dialect) {
            append(&mut page, format_args!("* {}: {reason}\n", names.join(", ")))?;
        }
    }
    Ok(page)
}

fn append(page: &mut String, text: std::fmt::Arguments<'_>) -> Outcome {
    page.write_fmt(text).map_err(|error| error.to_string())
}

fn entry(contract: &Contract, dialect: Dialect, keyword: &str) -> Option<Entry> {
    let report = contract.lower(dialect).report;
    report.entries().iter().find(|entry| entry.pointer.is_empty() && entry.keyword == keyword).cloned()
}

fn cell(contract: &Contract, dialect: Dialect, keyword: &str) -> &'static str {
    let lowered = contract.lower(dialect);
    if matches!(lowered.constraint, Constraint::Schema(_)) && lowered.check().is_err() {
        return "✗";
    }
    match entry(contract, dialect, keyword).map(|entry| entry.tier) {
        Some(Tier::Grammar) => "**G**",
        Some(Tier::GrammarStricter) => "**S**",
        Some(Tier::Validator) => "V",
        Some(Tier::Description) => "D",
        Some(_) | None => "·",
    }
}

/// The reasons of one dialect, each with the rows it stands for, in the rows' order.
fn reasons<'a>(rows: &'a [(&'a Row, Option<Contract>)], dialect: Dialect) -> Vec<(String, Vec<&'a str>)> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for (row, contract) in rows {
        let Some(entry) = contract.as_ref().and_then(|contract| entry(contract, dialect, row.2)) else { continue };
        if entry.tier == Tier::Grammar {
            continue;
        }
        let reason = format!("{} (`{}`)", entry.why, entry.tier.as_str());
        match found.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(row.0),
            None => found.push((reason, vec![row.0])),
        }
    }
    if found.is_empty() {
        found.push(("in every row".to_owned(), vec!["held"]));
    }
    found
}
