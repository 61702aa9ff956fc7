//! What each rung mends, and what it leaves alone.

use serde_json::{Value, json};
use slm_repair::{ErrorKind, Rung, repair};

#[track_caller]
fn check(input: &str, value: &Value, rung: Rung) {
    let repaired = repair(input).unwrap_or_else(|error| panic!("{input:?}: {error}"));
    assert_eq!((&repaired.value, repaired.rung), (value, rung), "{input:?} as {:?}", repaired.text);
    assert_eq!(serde_json::from_str::<Value>(&repaired.text).unwrap(), repaired.value, "text and value agree");
    assert_eq!(repaired.rungs.last().copied().unwrap_or(Rung::None), rung);
    assert!(repaired.rungs.is_sorted(), "{:?} is not in the order of the ladder", repaired.rungs);
}

#[track_caller]
fn refuse(input: &str, kind: ErrorKind) {
    match repair(input) {
        Ok(repaired) => panic!("{input:?} became {}", repaired.text),
        Err(error) => assert_eq!(error.kind(), kind, "{input:?}: {error}"),
    }
}

#[test]
fn none() {
    for input in ["{}", " [1, 2]\n", "true", "12", "\"a\"", r#"{"a": "```json\n{}\n```", "b": "{'x'}"}"#] {
        check(input, &serde_json::from_str(input).unwrap(), Rung::None);
    }
}

#[test]
fn fence() {
    let value = json!({"a": 1});
    for input in [
        "```json\n{\"a\": 1}\n```",
        "```\n{\"a\": 1}\n```\n",
        "```JSON {\"a\": 1}```",
        "~~~json\n{\"a\": 1}\n~~~",
        "Sure:\n\n```json\n{\"a\": 1}\n```\nAnything else {here}?",
        "> ```json\n> {\"a\": 1}\n> ```",
        "```json\n{\"a\": 1}\n",
        "Run it:\n```sh\nrun '{\"b\": 2}'\n```\nand get\n```json\n{\"a\": 1}\n```",
    ] {
        check(input, &value, Rung::Fence);
    }
    check("```json\n{\"a\": \"x```y\"}\n```", &json!({"a": "x```y"}), Rung::Fence);
}

#[test]
fn a_fence_in_a_string_is_no_fence() {
    check("{\"a\": \"```json\\n{}\\n```\",}", &json!({"a": "```json\n{}\n```"}), Rung::TrailingComma);
    check("It is {\"a\": \"```json\\n{}\\n```\"}.", &json!({"a": "```json\n{}\n```"}), Rung::Extract);
}

#[test]
fn extract() {
    let value = json!({"a": 1});
    for input in [
        "Here you are: {\"a\": 1}",
        "{\"a\": 1}\n\nLet me know if it doesn't suit you!",
        "The set {x | x > 0} is infinite. Answer: {\"a\": 1}",
        "Use {name} like this: {\"a\": 1}, and never [this]".strip_suffix(", and never [this]").unwrap(),
        "[INFO] done\n{\"a\": 1}",
        "`{\"a\": 1}`",
        "json\n{\"a\": 1}",
        "As in [1], {\"a\": 1}",
    ] {
        check(input, &value, Rung::Extract);
    }
}

#[test]
fn reasoning_is_no_answer() {
    let value = json!({"a": 1});
    for input in [
        "<think>maybe {\"a\": 0}?</think>{\"a\": 1}",
        "<thinking>it's ```json\n{\"a\": 0}\n```</thinking>\n{\"a\": 1}",
        "the opening tag was in the prompt: {\"a\": 0}\n</think>\n{\"a\": 1}",
        "<|channel|>analysis<|message|>{\"a\": 0}<|end|><|channel|>final<|message|>{\"a\": 1}",
    ] {
        check(input, &value, Rung::Extract);
    }
    check("<think>or false?</think> true", &json!(true), Rung::Extract);
    refuse("<think>{\"a\": 1}</think>", ErrorKind::NoJson);
}

#[test]
fn wrapper() {
    for input in [
        "<tool_call>\n{\"a\": 1}\n</tool_call>",
        "<r type=\"json\"><![CDATA[{\"a\": 1}]]></r>",
        "[TOOL_CALLS] {\"a\": 1}</s>",
        "<|python_tag|>{\"a\": 1}<|eom_id|>",
        "{{\"a\": 1}}",
    ] {
        check(input, &json!({"a": 1}), Rung::Wrapper);
    }
    check("functools[{\"a\": 1}]", &json!([{"a": 1}]), Rung::Extract);
    check("[TOOL_CALLS][{\"a\": 1}]", &json!([{"a": 1}]), Rung::Wrapper);
}

