//! `slmcode status`: what is set and what was learnt, without a word to the endpoint.

use serde_json::json;

use crate::command::{slmcode, slmcode_with};
use crate::echo;
use crate::folder::Folder;

#[test]
fn it_tells_the_connection_without_a_network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let secret = "a-secret-key";
    let variables = [("SLMCODE_ENDPOINT", url.as_str()), ("SLMCODE_MODEL", "m"), ("SLMCODE_API_KEY", secret)];
    let run = slmcode_with(&["status", "--json"], &variables, "");
    let document = run.document();
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_eq!(document["connection"]["endpoint"], format!("{url}/v1"));
    assert_eq!(
        (&document["connection"]["origin"], &document["connection"]["has_api_key"]),
        (&json!("environment"), &json!(true))
    );
    assert_eq!((&document["capabilities"], &document["stats"]["calls"]), (&json!([]), &json!(0)));
    assert!(!run.stdout.contains(secret));
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "nobody came");
    let run = slmcode(&["status"], "");
    assert!(run.code == 0 && run.stdout.contains("not set") && run.stdout.contains("slmcode doctor"), "{run:?}");
}

#[test]
fn what_calls_learnt_is_kept_and_added_up() {
    let (url, _) = echo::serve(|_| {});
    let folder = Folder::new("status-learnt");
    let cache = folder.path("cache");
    let variables = [("SLMCODE_CACHE_DIR", cache.as_str()), ("SLMCODE_ENDPOINT", &url)];
    let run = |args: &[&str]| slmcode_with(args, &variables, "");
    assert_eq!(run(&["ask", "clarify", "one"]).code, 0);
    assert_eq!(run(&["ask", "clarify", "prose", "--max-reasks", "0"]).code, 4);
    let (input, out) = (folder.write("in.txt", "fenced\nonce prose\n"), folder.path("out.jsonl"));
    assert_eq!(run(&["batch", "clarify", &input, &out]).code, 0);
    assert_eq!(run(&["batch", "clarify", &input, &out, "--resume"]).code, 0);
    let document = run(&["status", "--json"]).document();
    let stats = &document["stats"];
    assert_eq!((&stats["calls"], &stats["outcomes"]), (&json!(4), &json!({"invalid": 1, "value": 3})), "{document}");
    // Of replies, not of calls: one was asked for again.
    assert_eq!(
        stats["repairs"],
        json!({
            "valid": 2, "repaired": 1, "truncated": 0, "invalid": 2, "fixed_from_memory": 1, "fixed_by_round_trip": 1,
            "rungs": {"none": 2, "fence": 1}
        })
    );
    let known = &document["capabilities"][0];
    assert_eq!((&known["model"], &known["mechanisms"][4]["name"]), (&json!("m"), &json!("prompt_only")), "{document}");
    assert_ne!(known["mechanisms"][0]["state"], "untried", "{document}");
    let other = slmcode_with(&["status", "--json", "--endpoint", "http://127.0.0.1:9"], &variables, "").document();
    assert_eq!(
        (&other["capabilities"], &other["stats"]["calls"]),
        (&json!([]), &json!(0)),
        "each endpoint has its own"
    );
    let shown = run(&["status"]).stdout;
    for line in [
        "outcomes: invalid 1 · value 3",
        "replies: valid 2 · repaired 1 · invalid (reask) 2",
        "rungs: none 2 · fence 1",
        "fixed: from memory 1 · by a round trip 1",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
    std::fs::write(folder.path("cache/stats.json"), "{ damaged").unwrap();
    assert_eq!(run(&["status", "--json"]).document()["stats"]["calls"], 0);
}
