//! `repair`, `validate` and `grammar`: no network, standard input to standard output.

use crate::command::slmcode;

#[test]
fn repair_prints_the_json_and_the_rung() {
    let run = slmcode(&["repair", "clarify"], r#"{"needs_clarification": False, "questions": ["a",],}"#);
    assert_eq!((run.code, run.stderr.trim()), (0, "rung: python_bools"), "{run:?}");
    assert_eq!(run.document(), serde_json::json!({"needs_clarification": false, "questions": ["a"]}));
}

#[test]
fn repair_keeps_order_and_digits() {
    let run = slmcode(&["repair"], "{'z': 1.10, 'a': 12345678901234567890123}");
    assert_eq!(run.stdout.trim(), r#"{"z": 1.10, "a": 12345678901234567890123}"#, "{run:?}");
}

#[test]
fn a_document_cut_inside_a_string_exits_3_and_prints_nothing() {
    slmcode(&["repair", "clarify"], r#"{"needs_clarification": true, "questions": ["Which fi"#)
        .fails(3, &["cut off", "line 1"]);
    let document = slmcode(&["repair", "--json"], r#"{"a": "b"#).document();
    assert_eq!((&document["outcome"], &document["phase"]), (&"truncated".into(), &"in_value".into()), "{document}");
    slmcode(&["repair"], " \n").fails(3, &["empty"]);
}

#[test]
fn what_is_no_json_or_violates_the_contract_exits_4() {
    slmcode(&["repair"], "no document here").fails(4, &["line 1"]);
    slmcode(&["repair", "clarify"], r#"{"needs_clarification": 12}"#).fails(4, &["needs_clarification", "questions"]);
    let document = slmcode(&["repair", "clarify", "--json"], "{}").document();
    assert_eq!((&document["outcome"], &document["violations"][0]["keyword"]), (&"invalid".into(), &"required".into()));
}

#[test]
fn repair_reports_coercions() {
    let run = slmcode(&["repair", "clarify", "--json"], r#"{"needs_clarification": "false", "questions": []}"#);
    let document = run.document();
    assert_eq!((run.code, &document["rung"]), (0, &"coerce".into()), "{run:?}");
    assert_eq!(document["coercions"][0]["pointer"], "/needs_clarification");
}

#[test]
fn repair_jsonl_writes_a_line_for_each() {
    let input = r#"{"id": 7, "text": "{'a': 1}"}

{"text": "{\"a\": \"b", "id": "cut"}
{"text": "{\"n\": \"3\"}", "schema": {"type": "object", "properties": {"n": {"type": "integer"}}}}
{"text": "[1]", "finish_reason": "length"}
{"txt": "[1]"}
"#;
    let run = slmcode(&["repair", "--jsonl"], input);
    let lines: Vec<serde_json::Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((run.code, lines.len(), run.stderr.as_str()), (6, 5, ""), "{run:?}");
    assert_eq!(
        (&lines[0]["id"], &lines[0]["value"], &lines[0]["rung"]),
        (&7.into(), &serde_json::json!({"a": 1}), &"quotes".into())
    );
    assert_eq!(
        (&lines[1]["id"], &lines[1]["outcome"], &lines[1]["path"]),
        (&"cut".into(), &"truncated".into(), &"/a".into())
    );
    assert_eq!((&lines[2]["value"]["n"], &lines[2]["rung"]), (&3.into(), &"coerce".into()));
    assert_eq!((&lines[3]["phase"], &lines[3]["value"]), (&"after_value".into(), &serde_json::json!([1])));
    assert_eq!(&lines[4]["outcome"], "error");
    assert_eq!(slmcode(&["repair", "--jsonl"], "{\"text\": \"[1,]\"}").code, 0);
}

#[test]
fn input_that_is_no_text_is_refused_with_its_place() {
    slmcode(&["repair"], b"{\"a\": \"\xff\"}").fails(1, &["UTF-8", "byte 7"]);
}

#[test]
fn validate_prints_a_violation_a_line() {
    let run = slmcode(&["validate", "clarify"], r#"{"needs_clarification": 1, "questions": [2]}"#);
    assert_eq!((run.code, run.stdout.lines().count()), (4, 2), "{run:?}");
    assert!(run.stdout.contains("\"/needs_clarification\" `type`"), "{run:?}");
    let run = slmcode(&["validate", "clarify"], r#"{"needs_clarification": true, "questions": ["a"]}"#);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run:?}");
    let document = slmcode(&["validate", "clarify", "--json"], "{}").document();
    assert_eq!(
        (&document["valid"], &document["violations"][0]["schema_pointer"]),
        (&false.into(), &"/required".into())
    );
    slmcode(&["validate", "clarify"], "{").fails(4, &["line 1"]);
}

#[test]
fn grammar_goes_to_stdout_and_what_it_does_not_cover_to_stderr() {
    let run = slmcode(&["grammar", "review"], "");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.starts_with("root ::= ") && run.stderr.contains("all "), "{run:?}");
    let run = slmcode(&["grammar", "--schema", "-"], r#"{"type": "object", "properties": {"n": {"type": "integer"}}}"#);
    assert!(run.stderr.contains("`additionalProperties`: grammar_stricter"), "{run:?}");
    assert!(run.stderr.contains("\"/properties/n\" `type`: grammar_stricter"), "{run:?}");
    let run = slmcode(&["grammar", "clarify", "--spacing", "pretty"], "");
    assert!(run.stdout.starts_with(r#"root ::= "{\n  \"" "#) && run.stdout.contains(r#""reason\": ""#), "{run:?}");
    let document = slmcode(&["grammar", "review", "--json"], "").document();
    assert_eq!(document["fully_enforced"], true);
    assert_eq!(document["report"][0]["tier"], "grammar");
}

#[test]
fn a_sample_is_valid_and_follows_from_its_seed() {
    let run = slmcode(&["sample", "review", "--seed", "7"], "");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_eq!(slmcode(&["validate", "review"], &run.stdout).code, 0, "{run:?}");
    assert_eq!(slmcode(&["sample", "review", "--seed", "7"], "").stdout, run.stdout);
    let document = slmcode(&["sample", "--schema", "-", "--json"], r#"{"const": [1]}"#).document();
    assert_eq!(document, serde_json::json!({"seed": 0, "value": [1]}));
    slmcode(&["sample", "--schema", "-"], r#"{"type": "null", "not": {}}"#).fails(1, &["--seed"]);
}

#[test]
fn bad_schemas_name_file_pointer_and_keyword() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "string", "maxLenght": 3}}}"#;
    slmcode(&["grammar", "--schema", "-"], schema)
        .fails(2, &["/properties/a", "maxLenght", "did you mean `maxLength`?"]);
    slmcode(&["grammar", "--schema", "/no/such/file.json"], "").fails(2, &["/no/such/file.json"]);
    slmcode(&["grammar", "nope"], "").fails(2, &["nope", "clarify", "lessons"]);
    slmcode(&["grammar"], "").fails(2, &["clarify", "--schema"]);
    slmcode(&["validate"], "{}").fails(2, &["clarify", "--schema"]);
}

#[test]
fn usage_errors_are_documents_with_json() {
    let run = slmcode(&["grammar", "--nope", "--json"], "");
    assert_eq!((run.code, &run.document()["error"]["class"]), (2, &"usage".into()), "{run:?}");
    let run = slmcode(&["frobnicate"], "");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
}
