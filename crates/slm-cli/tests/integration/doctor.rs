//! `slmcode doctor`.

use crate::command::slmcode;
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
