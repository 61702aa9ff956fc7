//! `slmcode doctor`.

use crate::command::{slmcode, slmcode_with};
use crate::server::{Answer, MODELS, reply, serve};

#[test]
fn all_five_mechanisms_are_reported_with_what_was_seen() {
    let url = serve(MODELS, reply!(r#""Twenty-three.""#));
    let document = slmcode(&["doctor", "--endpoint", &url, "--json"], "").document();
    assert_eq!(document["reachable"], true);
    assert_eq!(document["selected"], "prompt_only");
    assert_eq!(document["connection"]["model"], "m");
    let states: Vec<(&str, &str)> = document["mechanisms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| (each["name"].as_str().unwrap(), each["state"].as_str().unwrap()))
        .collect();
    assert_eq!(
        states[..4],
        [
            ("json_schema", "ignored"),
            ("guided_json", "ignored"),
            ("gbnf_grammar", "ignored"),
            ("json_object", "ignored")
        ]
    );
    assert_eq!(states[4].0, "prompt_only");
    assert!(document["causes"].as_array().is_some_and(|causes| !causes.is_empty()), "{document}");
    let run = slmcode(&["doctor", "--endpoint", &url], "");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("gbnf_grammar  ignored"), "{run:?}");
}

#[test]
fn what_the_server_said_to_a_rejected_mechanism_is_shown() {
    let body = r#"{"error":{"message":"response_format is not supported here","type":"invalid_request_error"}}"#;
    let url = serve(MODELS, Answer::Http(400, "application/json", body));
    let document = slmcode(&["doctor", "--endpoint", &url, "--json"], "").document();
    assert_eq!(document["mechanisms"][0]["state"], "rejected", "{document}");
    assert!(document["mechanisms"][0]["detail"].as_str().unwrap().contains("not supported here"), "{document}");
}

#[test]
fn it_is_useful_when_nothing_answers() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let run = slmcode(&["doctor", "--endpoint", &url], "");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("does not answer") && run.stdout.contains("note "), "{run:?}");
    let document = slmcode(&["doctor", "--endpoint", &url, "--json"], "").document();
    assert_eq!((&document["reachable"], &document["selected"]), (&false.into(), &"prompt_only".into()));
    assert_eq!(document["mechanisms"].as_array().map(Vec::len), Some(5));
}

#[test]
fn what_is_learnt_is_kept_unless_it_is_refreshed() {
    let folder = std::env::temp_dir().join(format!("slmcode-doctor-{}", std::process::id()));
    let url = serve(MODELS, reply!(r#""{\"zq\": true}""#));
    let variables = [("SLMCODE_CACHE_DIR", folder.to_str().unwrap())];
    let doctor = |more: &[&str]| {
        slmcode_with(&[&["doctor", "--json", "--endpoint", &url], more].concat(), &variables, "").document()
    };
    assert_eq!(doctor(&[])["mechanisms"][0]["state"], "enforced");
    let file = folder.join("capabilities.json");
    let forged = std::fs::read_to_string(&file).unwrap().replace("a probe obeyed it", "so it was");
    std::fs::write(&file, forged).unwrap();
    assert_eq!(doctor(&[])["mechanisms"][0]["detail"], "so it was");
    assert_eq!(doctor(&["--refresh"])["mechanisms"][0]["detail"], "a probe obeyed it");
    assert_eq!(doctor(&[])["mechanisms"][0]["detail"], "a probe obeyed it");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_contract_is_told_what_it_would_get_there() {
    let url = serve(MODELS, reply!(r#""{\"zq\": true}""#));
    let document = slmcode(&["doctor", "review", "--endpoint", &url, "--json"], "").document();
    let contract = &document["contract"];
    assert_eq!((&contract["name"], &contract["mechanism"]), (&"review".into(), &document["selected"]), "{document}");
    assert!(contract["report"].as_array().is_some_and(|report| !report.is_empty()), "{document}");
    let schema = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
    let run = slmcode(&["doctor", "--schema", "-", "--endpoint", &url], schema);
    assert!(run.stdout.contains("contract   schema by json_schema: "), "{run:?}");
    assert!(
        run.stdout.contains("\"\" `additionalProperties`: grammar_stricter"),
        "the rules that are not the grammar's own: {run:?}"
    );
    slmcode(&["doctor", "reveiw", "--endpoint", &url], "").fails(2, &["reveiw", "review"]);
}

#[test]
fn where_the_window_is_cut_silently_is_said_with_the_fix() {
    let url = serve(MODELS, reply!(r#""Twenty-three.""#));
    let run = slmcode(&["doctor", "--endpoint", &url, "--provider", "ollama"], "");
    assert!(run.stdout.contains("without a word") && run.stdout.contains("OLLAMA_CONTEXT_LENGTH"), "{run:?}");
    let document = slmcode(&["doctor", "--endpoint", &url, "--json"], "").document();
    assert_eq!(document["connection"].get("window_cut_silently"), None);
}
