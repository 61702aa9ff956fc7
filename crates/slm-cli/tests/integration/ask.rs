//! `slmcode ask` against servers that behave, and servers that do not.

use crate::command::{Run, slmcode, slmcode_with};
use crate::server::{Answer, MODELS, reply, serve};

const CLARIFY: Answer = reply!(r#""{\"needs_clarification\":false,\"questions\":[]}""#);

fn ask(url: &str, more: &[&str]) -> Run {
    slmcode(&[&["ask", "clarify", "Make it faster", "--endpoint", url], more].concat(), "")
}

/// A URL that nothing listens on.
fn dead() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    format!("http://{}/v1", listener.local_addr().expect("an address"))
}

#[test]
fn the_value_is_on_stdout_and_the_rest_on_stderr() {
    let run = ask(&serve(MODELS, CLARIFY), &["--mechanism", "prompt_only"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.document(), serde_json::json!({"needs_clarification": false, "questions": []}));
    assert!(run.stderr.contains("prompt_only · rung none · 7 tokens"), "{run:?}");
}

#[test]
fn json_is_one_document_in_the_words_of_the_design() {
    let run = ask(&serve(MODELS, CLARIFY), &["--mechanism", "prompt_only", "--json"]);
    let document = run.document();
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_eq!(document["outcome"], "value");
    assert_eq!(document["mechanism"], "prompt_only");
    assert_eq!(document["rung"], "none");
    assert_eq!(document["answer_source"], "content");
    assert_eq!(document["finish_reason"], "stop");
    assert_eq!(document["usage"]["completion_tokens"], 7);
    assert_eq!(document["attempts"][0]["status"], 200);
    assert_eq!(document["report"][0]["tier"], "validator");
    assert!(document.get("violations").is_none() && document.get("phase").is_none(), "{document}");
}

#[test]
fn a_server_that_ignores_every_constraint_is_asked_by_prompt_alone() {
    let prose = reply!(r#""Sure! {\"needs_clarification\":false,\"questions\":[]}""#);
    let run = ask(&serve(MODELS, prose), &["--json"]);
    let document = run.document();
    assert_eq!((run.code, &document["mechanism"], &document["rung"]), (0, &"prompt_only".into(), &"extract".into()));
}

#[test]
fn each_ending_has_its_exit_code() {
    let invalid = reply!(r#""{\"needs_clarification\":\"perhaps\"}""#);
    let prose = reply!(r#""I would rather talk about the weather.""#);
    let cut = reply!(r#""{\"needs_clarification\":true,\"questions\":[\"Which""#);
    let empty = reply!(r#""""#);
    for (answer, code, outcome) in
        [(invalid, 4, "invalid"), (prose, 4, "invalid"), (cut, 3, "truncated"), (empty, 3, "empty")]
    {
        let flags = ["--mechanism", "prompt_only", "--max-reasks", "0"];
        let url = serve(MODELS, answer);
        let run = ask(&url, &[&flags[..], &["--json"]].concat());
        assert_eq!((run.code, &run.document()["outcome"]), (code, &outcome.into()), "{run:?}");
        let run = ask(&url, &flags);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{run:?}");
        assert!(run.stderr.starts_with("error: "), "{run:?}");
    }
}

#[test]
fn a_refusal_is_called_one() {
    let body =
        r#"{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"I cannot help with that."}}]}"#;
    let url = serve(MODELS, Answer::Http(200, "application/json", body));
    let run = ask(&url, &["--mechanism", "prompt_only", "--json"]);
    assert_eq!((run.code, &run.document()["outcome"]), (5, &"refused".into()), "{run:?}");
}

#[test]
fn a_dead_port_is_one_line_with_the_way_out() {
    let url = dead();
    let run = ask(&url, &[]);
    run.fails(1, &[url.trim_end_matches("/v1"), "start"]);
    let document = ask(&url, &["--json"]).document();
    assert_eq!((&document["outcome"], &document["error"]["class"]), (&"error".into(), &"transient".into()));
}

#[test]
fn a_server_that_wants_a_key_says_where_the_key_goes() {
    let refused = Answer::Http(401, "application/json", r#"{"error":{"message":"Invalid API Key","code":401}}"#);
    let url = serve(refused, refused);
    ask(&url, &[]).fails(1, &["401", "SLMCODE_API_KEY"]);
    let secret = "sk-very-secret";
    let run = slmcode_with(&["ask", "clarify", "x", "--endpoint", &url, "--json"], &[("SLMCODE_API_KEY", secret)], "");
    assert_eq!((run.code, &run.document()["error"]["status"]), (1, &401.into()), "{run:?}");
    assert!(!run.stdout.contains(secret) && !run.stderr.contains(secret), "{run:?}");
}

#[test]
fn what_is_no_api_is_said_to_be_none() {
    let html = Answer::Http(200, "text/html", "<!doctype html><title>Router login</title>");
    ask(&serve(html, html), &[]).fails(1, &["text/html", "http://127.0.0.1"]);
    let garbage = Answer::Raw(b"\x00\xff\xfe not http at all\r\n\r\n");
    ask(&serve(garbage, garbage), &[]).fails(1, &["http://127.0.0.1"]);
    let text = Answer::Http(200, "application/json", "{\"choices\": [");
    ask(&serve(MODELS, text), &[]).fails(1, &["http://127.0.0.1"]);
}

#[test]
fn a_silent_server_ends_at_the_time_out() {
    let run = ask(&serve(Answer::Silence, Answer::Silence), &["--timeout", "1"]);
    run.fails(1, &["http://127.0.0.1", "--timeout"]);
}

#[test]
fn usage_errors_name_the_way_out_before_anything_is_sent() {
    let url = dead();
    ask_words(&["ask", "reveiw", "x", "--endpoint", &url], &["reveiw", "review", "scope_judge", "lessons"]);
    ask_words(&["ask", "plan", "  ", "--endpoint", &url], &["prompt is empty"]);
    ask_words(&["ask", "plan", "-", "--endpoint", &url], &["prompt is empty"]);
    ask_words(&["ask", "plan", "--endpoint", &url], &["CONTRACT PROMPT"]);
    ask_words(&["ask", "plan", "x", "--endpoint", "ftp://example"], &["http"]);
    ask_words(&["ask", "plan", "x", "--endpoint", &url, "--mechanism", "magic"], &["magic", "gbnf_grammar"]);
    ask_words(&["ask", "plan", "x", "--endpoint", &url, "--provider", "magic"], &["magic", "llama_cpp"]);
    ask_words(&["ask", "plan", "x", "--endpoint", &url, "--timeout", "0"], &["--timeout"]);
    ask_words(&["ask", "plan", "x", "--endpoint", &url, "--extra", "[1]"], &["--extra"]);
    ask_words(&["ask", "plan", "x", "--endpoint", &url, "--header", "oops"], &["--header"]);
}

#[track_caller]
fn ask_words(args: &[&str], words: &[&str]) {
    slmcode(args, "").fails(2, words);
    let document = slmcode(&[args, &["--json"]].concat(), "").document();
    assert_eq!((&document["outcome"], &document["error"]["class"]), (&"error".into(), &"usage".into()), "{document}");
}

#[test]
fn structured_decoding_off_forces_the_floor() {
    let url = serve(MODELS, CLARIFY);
    let args = ["ask", "clarify", "x", "--endpoint", &url, "--json"];
    let run = slmcode_with(&args, &[("SLMCODE_STRUCTURED_DECODING", "off")], "");
    let document = run.document();
    assert_eq!(
        (&document["mechanism"], document["attempts"].as_array().map(Vec::len)),
        (&"prompt_only".into(), Some(1))
    );
    let run = slmcode_with(&args, &[("SLMCODE_STRUCTURED_DECODING", "maybe")], "");
    assert_eq!((run.code, &run.document()["error"]["class"]), (2, &"usage".into()), "{run:?}");
}

#[test]
fn a_schema_of_the_users_takes_the_place_of_a_contract() {
    let folder = std::env::temp_dir().join(format!("slmcode-ask-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("my answer.json");
    std::fs::write(&file, r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#)
        .unwrap();
    let url = serve(MODELS, reply!(r#""{\"n\": 4}""#));
    let args =
        ["ask", "--schema", file.to_str().unwrap(), "How many?", "--endpoint", &url, "--mechanism", "json_schema"];
    let run = slmcode(&args, "");
    assert_eq!((run.code, run.document()), (0, serde_json::json!({"n": 4})), "{run:?}");
    std::fs::write(&file, r#"{"type": "object", "properties": {"n": {"type": "integer", "multiplOf": 2}}}"#).unwrap();
    slmcode(&args, "").fails(2, &["my answer.json", "/properties/n", "multiplOf"]);
    std::fs::remove_dir_all(&folder).unwrap();
}
