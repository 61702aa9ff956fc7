//! Which texts a grammar accepts, asked of an independent engine.

use slm_schema::Contract;

use crate::engine::Engine;

#[track_caller]
fn check(schema: &str, accepted: &[&str], refused: &[&str]) {
    let contract = Contract::from_json("t", schema).unwrap();
    let mut engine = Engine::new(contract.grammar().as_str());
    for text in accepted {
        assert!(engine.accepts(text), "must accept {text}\n{}", contract.grammar());
        let value = serde_json::from_str(text).unwrap();
        assert_eq!(contract.validate(&value), [], "the validator must agree on {text}");
        assert!(contract.schema().conforms(&value), "conforms must agree on {text}");
    }
    for text in refused {
        assert!(!engine.accepts(text), "must refuse {text}\n{}", contract.grammar());
    }
}

#[test]
fn strings_are_counted_in_code_points() {
    check(
        r#"{"type": "string", "minLength": 1, "maxLength": 2}"#,
        &[r#""a""#, r#""ab""#, r#""😀é""#, r#""\n\"""#, r#""\u0000\u001f""#],
        &[r#""""#, r#""abc""#, r#""😀😀😀""#],
    );
}

#[test]
fn each_character_has_one_spelling() {
    check(
        r#"{"type": "string"}"#,
        &[r#""/""#, r#""\b\f\n\r\t\\\"""#, "\"\u{7f}\u{2028}\""],
        &[r#""\/""#, r#""\u0041""#, r#""\u000a""#, r#""\u001F""#, r#""\ud800""#, "\"\n\"", "\"\u{1}\"", r#""\x""#],
    );
}

#[test]
fn large_sizes_are_exact() {
    let within = |count: usize| format!("\"{}\"", "é".repeat(count));
    let schema = r#"{"type": "string", "minLength": 2500, "maxLength": 4321}"#;
    let (low, high) = (within(2500), within(4321));
    check(schema, &[&low, &high, &within(3000), &within(4000)], &[&within(2499), &within(4322)]);
    let items = |count: usize| format!("[{}]", vec!["1"; count].join(","));
    let schema = r#"{"type": "array", "items": {"enum": [1]}, "maxItems": 2001}"#;
    check(schema, &["[]", &items(1), &items(2001)], &[&items(2002)]);
}

#[test]
fn no_number_in_a_repetition_is_above_the_engines_limit() {
    let schema = r#"{"type": "array", "minItems": 5000, "items": {"type": "string", "maxLength": 3000000}}"#;
    let text = Contract::from_json("t", schema).unwrap().grammar().to_string();
    let numbers = text.split(['{', '}', ',']).filter_map(|part| part.parse::<u32>().ok());
    assert!(numbers.max().is_some_and(|max| max <= 1999), "{text}");
}

#[test]
fn arrays_hold_their_bounds() {
    let schema = r#"{"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 3}"#;
    check(schema, &["[true]", "[true,false,true]"], &["[]", "[true,]", "[true,true,true,true]", "[true, true]"]);
    check(r#"{"type": "array", "items": {"type": "null"}, "maxItems": 0}"#, &["[]"], &["[null]"]);
    check(
        r#"{"type": "array", "items": {"type": "null"}, "minItems": 2, "maxItems": 2}"#,
        &["[null,null]"],
        &["[null]"],
    );
    check(r#"{"type": "array", "items": {"type": "null"}}"#, &["[]", "[null,null,null]"], &["[null null]"]);
}

#[test]
fn optional_properties_may_be_left_out_in_any_combination() {
    let schema = r#"{"type": "object", "additionalProperties": false, "required": ["b"], "properties":
        {"a": {"enum": [1]}, "b": {"enum": [2]}, "c": {"enum": [3]}, "d": {"enum": [4]}}}"#;
    check(
        schema,
        &[r#"{"b":2}"#, r#"{"a":1,"b":2}"#, r#"{"b":2,"d":4}"#, r#"{"a":1,"b":2,"c":3,"d":4}"#],
        &["{}", r#"{"a":1}"#, r#"{"b":2,"a":1}"#, r#"{"b":2,}"#, r#"{,"b":2}"#, r#"{"b":2,"b":2}"#, r#"{"b":2,"e":5}"#],
    );
    let schema =
        r#"{"type": "object", "additionalProperties": false, "properties": {"a": {"enum": [1]}, "b": {"enum": [2]}}}"#;
    check(schema, &["{}", r#"{"a":1}"#, r#"{"b":2}"#, r#"{"a":1,"b":2}"#], &["{,}", r#"{"a":1"b":2}"#]);
}

#[test]
fn optional_properties_cost_linear_size() {
    let size = |count: usize| {
        let properties: Vec<String> = (0..count).map(|i| format!(r#""p{i}": {{"type": "boolean"}}"#)).collect();
        let schema = format!(r#"{{"type": "object", "properties": {{{}}}}}"#, properties.join(","));
        Contract::from_json("t", &schema).unwrap().grammar().as_str().len()
    };
    let (forty, eighty) = (size(40), size(80));
    assert!(eighty < forty * 5 / 2, "{forty} -> {eighty}");
}

#[test]
fn enums_of_any_type_are_spelled_exactly() {
    check(
        r#"{"enum": ["a", "ab", "abc", "b\"\\\n", "", 1, 12, -3.5, true, null, {"z": 1, "a": [2]}, "déjà ]{}"]}"#,
        &[r#""a""#, r#""ab""#, r#""abc""#, r#""b\"\\\n""#, r#""""#, "1", "12", "-3.5", "true", "null"],
        &[r#""abcd""#, "2", "false", r#""b""#, r#"{"a":[2],"z":1}"#],
    );
    check(r#"{"enum": [{"z": 1, "a": [2]}]}"#, &[r#"{"z":1,"a":[2]}"#], &[r#"{"a":[2],"z":1}"#]);
}

#[test]
fn escaping_is_total_in_names() {
    let name = "q\"\\\n\u{1}[]{}|: é😀 ::= root";
    let key = serde_json::to_string(name).unwrap();
    let schema = format!(
        r#"{{"type": "object", "properties": {{{key}: {{"type": "null"}}}}, "required": [{key}], "additionalProperties": false}}"#
    );
    check(&schema, &[&format!("{{{key}:null}}")], &["{}"]);
}

#[test]
fn numbers_are_bounded_and_canonical() {
    check(r#"{"type": "number"}"#, &["0", "-0.5", "12.25", "1234567890123456"], &["01", ".5", "1.", "1e3", "+1", ""]);
}

#[test]
fn equal_rules_are_shared() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "string", "maxLength": 9}}}"#;
    let text = Contract::from_json("t", schema).unwrap().grammar().to_string();
    assert_eq!(text.matches("string-0-9 ::=").count(), 1, "{text}");
}
