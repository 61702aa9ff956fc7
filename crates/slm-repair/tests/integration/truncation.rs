//! A document that lost data is never a value.

use serde_json::{Value, json};
use slm_repair::{ErrorKind, Open, Options, Phase, Rung, repair, repair_with};

#[track_caller]
fn check(input: &str, open: Open, offset: usize) {
    let error = repair(input).map(|repaired| repaired.text).unwrap_err();
    assert_eq!((error.kind(), error.open(), error.offset()), (ErrorKind::Truncated, Some(open), offset), "{input:?}");
}

#[test]
fn cut_documents() {
    for (input, open, offset) in [
        (r#"{"a": "b"#, Open::String, 6),
        (r#"{"a": "b\"#, Open::String, 6),
        (r#"{"a": 'b}"#, Open::String, 6),
        (r#"["x", "y]"#, Open::String, 6),
        (r#""x"#, Open::String, 0),
        (r#"{"a"#, Open::Key, 1),
        (r#"{"a": 1, b"#, Open::Key, 9),
        (r#"{"a""#, Open::Property, 1),
        (r#"{"a": 1, "b":"#, Open::Property, 12),
        (r#"{"a": 12"#, Open::Number, 6),
        (r#"{"a": 12. "#, Open::Number, 6),
        ("[1, -", Open::Number, 4),
        ("-", Open::Number, 0),
        ("2e+", Open::Number, 0),
        (r#"{"a": tru"#, Open::Literal, 6),
        (r#"{"a": Non"#, Open::Literal, 6),
        ("fa", Open::Literal, 0),
        ("[1, 2,", Open::Array, 5),
        (r#"{"a": [ "#, Open::Array, 6),
        (r#"{"a": 1,"#, Open::Object, 7),
        (r#"[{"a": 1}, {"#, Open::Object, 11),
        (r#"{"a": 1 /* the"#, Open::Comment, 8),
        ("<think>let me see {\"a\": 1}", Open::Reasoning, 0),
    ] {
        check(input, open, offset);
    }
}

#[test]
fn places_are_those_of_the_input() {
    check("Sure:\n```json\n{\"a\": \"b\n```", Open::String, 20);
    check("<think>hm</think>\n{'a': 1, 'b': [", Open::Array, 32);
}

#[test]
fn a_document_inside_a_cut_one_is_no_answer() {
    check(r#"[{"id": 1}, {"id": 2}, {"id": 3, "t": "zz"#, Open::String, 38);
}

#[test]
fn a_fence_left_open_is_no_truncation() {
    assert_eq!(repair("```json\n{\"a\": 1}").unwrap().rung, Rung::Fence);
}

#[test]
fn nothing_is_closed_in_a_reply_known_to_be_cut() {
    let cut = Options { cut: true, ..Options::default() };
    let error = repair_with(r#"{"a": ["b""#, &cut).unwrap_err();
    assert_eq!((error.kind(), error.open(), error.offset()), (ErrorKind::Truncated, Some(Open::Closer), 10));
    let error = repair_with(r#"{"a": ["b"],}"#, &cut).unwrap_err();
    assert_eq!((error.kind(), error.phase()), (ErrorKind::Truncated, Some(Phase::AfterValue)));
    assert_eq!(error.partial().unwrap().value, json!({"a": ["b"]}));
    let error = repair_with("I think", &cut).unwrap_err();
    assert_eq!((error.kind(), error.phase()), (ErrorKind::Truncated, Some(Phase::BeforeValue)));
    assert_eq!(repair(r#"{"a": ["b""#).unwrap().rung, Rung::CloseBraces);
}

#[test]
fn what_arrived_is_named_partial() {
    for (input, path, partial) in [
        (r#"{"a": 1, "b": "c"#, "/b", json!({"a": 1})),
        (r#"{"a": [{"x": 1}, {"y~/": [2, 3"#, "/a/1/y~0~1/1", json!({"a": [{"x": 1}, {"y~/": [2]}]})),
        ("{'a': True, 'b': [", "/b/0", json!({"a": true, "b": []})),
        ("[1, 2,", "/2", json!([1, 2])),
        (r#"{"a": {"b"#, "/a", json!({"a": {}})),
    ] {
        let error = repair(input).map(|repaired| repaired.text).unwrap_err();
        assert_eq!((error.phase(), error.path()), (Some(Phase::InValue), Some(path)), "{input}");
        assert_eq!(error.partial().map(|partial| partial.value), Some(partial), "{input}");
    }
    let error = repair("<think>{\"a\": 1}").unwrap_err();
    assert_eq!((error.phase(), error.partial()), (Some(Phase::InReasoning), None));
    let error = repair("{").unwrap_err();
    assert_eq!(error.partial().map(|partial| partial.value), Some(Value::Object(serde_json::Map::new())));
}