#[test]
fn jsonp() {
    check("callback({\"a\": 1});", &json!({"a": 1}), Rung::Jsonp);
    check("/* ok */ a.b(c(\"x\"))", &json!("x"), Rung::Jsonp);
    check("const x = {};", &json!({}), Rung::Jsonp);
    check("return [1, 2];", &json!([1, 2]), Rung::Jsonp);
    refuse("callback({}", ErrorKind::NoJson);
    refuse("dict([('a', 1)])", ErrorKind::Invalid);
}

#[test]
fn double_encoded() {
    check(r#"{\n  \"a\": [1, \"b\"]\n}"#, &json!({"a": [1, "b"]}), Rung::DoubleEncoded);
    check(r#"\"say \\\"hi\\\"\""#, &json!("say \"hi\""), Rung::DoubleEncoded);
    check(r#"{\"a\": True,}"#, &json!({"a": true}), Rung::PythonBools);
    refuse(r#"\"say \"#, ErrorKind::Truncated);
}

#[test]
fn comments() {
    for input in
        ["{\"a\": 1 /* one } */, // more\n \"b\": \"/* 2 */\"}", "# head\n{\"a\": 1, \"b\": \"/* 2 */\"} // tail"]
    {
        check(input, &json!({"a": 1, "b": "/* 2 */"}), Rung::Comments);
    }
    check("[1/* one */2]", &json!([1, 2]), Rung::MissingComma);
    refuse("{\"a\": 1, // the rest }", ErrorKind::Truncated);
    check("{\"u\": https://example.org/#a}", &json!({"u": "https://example.org/#a"}), Rung::UnquotedValues);
}

#[test]
fn ellipsis() {
    for input in ["[1, 2, ...]", "[1, ..., 2]", "[1, 2, …]", "[..., 1, 2]"] {
        check(input, &json!([1, 2]), Rung::Ellipsis);
    }
    check("{\"a\": 1, ... }", &json!({"a": 1}), Rung::Ellipsis);
    refuse("{...}", ErrorKind::Invalid);
}

#[test]
fn trailing_comma() {
    for (input, value) in [
        ("[1, 2, ]", json!([1, 2])),
        ("{\"a\": [1,],}", json!({"a": [1]})),
        ("{, \"a\": 1}", json!({"a": 1})),
        ("{\"a\": 1,, \"b\": 2}", json!({"a": 1, "b": 2})),
        ("4,", json!(4)),
        ("{\"a\": 1},", json!({"a": 1})),
    ] {
        check(input, &value, Rung::TrailingComma);
    }
    refuse("[1,, 2]", ErrorKind::Invalid);
}

#[test]
fn missing_comma() {
    for (input, value) in [
        ("{\"a\": 1 \"b\": \"x\" \"c\": []}", json!({"a": 1, "b": "x", "c": []})),
        ("[{\"a\": 1}\n{\"a\": 2}]", json!([{"a": 1}, {"a": 2}])),
        ("[1 true \"x\" \"y\"]", json!([1, true, "x", "y"])),
        ("{\"a\": 1; \"b\": 2}", json!({"a": 1, "b": 2})),
    ] {
        check(input, &value, Rung::MissingComma);
    }
    // Was the comma forgotten, or put into the string?
    refuse("[\"a,\" \"b\"]", ErrorKind::Ambiguous);
    refuse("{\"a\": \"x\" \"y\"}", ErrorKind::Invalid);
}

#[test]
fn missing_colon() {
    for input in ["{\"a\" 1}", "{\"a\" => 1}", "{\"a\" = 1}"] {
        check(input, &json!({"a": 1}), Rung::MissingColon);
    }
    check("{\"a\" {\"b\" \"c\"}}", &json!({"a": {"b": "c"}}), Rung::MissingColon);
    refuse("{\"a\", \"b\"}", ErrorKind::Invalid);
    refuse("{\"a\": }", ErrorKind::Invalid);
}

#[test]
fn quotes() {
    for (input, value) in [
        ("{'a': 'b'}", json!({"a": "b"})),
        ("{'a': 'say \"hi\"'}", json!({"a": "say \"hi\""})),
        ("{'a': 'it\\'s', 'b': \"it's\"}", json!({"a": "it's", "b": "it's"})),
        ("['don't', 'won't']", json!(["don't", "won't"])),
        ("{\"a\": `x \"y\"`}", json!({"a": "x \"y\""})),
        ("{\"a\": \"\"\"x\n\"y\" \"\"\"}", json!({"a": "x\n\"y\" "})),
        ("'a'", json!("a")),
    ] {
        let repaired = repair(input).unwrap_or_else(|error| panic!("{input:?}: {error}"));
        assert_eq!((&repaired.value, repaired.rungs.first()), (&value, Some(&Rung::Quotes)), "{input:?}");
    }
}

#[test]
fn smart_quotes() {
    check("{“a”: ‘b’}", &json!({"a": "b"}), Rung::SmartQuotes);
    check("｛＂a＂：［1，2］｝", &json!({"a": [1, 2]}), Rung::SmartQuotes);
    check("{\"a\": \"“b”\",}", &json!({"a": "“b”"}), Rung::TrailingComma);
    refuse("{\"a\": “he said \"x\"”}", ErrorKind::Ambiguous);
}

#[test]
fn inner_quotes() {
    for (input, value) in [
        ("{\"a\": \"he said \"hi\" to me\"}", json!({"a": "he said \"hi\" to me"})),
        (
            "{\"a\": \"<b id=\"x\">y</b>\", \"c\": \"find -name \"*.rs\"\"}",
            json!({"a": "<b id=\"x\">y</b>", "c": "find -name \"*.rs\""}),
        ),
        ("{\"a\": \"a 24\" screen\"}", json!({"a": "a 24\" screen"})),
        ("{\"k\": \"the \"x\", and \"y\"\", \"b\": 1}", json!({"k": "the \"x\", and \"y\"", "b": 1})),
        ("\"a [2\"] b\"", json!("a [2\"] b")),
    ] {
        check(input, &value, Rung::InnerQuotes);
    }
}

#[test]
fn missing_quotes() {
    for (input, value) in [
        ("[\"a\", b\"]", json!(["a", "b"])),
        ("{\"a:\"b\"}", json!({"a": "b"})),
        ("{\"a\": 1, b\": 2}", json!({"a": 1, "b": 2})),
        ("{\"a”: \"b\"}", json!({"a": "b"})),
        ("[\"a',\n \"b\"]", json!(["a", "b"])),
    ] {
        check(input, &value, Rung::MissingQuotes);
    }
}

#[test]
fn unquoted() {
    let value = json!({"a": 1, "b_2": [2], "3": 4, "true": 5, "c d": 6});
    check("{a: 1, b_2: [2], 3: 4, true: 5, c d: 6}", &value, Rung::UnquotedKeys);
    check("{a: word, b: [x, y]}", &json!({"a": "word", "b": ["x", "y"]}), Rung::UnquotedValues);
    check("{\"a\": src/main.rs}", &json!({"a": "src/main.rs"}), Rung::UnquotedValues);
    refuse("{True: 1}", ErrorKind::Invalid);
}

#[test]
fn concatenated_strings() {
    check("{\"a\": \"x\" + 'y' +\n \"z\"}", &json!({"a": "xyz"}), Rung::ConcatenatedStrings);
    check("\"x\" + /* and */ \"y\"", &json!("xy"), Rung::ConcatenatedStrings);
}

#[test]
fn what_has_two_readings_is_refused() {
    for input in [
        "{\"a\": \"b,\"c\": \"d\"}",
        "[\"a \"b\", \"c\" d\", \"e\"]",
        "{\"a\": “he said \"x\"”}",
        "{\"a\": hello world}",
        "{\"n\": NaN, \"m\": -Infinity}",
        "{\"n\": 10kg}",
        "{\"n\": 007}",
        "{\"a\": \"5 \\% off\"}",
        "{\"a\": \"x\u{1}y\"}",
    ] {
        let error = repair(input).map(|repaired| repaired.text).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Ambiguous | ErrorKind::Invalid), "{input:?}: {error}");
    }
}

#[test]
fn python_bools() {
    let value = json!({"a": true, "b": [false, null, null], "c": "True"});
    check("{\"a\": True, \"b\": [FALSE, None, NULL], \"c\": \"True\"}", &value, Rung::PythonBools);
    check("None", &Value::Null, Rung::PythonBools);
}

#[test]
fn tuples() {
    check("(1, \"a\", ())", &json!([1, "a", []]), Rung::Tuples);
    check("{\"a\": (1, 2)}", &json!({"a": [1, 2]}), Rung::Tuples);
    check("{\"a\": (1)}", &json!({"a": 1}), Rung::Tuples);
    refuse("{\"a\": (1, 2]}", ErrorKind::Invalid);
}

#[test]
fn numbers() {
    for (input, text) in [
        ("[+1, .5, -.5, 5., 0x1F, 1_000.5_0]", "[1, 0.5, -0.5, 5.0, 31, 1000.50]"),
        ("{\"n\": 0xffffffffffffffffff}", "{\"n\": 4722366482869645213695}"),
    ] {
        let repaired = repair(input).unwrap();
        assert_eq!((repaired.text.as_str(), repaired.rung), (text, Rung::Numbers));
    }
    refuse("{\"n\": 1.2.3}", ErrorKind::Invalid);
    refuse("{\"n\": 1e999}", ErrorKind::Invalid);
}

#[test]
fn control_chars() {
    check("{\"a\": \"x\n\ty\"}", &json!({"a": "x\n\ty"}), Rung::ControlChars);
    check("{\"a\": \"\u{1b}[0m\"}", &json!({"a": "\u{1b}[0m"}), Rung::ControlChars);
}

#[test]
fn bad_escapes() {
    let value = json!({"a": "\\d+ C:\\dir C:\\users won't A é"});
    check("{\"a\": \"\\d+ C:\\dir C:\\users won\\'t \\x41 \\u{e9}\"}", &value, Rung::BadEscapes);
    check("{\"a\": \"\\alpha\"}", &json!({"a": "\\alpha"}), Rung::BadEscapes);
    for input in ["{\"a\": \"\\u26\"}", "{\"a\": \"\\ud83d\"}"] {
        refuse(input, ErrorKind::Invalid);
    }
    refuse("{\"a\": \"x\\\ny\"}", ErrorKind::Ambiguous);
}

#[test]
fn odd_space() {
    for input in ["{\"a\":\u{a0}1\u{feff}}", "\u{feff}{\"a\": 1}\0"] {
        check(input, &json!({"a": 1}), Rung::OddSpace);
    }
}

#[test]
fn mismatched_closers() {
    for (input, value) in [
        ("{\"a\": [1, 2}", json!({"a": [1, 2]})),
        ("{\"a\": [{\"b\": \"c\"], \"d\": 1}", json!({"a": [{"b": "c"}], "d": 1})),
        ("[{\"a\": 1}}, {\"a\": 2}]", json!([{"a": 1}, {"a": 2}])),
        ("{\"a\": 2]", json!({"a": 2})),
        ("[2,}", json!([2])),
        ("{\"a\": 2}}}", json!({"a": 2})),
    ] {
        check(input, &value, Rung::MismatchedClosers);
    }
    refuse("{\"a\": {\"b\": 1]}", ErrorKind::Ambiguous);
    refuse("{\"x\": [1], \"y\": [{\"d\": \"0\"}}]}", ErrorKind::Ambiguous);
    refuse("[{\"a\":]", ErrorKind::Invalid);
}

#[test]
fn close_braces() {
    for (input, value) in [
        ("{\"a\": {\"b\": \"c\"", json!({"a": {"b": "c"}})),
        ("[[\"x\"]", json!([["x"]])),
        ("{\"a\": [null", json!({"a": [null]})),
        ("{\"a\": 12\n", json!({"a": 12})),
    ] {
        check(input, &value, Rung::CloseBraces);
    }
}

#[test]
fn rungs_add_up() {
    let repaired = repair("So:\n```json\n{'a': True, 'b': 'x\ty', 'c': ['d',\n```").unwrap_err();
    assert_eq!(repaired.kind(), ErrorKind::Truncated);
    let repaired = repair("So:\n```json\n{'a': True, 'b': 'x\ty', 'c': ['d',]\n```").unwrap();
    assert_eq!(repaired.value, json!({"a": true, "b": "x\ty", "c": ["d"]}));
    let rungs =
        [Rung::Fence, Rung::TrailingComma, Rung::Quotes, Rung::PythonBools, Rung::ControlChars, Rung::CloseBraces];
    assert_eq!(repaired.rungs, rungs);
}

#[test]
fn the_text_keeps_digits_and_order() {
    let repaired = repair("{'z': 1.10, 'a': 123456789012345678901234567890}").unwrap();
    assert_eq!(repaired.text, r#"{"z": 1.10, "a": 123456789012345678901234567890}"#);
}

#[test]
fn rungs_have_names() {
    assert_eq!(serde_json::to_value(Rung::TrailingComma).unwrap(), json!("trailing_comma"));
    assert_eq!(format!("{:>6}", Rung::Fence), " fence");
    assert!(Rung::None < Rung::Fence && Rung::CloseBraces < Rung::Coerce);
}
