//! What the portable profile refuses, and that each refusal names the place.

use slm_schema::{Contract, ErrorKind};

#[track_caller]
fn refused(schema: &str, kind: ErrorKind, pointer: &str, keyword: &str) {
    let error =
        Contract::from_json("t", schema).and_then(|contract| contract.check_portable()).expect_err("must be refused");
    assert_eq!((error.kind(), error.pointer(), error.keyword()), (kind, Some(pointer), Some(keyword)), "{error}");
    let text = error.to_string();
    assert!(text.contains(keyword) && text.contains(pointer), "{text}");
}

#[test]
fn keywords_outside_the_profile_are_named() {
    for rule in [r#""pattern": "a""#, r#""format": "date""#, r#""anyOf": [{}]"#, r#""nullable": true"#, r#""not": {}"#]
    {
        let schema = format!(r#"{{"type": "object", "properties": {{"a/b": {{"type": "string", {rule}}}}}}}"#);
        let keyword = rule.split('"').nth(1).unwrap();
        refused(&schema, ErrorKind::UnsupportedKeyword, "/properties/a~1b", keyword);
    }
    let schema = r#"{"type": "array", "uniqueItems": true, "items": {"type": "null"}}"#;
    refused(schema, ErrorKind::UnsupportedKeyword, "", "uniqueItems");
    refused(r#"{"const": 1}"#, ErrorKind::UnsupportedKeyword, "", "const");
    refused(r#"{"type": "null", "$defs": {}}"#, ErrorKind::UnsupportedKeyword, "", "$defs");
}

#[test]
fn slips_are_refused_with_the_keyword_that_was_meant() {
    for (slip, meant) in
        [("maxLenght", "maxLength"), ("require", "required"), ("additionalProperty", "no draft knows it")]
    {
        let schema = format!(r#"{{"type": "object", "properties": {{"a/b": {{"type": "string", "{slip}": 1}}}}}}"#);
        refused(&schema, ErrorKind::UnsupportedKeyword, "/properties/a~1b", slip);
        let error = Contract::from_json("t", &schema).expect_err("must be refused").to_string();
        assert!(error.contains(meant), "{error}");
    }
}

#[test]
fn a_registered_contract_keeps_to_the_profile() {
    let contract = Contract::from_json("t", r#"{"type": "string", "pattern": "a"}"#).unwrap();
    let error = slm_schema::Registry::new().register(contract).expect_err("must be refused");
    assert_eq!((error.kind(), error.keyword()), (ErrorKind::UnsupportedKeyword, Some("pattern")));
}

#[test]
fn keywords_of_another_type_are_named() {
    refused(r#"{"type": "string", "minimum": 3}"#, ErrorKind::UnsupportedKeyword, "", "minimum");
    refused(r#"{"type": "number", "minimum": 3}"#, ErrorKind::UnsupportedKeyword, "", "minimum");
    refused(r#"{"enum": ["a"], "maxLength": 3}"#, ErrorKind::UnsupportedKeyword, "", "maxLength");
}

#[test]
fn forms_outside_the_profile_are_named() {
    refused(r#"{"type": ["string", "null"]}"#, ErrorKind::UnsupportedKeyword, "", "type");
    refused(r#"{"type": "array", "items": [{"type": "null"}]}"#, ErrorKind::UnsupportedKeyword, "", "items");
    refused(
        r#"{"type": "object", "additionalProperties": {"type": "null"}}"#,
        ErrorKind::UnsupportedKeyword,
        "",
        "additionalProperties",
    );
    refused(r#"{"type": "object", "required": ["a"]}"#, ErrorKind::UnsupportedKeyword, "", "required");
}

#[test]
fn values_that_no_draft_allows_are_named() {
    refused(r#"{"type": "frob"}"#, ErrorKind::InvalidKeyword, "", "type");
    refused("{}", ErrorKind::UnsupportedKeyword, "", "type");
    refused(r#"{"type": "string", "maxLength": -1}"#, ErrorKind::InvalidKeyword, "", "maxLength");
    refused(r#"{"type": "string", "maxLength": 1.5}"#, ErrorKind::InvalidKeyword, "", "maxLength");
    refused(r#"{"type": "object", "properties": [1]}"#, ErrorKind::InvalidKeyword, "", "properties");
    refused(r#"{"type": "string", "title": 5}"#, ErrorKind::InvalidKeyword, "", "title");
    refused(r#"{"type": "string", "enum": ["a", 1]}"#, ErrorKind::InvalidKeyword, "", "enum");
    refused(r#"{"enum": ["a", "a"]}"#, ErrorKind::InvalidKeyword, "", "enum");
    refused(r#"{"type": "array"}"#, ErrorKind::UnsupportedKeyword, "", "items");
}

#[test]
fn what_nothing_satisfies_is_refused() {
    refused(r#"{"type": "string", "minLength": 3, "maxLength": 2}"#, ErrorKind::Unsatisfiable, "", "minLength");
    refused(
        r#"{"type": "array", "items": {"type": "null"}, "minItems": 3, "maxItems": 2}"#,
        ErrorKind::Unsatisfiable,
        "",
        "minItems",
    );
    refused(r#"{"type": "integer", "minimum": 3, "maximum": 2}"#, ErrorKind::Unsatisfiable, "", "minimum");
    refused(r#"{"enum": []}"#, ErrorKind::Unsatisfiable, "", "enum");
}

#[test]
fn texts_that_are_no_schema_are_refused_in_words() {
    let kind = |text: &str| Contract::from_json("t", text).expect_err("must be refused").kind();
    assert_eq!(kind("{"), ErrorKind::Syntax);
    assert_eq!(kind(""), ErrorKind::Syntax);
    assert_eq!(kind("false"), ErrorKind::Unsatisfiable);
    assert_eq!(kind("[]"), ErrorKind::InvalidKeyword);
    assert_eq!(
        kind(r#"{"type": "object", "properties": {"a": {"type": "null"}, "a": {"type": "null"}}}"#),
        ErrorKind::Syntax
    );
    assert_eq!(kind(&"[".repeat(100_000)), ErrorKind::Syntax);
    let deep = format!("{}{}", r#"{"type":"array","items":"#.repeat(10_000), "1");
    assert_eq!(kind(&deep), ErrorKind::Syntax);
    let line = Contract::from_json("t", "{\n  \"type\": oops\n}").expect_err("must be refused").to_string();
    assert!(line.contains("line 2"), "{line}");
}

#[test]
fn whole_numbers_may_be_written_with_a_fraction() {
    let contract = Contract::from_json("t", r#"{"type": "string", "maxLength": 2.0}"#).unwrap();
    assert_eq!(contract.bound().unwrap().chars(), 4);
}

#[test]
fn names_that_endpoints_refuse_are_refused() {
    for name in ["", "a b", "é", "a/b", &"x".repeat(65)] {
        let error = Contract::from_json(name, r#"{"type": "null"}"#).expect_err("must be refused");
        assert_eq!(error.kind(), ErrorKind::InvalidName, "{name}");
    }
}
