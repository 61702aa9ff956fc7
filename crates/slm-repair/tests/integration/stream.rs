//! Replies that arrive in pieces.

use serde_json::{Value, json};
use slm_repair::{StreamScanner, StreamStatus};

fn fed(text: &str) -> StreamStatus {
    StreamScanner::new().feed(text.as_bytes())
}

fn partial(text: &str) -> Option<Value> {
    let mut scanner = StreamScanner::new();
    scanner.feed(text.as_bytes());
    scanner.partial()
}

#[test]
fn the_root_is_complete_where_it_closes() {
    for (text, root) in [
        ("{\"a\": [1, {\"b\": \"}\\\"\"}]}\n\n", "{\"a\": [1, {\"b\": \"}\\\"\"}]}"),
        ("\u{feff} \n[]", "\u{feff} \n[]"),
        ("```json\n{\"a\": 1}\n```", "```json\n{\"a\": 1}"),
        ("<think>{\"a\": 0}? no</think>\n{\"a\": 1}!", "<think>{\"a\": 0}? no</think>\n{\"a\": 1}"),
        ("maybe {\"a\": 0}\n</think>{\"a\": 1}", "maybe {\"a\": 0}\n</think>{\"a\": 1}"),
        ("{\"a\": \"</think>\"}", "{\"a\": \"</think>\"}"),
        ("\"a}\" ", "\"a}\""),
        ("-12.5e3\n", "-12.5e3"),
    ] {
        let status = fed(text);
        assert_eq!((status.complete, status.led_by_prose), (Some(root.len()), false), "{text:?}");
    }
}

#[test]
fn prose_before_the_root_is_told() {
    let status = fed("The set {x} and [see]: {\"a\": 1}");
    assert_eq!((status.complete, status.led_by_prose, status.damaged), (Some(31), true, false));
}

#[test]
fn open_and_damaged_roots_are_not_complete() {
    for text in ["", "{", "{\"a\": \"}", "[1, 2", "12", "tru", "{'a': 1}", "{\"a\": 1]}", "<think>{}", "{\"a\": 1,}"] {
        assert_eq!(fed(text).complete, None, "{text:?}");
    }
    assert!(fed("{'a': 1}").damaged);
}

#[test]
fn white_space_that_runs_away_is_counted() {
    let status = fed(&format!("{{\"a\":{}", "\n ".repeat(500)));
    assert_eq!(status.white_run, 1000);
    assert_eq!(fed("{\"a\": \"          ").white_run, 0);
    assert_eq!(fed("{\"a\": 1}\n\n\n").white_run, 3);
}

#[test]
fn depth_is_bounded() {
    assert!(fed(&"[".repeat(1 << 20)).too_deep);
    assert!(!fed(&"[".repeat(127)).too_deep);
    assert!(StreamScanner::with_max_depth(2).feed(b"[[[").too_deep);
}

#[test]
fn partial_values() {
    for (text, value) in [
        ("{\"a\": \"b", json!({"a": "b"})),
        ("{\"a\": \"b\\", json!({"a": "b"})),
        ("{\"a\": \"\\ud83d\\ude", json!({"a": ""})),
        ("{\"a\": \"x\ny", json!({"a": "x\ny"})),
        ("{\"a\": 1, \"b", json!({"a": 1})),
        ("{\"a\": 1, \"b\": tru", json!({"a": 1})),
        ("{\"a\": [12, 34", json!({"a": [12]})),
        ("{\"a\": 1} and", json!({"a": 1})),
        ("[{", json!([{}])),
        ("Well: [\"x\", ", json!(["x"])),
    ] {
        assert_eq!(partial(text), Some(value), "{text:?}");
    }
    for text in ["", "words", "<think>[1, 2]", "12"] {
        assert_eq!(partial(text), None, "{text:?}");
    }
}

#[test]
fn where_the_pieces_are_split_makes_no_difference() {
    for text in [
        "<think>é {</think> ```json\n{\"é\": \"\\u00e9 “😀”\", \"b\": [true, null, -1.5e+3]}\n```",
        "so: {x} {\"a\": [1, 2]} or </think> {\"b\": \"c\"}  ",
        "{'a': \"  \", 2}   ",
    ] {
        let whole = fed(text);
        let mut bytewise = StreamScanner::new();
        for byte in text.as_bytes() {
            bytewise.feed(std::slice::from_ref(byte));
            // Any state may be shown; what is shown is a value or nothing.
            let _shown = bytewise.partial();
        }
        assert_eq!(bytewise.status(), whole, "{text:?}");
        assert_eq!(bytewise.partial(), partial(text), "{text:?}");
    }
}
