//! The extended profile: which texts a grammar accepts for the schemas that users bring, and what the report says.

use slm_schema::{Constraint, Contract, Dialect, ErrorKind, Tier};

use crate::engine::Engine;

/// Each accepted text must be valid. A refused one need not be invalid: then the report has to say that decoding is
/// stricter there.
#[track_caller]
fn check(schema: &str, accepted: &[&str], refused: &[&str]) -> Contract {
    let contract = Contract::from_json("t", schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
    let grammar = contract.grammar();
    let mut engine = Engine::new(grammar.as_str());
    for text in accepted {
        assert!(engine.accepts(text), "must accept {text}\n{grammar}");
        let value = serde_json::from_str(text).unwrap();
        assert_eq!(contract.validate(&value), [], "the validator must agree on {text}");
        assert!(contract.schema().conforms(&value), "conforms must agree on {text}");
    }
    for text in refused {
        assert!(!engine.accepts(text), "must refuse {text}\n{grammar}");
        let stricter = || exceptions(&contract).iter().any(|(_, _, tier)| *tier == Tier::GrammarStricter);
        if let Ok(value) = serde_json::from_str(text) {
            let spelled = contract.respell(text);
            let is_canonical = spelled.as_deref().is_none_or(|spelled| spelled == *text);
            assert!(
                !contract.validate(&value).is_empty() || !is_canonical || stricter(),
                "unreported: {text}\n{grammar}"
            );
        }
    }
    contract
}

fn exceptions(contract: &Contract) -> Vec<(String, String, Tier)> {
    let report = contract.lower(Dialect::Gbnf).report;
    report.exceptions().map(|entry| (entry.pointer.clone(), entry.keyword.clone(), entry.tier)).collect()
}

#[track_caller]
fn says(contract: &Contract, expected: &[(&str, &str, Tier)]) {
    let expected: Vec<_> = expected.iter().map(|(p, k, t)| ((*p).to_owned(), (*k).to_owned(), *t)).collect();
    assert_eq!(exceptions(contract), expected);
}

#[test]
fn lengths_are_described_beside_a_pattern() {
    let of = |rules: &str| Contract::from_json("t", &format!(r#"{{"type":"string",{rules}}}"#)).unwrap().describe();
    assert_eq!(of(r#""pattern":"^[a-z]+$","minLength":2,"maxLength":9"#), "str /^[a-z]+$/ 2-9");
    assert_eq!(of(r#""pattern":"a.*b","maxLength":9"#), "str /a.*b/ ≤9");
    assert_eq!(of(r#""format":"uri","maxLength":80"#), "str /uri/ ≤80");
    assert_eq!(of(r#""pattern":"^x$""#), "str /^x$/");
}

#[test]
fn references_by_name_are_followed_inside_the_document() {
    let newer = r#""$schema": "https://json-schema.org/draft/2020-12/schema""#;
    let older = r#""$schema": "http://json-schema.org/draft-07/schema#""#;
    let oldest = r#""$schema": "http://json-schema.org/draft-04/schema#""#;
    let schemas = [
        r##"{"$ref": "#b", "$defs": {"x": {"$anchor": "b", "type": "boolean"}}}"##.to_owned(),
        format!(r##"{{{newer}, "$ref": "#b", "$defs": {{"x": {{"$dynamicAnchor": "b", "type": "boolean"}}}}}}"##),
        format!(
            r##"{{{older}, "allOf": [{{"$ref": "#b"}}], "definitions": {{"x": {{"$id": "#b", "type": "boolean"}}}}}}"##
        ),
        format!(
            r##"{{{oldest}, "allOf": [{{"$ref": "#b"}}], "definitions": {{"x": {{"id": "#b", "type": "boolean"}}}}}}"##
        ),
        format!(r#"{{{newer}, "$ref": "b.json", "$defs": {{"50%": {{"$id": "b.json", "type": "boolean"}}}}}}"#),
        format!(
            r#"{{{newer}, "$id": "http://e.org/a/r.json", "$ref": "../b.json", "$defs": {{"x": {{"$id": "/b.json", "type": "boolean"}}}}}}"#
        ),
        format!(
            r#"{{{newer}, "$id": "http://e.org/r", "$ref": "http://e.org/r#/$defs/x", "$defs": {{"x": {{"type": "boolean"}}}}}}"#
        ),
        format!(
            r#"{{{newer}, "$ref": "b.json#/$defs/y", "$defs": {{"x": {{"$id": "b.json", "$defs": {{"y": {{"type": "boolean"}}}}}}}}}}"#
        ),
        // What stands in such a schema refers from there.
        format!(
            r##"{{{newer}, "$ref": "b.json", "$defs": {{"y": {{"type": "null"}},
                "x": {{"$id": "b.json", "$ref": "#/$defs/y", "$defs": {{"y": {{"type": "boolean"}}}}}}}}}}"##
        ),
        format!(
            r#"{{{newer}, "$ref": "b.json#n", "$defs": {{"y": {{"$anchor": "n", "type": "null"}},
                "x": {{"$id": "b.json", "$defs": {{"y": {{"$anchor": "n", "type": "boolean"}}}}}}}}}}"#
        ),
        format!(r#"{{{newer}, "$ref": "urn:uuid:1", "$defs": {{"x": {{"$id": "urn:uuid:1", "type": "boolean"}}}}}}"#),
    ];
    for schema in schemas {
        let contract = check(&schema, &["true", "false"], &["null", "1"]);
        // Nothing refers to that one.
        assert!(exceptions(&contract).iter().all(|(at, _, _)| at == "/$defs/y"), "{schema}");
        let lowered = contract.lower(Dialect::Vllm);
        let Constraint::Schema(sent) = &lowered.constraint else { panic!("a schema") };
        assert!(!sent.contains("b.json") && !sent.contains("\"#b\""), "{sent}");
    }
    // A name that comes back to itself.
    let list = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "l", "$defs": {"x": {"$id": "l", "type": "array", "items": {"$ref": "l"}}}}"#;
    check(list, &["[]", "[[],[[]]]"], &["[1]"]);
}

#[test]
fn a_name_that_the_document_does_not_hold_is_refused() {
    for (reference, kind) in [("#nobody", ErrorKind::InvalidKeyword), ("other.json", ErrorKind::UnsupportedKeyword)] {
        let schema =
            format!(r#"{{"type": "array", "items": {{"$ref": "{reference}"}}, "$defs": {{"a": {{"$anchor": "a"}}}}}}"#);
        let error = Contract::from_json("t", &schema).unwrap_err();
        assert_eq!((error.kind(), error.pointer(), error.keyword()), (kind, Some("/items"), Some("$ref")), "{error}");
    }
}

#[test]
fn references_and_recursion() {
    let tree = r##"{"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {
        "v": {"type": "boolean"}, "next": {"$ref": "#/$defs/node"}}, "required": ["v"], "additionalProperties": false}}}"##;
    let contract = check(
        tree,
        &[r#"{"v":true}"#, r#"{"v":true,"next":{"v":false}}"#, r#"{"v":true,"next":{"v":false,"next":{"v":true}}}"#],
        &["{}", r#"{"next":{"v":true}}"#, r#"{"v":true,"next":{}}"#],
    );
    says(&contract, &[]);
    check(
        r##"{"type": "array", "items": {"$ref": "#"}, "maxItems": 2}"##,
        &["[]", "[[],[[]]]"],
        &["[1]", "[[],[],[]]"],
    );
    check(
        r##"{"type": "object", "properties": {"a/b": {"type": "null"}, "c": {"$ref": "#/properties/a~1b"}}, "required": ["a/b", "c"], "additionalProperties": false}"##,
        &[r#"{"a/b":null,"c":null}"#],
        &[r#"{"a/b":null,"c":1}"#],
    );
}

#[test]
fn references_that_cannot_be_followed_are_refused() {
    #[track_caller]
    fn refused(schema: &str, kind: ErrorKind, words: &str) {
        let error = Contract::from_json("t", schema).expect_err("must be refused");
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    refused(r##"{"$ref": "#/$defs/nope"}"##, ErrorKind::InvalidKeyword, "leads nowhere");
    refused(r#"{"$ref": "https://example.com/schema.json"}"#, ErrorKind::UnsupportedKeyword, "copy it into $defs");
    refused(r##"{"$ref": "#"}"##, ErrorKind::InvalidKeyword, "refers to itself");
    refused(
        r##"{"anyOf": [{"$ref": "#"}, {"type": "null"}], "$defs": {}}"##,
        ErrorKind::InvalidKeyword,
        "refers to itself",
    );
    let endless = r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "required": ["a"]}}}"##;
    refused(endless, ErrorKind::Unsatisfiable, "without end");
}

#[test]
fn unions_constants_and_nullable() {
    let contract = check(r#"{"type": ["string", "null"], "maxLength": 1}"#, &["null", r#""a""#], &[r#""ab""#, "1"]);
    says(&contract, &[]);
    check(r#"{"type": "boolean", "nullable": true}"#, &["true", "null"], &["1"]);
    check(
        r#"{"type": "array", "items": {"type": "object", "nullable": true, "properties": {"nullable": {"type": "null"}}}}"#,
        &["[null]", r#"[{"nullable":null}]"#],
        &["[1]"],
    );
    check(r#"{"const": {"a": [1, null]}}"#, &[r#"{"a":[1,null]}"#], &["{}"]);
    check(r#"{"const": "x", "enum": ["x", "y"]}"#, &[r#""x""#], &[r#""y""#]);
    let contract = check(
        r#"{"anyOf": [{"type": "integer", "minimum": 1, "maximum": 9}, {"enum": ["a", "b"]}, {"type": "array", "items": {"type": "null"}}]}"#,
        &["1", "9", r#""b""#, "[]", "[null]"],
        &["0", r#""c""#, "{}"],
    );
    says(&contract, &[]);
    let contract = check(r#"{"type": ["integer", "number"]}"#, &["1", "1.5"], &[r#""a""#]);
    says(&contract, &[("", "type", Tier::GrammarStricter)]);
}

#[test]
fn one_of_is_exact_where_its_schemas_are_apart() {
    let tagged = r#"{"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "null"}}, "required": ["kind", "n"], "additionalProperties": false},
        {"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"], "additionalProperties": false},
        {"type": "string", "enum": ["Unit"]}]}"#;
    let contract = check(
        tagged,
        &[r#"{"kind":"a","n":null}"#, r#"{"kind":"b"}"#, r#""Unit""#],
        &[r#"{"kind":"b","n":null}"#, r#"{"kind":"a"}"#],
    );
    says(&contract, &[]);
    let overlapping = Contract::from_json("t", r#"{"oneOf": [{"type": "boolean"}, {"const": true}]}"#).unwrap();
    says(&overlapping, &[("", "oneOf", Tier::Validator)]);
}

#[test]
fn all_of_is_merged() {
    let schema = r##"{"allOf": [{"$ref": "#/$defs/base"}, {"properties": {"b": {"type": "boolean"}}, "required": ["b"], "type": "object"}],
        "$defs": {"base": {"type": "object", "properties": {"a": {"type": "null"}, "b": {"enum": [true, 1]}}, "required": ["a"]}}}"##;
    check(schema, &[r#"{"a":null,"b":true}"#], &[r#"{"a":null}"#, r#"{"a":null,"b":1}"#, r#"{"a":null,"b":false}"#]);
    check(
        r#"{"allOf": [{"type": "string", "minLength": 2}, {"type": "string", "maxLength": 3}]}"#,
        &[r#""ab""#, r#""abc""#],
        &[r#""a""#, r#""abcd""#],
    );
    check(
        r#"{"type": "object", "properties": {"a": {"type": "null"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
        &[r#"{"a":null}"#],
        &["{}"],
    );
    let nothing =
        Contract::from_json("t", r#"{"allOf": [{"type": "string"}, {"type": "null"}]}"#).expect_err("nothing fits");
    assert_eq!(nothing.kind(), ErrorKind::Unsatisfiable);
}

#[test]
fn tuples() {
    check(
        r#"{"type": "array", "prefixItems": [{"type": "null"}, {"type": "boolean"}], "items": false, "minItems": 1}"#,
        &["[null]", "[null,true]"],
        &["[]", "[true]", "[null,true,1]"],
    );
    check(
        r#"{"type": "array", "items": [{"type": "null"}], "additionalItems": {"type": "boolean"}, "maxItems": 3}"#,
        &["[]", "[null]", "[null,true,false]"],
        &["[true]", "[null,null]", "[null,true,true,true]"],
    );
    check(
        r#"{"type": "array", "prefixItems": [{"type": "null"}, {"type": "boolean"}], "minItems": 3, "items": {"enum": [1]}}"#,
        &["[null,true,1]", "[null,true,1,1]"],
        &["[null,true]"],
    );
}

#[test]
fn anything_and_maps() {
    let contract = check("{}", &["1", "null", r#"{"a":[1,{"b":""}]}"#, "[]", r#""x""#], &["", "[1,]", "{a:1}"]);
    says(&contract, &[]);
    check("true", &["[[]]"], &["}"]);
    let contract = check(
        r#"{"type": "object", "additionalProperties": {"type": "integer", "minimum": 0, "maximum": 9}}"#,
        &["{}", r#"{"a":1}"#, r#"{"a":1,"":9}"#],
        &[r#"{"a":"b"}"#, r#"{"a":1,}"#],
    );
    says(&contract, &[]);
    let contract = check(
        r#"{"type": "object", "additionalProperties": {"type": "null"}, "minProperties": 1, "maxProperties": 2}"#,
        &[r#"{"a":null}"#, r#"{"a":null,"b":null}"#],
        &["{}", r#"{"a":null,"b":null,"c":null}"#],
    );
    says(&contract, &[]);
    check(r#"{"type": "object"}"#, &["{}", r#"{"a":{"b":1}}"#], &["[]"]);
    let contract = check(
        r#"{"type": "object", "propertyNames": {"enum": ["x", "y"]}, "additionalProperties": {"type": "null"}}"#,
        &[r#"{"x":null}"#],
        &[r#"{"z":null}"#],
    );
    says(&contract, &[]);
    let contract = check(
        r#"{"type": "object", "patternProperties": {"^[a-z]+$": {"type": "null"}}, "additionalProperties": false}"#,
        &["{}", r#"{"ab":null}"#],
        &[r#"{"A":null}"#, r#"{"":null}"#],
    );
    says(&contract, &[]);
}

#[test]
fn undeclared_names_are_never_declared_ones() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "null"}, "ab": {"type": "null"}, "q\"": {"type": "null"}},
        "required": ["a"], "additionalProperties": {"type": "boolean"}}"#;
    check(
        schema,
        &[
            r#"{"a":null}"#,
            r#"{"a":null,"b":true}"#,
            r#"{"a":null,"abc":true,"":false}"#,
            r#"{"a":null,"q":true,"\\":true,"q\"\"":true}"#,
        ],
        &[
            r#"{"a":true}"#,
            r#"{"a":null,"a":true}"#,
            r#"{"a":null,"ab":true}"#,
            r#"{"a":null,"q\"":true}"#,
            r#"{"a":null,"\u0061":true}"#,
        ],
    );
}

#[test]
fn patterns_that_are_regular() {
    let pattern =
        |source: &str| format!(r#"{{"type": "string", "pattern": {}}}"#, serde_json::to_string(source).unwrap());
    let contract = check(&pattern("^[a-c]{2,3}$"), &[r#""ab""#, r#""abc""#], &[r#""a""#, r#""abcd""#, r#""ad""#]);
    says(&contract, &[]);
    check(&pattern("b+"), &[r#""b""#, r#""abba""#], &[r#""a""#, r#""""#]);
    check(&pattern("^a"), &[r#""a""#, r#""ab""#], &[r#""ba""#]);
    check(&pattern(r"^\d{3}-\w$"), &[r#""123-x""#], &[r#""12-x""#, r#""123- ""#]);
    check(&pattern(r#"^[^"]"$"#), &[r#""a\"""#, r#""\n\"""#], &[r#""\"\"""#]);
    check(&pattern(r"^(a|b|)*c?$"), &[r#""""#, r#""abac""#], &[r#""ca""#]);
    check(&pattern("^(?:ab|a(?:c|d))$"), &[r#""ab""#, r#""ad""#], &[r#""a""#]);
    check(&pattern(r"^\\\.$"), &[r#""\\.""#], &[r#""\\x""#]);
    check(&pattern("^a|b$"), &[r#""ax""#, r#""xb""#], &[r#""xax""#]);
    check(&pattern("^é[😀-😂]$"), &[r#""é😁""#], &[r#""e😁""#]);
}

#[test]
fn patterns_that_are_not_are_the_validators() {
    for source in ["^(?=a)b", r"^(a)\1$", r"\bword\b", "a^b", r"^\p{L}$"] {
        let schema =
            format!(r#"{{"type": "string", "pattern": {}, "maxLength": 5}}"#, serde_json::to_string(source).unwrap());
        let contract = Contract::from_json("t", &schema).unwrap();
        says(&contract, &[("", "pattern", Tier::Validator)]);
        assert!(Engine::new(contract.grammar().as_str()).accepts(r#""zzzzz""#), "{source}");
    }
    let beside = Contract::from_json("t", r#"{"type": "string", "pattern": "^a*b*$", "maxLength": 5}"#).unwrap();
    says(&beside, &[("", "maxLength", Tier::Validator)]);
    let within = Contract::from_json("t", r#"{"type": "string", "pattern": "^a{2,4}$", "maxLength": 5}"#).unwrap();
    says(&within, &[]);
}

#[test]
fn formats() {
    let format = |name: &str| format!(r#"{{"type": "string", "format": "{name}"}}"#);
    check(&format("date"), &[r#""2024-02-29""#], &[r#""2024-13-01""#, r#""24-01-01""#]);
    check(
        &format("date-time"),
        &[r#""2024-02-29T23:59:59Z""#, r#""2024-02-29T00:00:00.123+01:30""#],
        &[r#""2024-02-29 00:00:00Z""#],
    );
    check(&format("time"), &[r#""23:59:59Z""#], &[r#""24:00:00Z""#]);
    check(&format("uuid"), &[r#""2eb8aa08-aa98-11ea-b4aa-73b441d16380""#], &[r#""2eb8aa08aa9811eab4aa73b441d16380""#]);
    check(&format("ipv4"), &[r#""192.168.0.255""#], &[r#""256.0.0.1""#, r#""1.2.3""#]);
    check(&format("ipv6"), &[r#""1:2:3:4:5:6:7:8""#], &[r#""1:2:3""#]);
    check(&format("email"), &[r#""joe.bloggs@example.com""#], &[r#""joe""#]);
    check(&format("uri"), &[r#""https://example.com/a/b""#], &[r#""example""#]);
    check(&format("hostname"), &[r#""www.example.com""#], &[r#""-a-""#]);
    check(&format("duration"), &[r#""P3Y6M4DT12H30M5S""#, r#""PT1H""#, r#""P2W""#], &[r#""P""#, r#""PT""#]);
    let contract = check(&format("no-such-format"), &[r#""anything""#], &["1"]);
    says(&contract, &[("", "format", Tier::Validator)]);
}

#[test]
fn what_no_grammar_holds_is_the_validators() {
    let schema = r#"{"type": "object", "additionalProperties": false, "minProperties": 2,
        "properties": {
            "n": {"type": "number", "minimum": 0.5, "exclusiveMaximum": 2, "multipleOf": 0.25},
            "a": {"type": "array", "items": {"type": "boolean"}, "uniqueItems": true, "contains": {"const": true}},
            "i": {"type": "integer", "minimum": 0, "maximum": 9, "multipleOf": 3}},
        "dependentRequired": {"n": ["a"]}, "not": {"required": ["i"]}, "if": {"required": ["n"]}, "then": {"required": ["a"]}}"#;
    let contract = Contract::from_json("t", schema).unwrap();
    let validators: Vec<String> = exceptions(&contract)
        .into_iter()
        .filter(|(_, _, tier)| *tier == Tier::Validator)
        .map(|(pointer, keyword, _)| format!("{pointer} {keyword}"))
        .collect();
    for expected in [
        " minProperties",
        " dependentRequired",
        " not",
        " if",
        " then",
        "/not required",
        "/properties/n minimum",
        "/properties/n exclusiveMaximum",
        "/properties/n multipleOf",
        "/properties/a uniqueItems",
        "/properties/a contains",
        "/properties/a/contains const",
        "/properties/i multipleOf",
    ] {
        assert!(validators.iter().any(|found| found == expected), "{expected} is missing: {validators:?}");
    }
}

#[test]
fn integers_beyond_machine_words() {
    check(
        r#"{"type": "integer", "minimum": 18446744073709551615, "maximum": 18446744073709551615}"#,
        &["18446744073709551615"],
        &["18446744073709551614", "1844674407370955161"],
    );
    check(r#"{"type": "integer", "exclusiveMinimum": 1.5, "maximum": 3.5}"#, &["2", "3"], &["1", "4"]);
    check(
        r#"{"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer", "minimum": 1, "exclusiveMinimum": true, "maximum": 3, "exclusiveMaximum": true}"#,
        &["2"],
        &["1", "3"],
    );
}

#[test]
fn untyped_rules_take_their_type_for_granted() {
    let contract = check(
        r#"{"properties": {"a": {"type": "null"}}, "required": ["a"], "additionalProperties": false}"#,
        &[r#"{"a":null}"#],
        &["{}", "1"],
    );
    says(&contract, &[("", "type", Tier::GrammarStricter)]);
    let contract = check(r#"{"maxLength": 1}"#, &[r#""a""#], &[r#""ab""#, "12"]);
    says(&contract, &[("", "type", Tier::GrammarStricter)]);
}

#[test]
fn any_value_and_the_value_of_an_optional_property_are_different_rules() {
    check(
        r#"{"type": "object", "properties": {"a": {"type": "object", "properties": {"n": {"enum": [1]}}}, "b": {}}, "additionalProperties": false}"#,
        &[r#"{"a":{"n":1},"b":[1,"two"]}"#, r#"{"b":{"x":null}}"#],
        &[r#"{"a":{"n":2}}"#],
    );
}

#[test]
fn a_union_is_no_stronger_than_its_members() {
    let contract =
        check(r#"{"anyOf": [{"type": "integer", "multipleOf": 3}, {"type": "null"}]}"#, &["3", "null"], &["true"]);
    assert!(exceptions(&contract).contains(&(String::new(), "anyOf".to_owned(), Tier::Validator)));
    let by_reference = Contract::from_json(
        "t",
        r##"{"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"const": 1}}}}"##,
    );
    assert!(exceptions(&by_reference.unwrap()).contains(&(String::new(), "anyOf".to_owned(), Tier::Validator)));
}

#[test]
fn a_schema_without_a_type_excludes_nothing_that_stands_beside_it() {
    check(r#"{"allOf": [{"type": "null"}, {"minLength": 1}]}"#, &["null"], &["1"]);
    check(
        r#"{"type": "object", "properties": {"a": {"type": "null"}}, "allOf": [{"multipleOf": 2}]}"#,
        &["{}"],
        &["2"],
    );
    check(r#"{"required": ["foo"], "additionalProperties": false}"#, &["null", "1"], &["{}", r#"{"foo":1}"#]);
    check(r#"{"minLength": 2, "enum": ["a", "ab", {"x": 1}, [2]]}"#, &[r#""ab""#, r#"{"x":1}"#, "[2]"], &[r#""a""#]);
    let both_fit = Contract::from_json("t", r#"{"oneOf": [{"maxLength": 2}, {"type": "integer"}]}"#).unwrap();
    assert!(exceptions(&both_fit).contains(&(String::new(), "oneOf".to_owned(), Tier::Validator)));
}

#[test]
fn patterns_of_names_bind_declared_ones_too() {
    check(
        r#"{"type": "object", "properties": {"foo": {"type": "string"}}, "patternProperties": {"^f": {"maxLength": 2}}, "additionalProperties": false}"#,
        &["{}", r#"{"foo":"ab"}"#],
        &[r#"{"foo":"abc"}"#],
    );
    check(
        r#"{"type": "object", "required": ["fa"], "patternProperties": {"^f": {"type": "null"}}, "additionalProperties": false}"#,
        &[r#"{"fa":null}"#],
        &["{}", r#"{"fa":1}"#],
    );
    let map = r#"{"type": "object", "patternProperties": {"^[a-z]+$": {"type": "null"}}}"#;
    let contract = check(map, &["{}", r#"{"ab":null}"#], &[r#"{"ab":1}"#, r#"{"A":1}"#]);
    says(&contract, &[("", "additionalProperties", Tier::GrammarStricter)]);
}

#[test]
fn names_that_are_not_valid_are_not_written_as_undeclared_ones() {
    check(
        r#"{"type": "object", "properties": {"b": false}, "additionalProperties": {"type": "null"}}"#,
        &["{}", r#"{"a":null,"bb":null}"#],
        &[r#"{"b":null}"#],
    );
    let contract =
        Contract::from_json("t", r#"{"type": "object", "additionalProperties": {"type": "null"}, "minProperties": 2}"#);
    // The same name twice is one property.
    says(&contract.unwrap(), &[("", "minProperties", Tier::Validator)]);
    check(r#"{"type": "object", "required": ["foo"], "minProperties": 2}"#, &[r#"{"foo":1,"a":2}"#], &["{}"]);
}

#[test]
fn values_are_written_as_their_numbers_are() {
    let contract =
        check(r#"{"enum": [-2.0, 1e2, {"z": 1.0, "a": 0.5}]}"#, &["-2", "100", r#"{"z":1,"a":0.5}"#], &["-2.0"]);
    assert_eq!(contract.respell(r#"{"a": 0.5, "z": 1}"#).as_deref(), Some(r#"{"z":1,"a":0.5}"#));
    let integer = Contract::from_json("t", r#"{"type": "integer"}"#).unwrap();
    assert_eq!(integer.respell("3.0").as_deref(), Some("3"));
    check(r#"{"type": "number", "multipleOf": 1}"#, &["1"], &["true"]);
}

#[test]
fn lengths_beside_a_pattern_are_held_where_one_part_takes_them() {
    #[track_caller]
    fn held(rules: &str, accepted: &[&str], refused: &[&str]) {
        let contract = check(&format!(r#"{{"type": "string", {rules}}}"#), accepted, refused);
        says(&contract, &[]);
    }
    held(r#""pattern": "^[a-z]+$", "maxLength": 3"#, &[r#""a""#, r#""abc""#], &[r#""""#, r#""abcd""#]);
    held(
        r#""pattern": "^[a-z]{2,}$", "minLength": 3, "maxLength": 4"#,
        &[r#""abc""#, r#""abcd""#],
        &[r#""ab""#, r#""abcde""#],
    );
    held(r#""pattern": "^[a-z][a-z0-9_]*$", "maxLength": 3"#, &[r#""a""#, r#""a_9""#], &[r#""a_99""#, r#""9""#]);
    held(r#""pattern": "^x", "maxLength": 3"#, &[r#""x""#, r#""xyz""#], &[r#""xyzz""#, r#""y""#]);
    held(
        r#""pattern": "^(ab)*$", "minLength": 1, "maxLength": 5"#,
        &[r#""ab""#, r#""abab""#],
        &[r#""""#, r#""ababab""#],
    );
    held(r#""pattern": "^(abc|d+)$", "maxLength": 2"#, &[r#""d""#, r#""dd""#], &[r#""abc""#, r#""ddd""#]);
    held(r#""pattern": "^a(bc)?$", "maxLength": 2"#, &[r#""a""#], &[r#""abc""#]);
    held(r#""format": "ipv4", "minLength": 7"#, &[r#""1.1.1.1""#], &[]);
    let nothing = Contract::from_json("t", r#"{"type": "string", "pattern": "^abc$", "maxLength": 2}"#);
    assert_eq!(nothing.expect_err("too long").kind(), ErrorKind::Unsatisfiable);
}

#[test]
fn the_form_of_a_format_excludes_no_value_that_is_listed() {
    let contract =
        check(r#"{"type": "string", "format": "ipv6", "enum": ["::1", "1:2:3:4:5:6:7:8"]}"#, &[r#""::1""#], &[]);
    says(&contract, &[("", "format", Tier::Validator)]);
    let both_fit =
        Contract::from_json("t", r#"{"oneOf": [{"const": "::1"}, {"type": "string", "format": "ipv6"}]}"#).unwrap();
    assert!(exceptions(&both_fit).contains(&(String::new(), "oneOf".to_owned(), Tier::Validator)));
}
