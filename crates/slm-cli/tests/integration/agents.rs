//! `slmcode agents check`: what is printed, and the exit codes.

use serde_json::Value;

use crate::command::slmcode;
use crate::folder::Folder;

const CLEAN: &str = "id: placeholder\nprompt: Say in `summary` what you did, and set `ok`.\n";

fn check(folder: &Folder, more: &[&str]) -> crate::command::Run {
    let path = folder.path(".");
    slmcode(&[&["agents", "check", &path], more].concat(), "")
}

#[test]
fn a_clean_folder_ends_well() {
    let folder = Folder::new("agents-clean");
    folder.write("a.yaml", CLEAN);
    let run = check(&folder, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run:?}");
    assert!(run.stderr.contains("agents: 1, faults: none, warnings: 0"), "{run:?}");
    let document = check(&folder, &["--json"]).document();
    assert_eq!(document["outcome"], "ok");
    assert_eq!(document["agents"][0]["contract"], "placeholder");
    assert_eq!(document["findings"], Value::Array(Vec::new()));
}

#[test]
fn a_mismatch_is_four_and_names_its_place() {
    let folder = Folder::new("agents-mismatch");
    folder.write("a.yaml", "id: placeholder\nprompt: |\n  Set `ok` to true.\n  Then fill `sumary`.\n");
    let run = check(&folder, &[]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(run.stdout.contains("a.yaml:4:14: the prompt promises `sumary`"), "{run:?}");
    assert!(run.stdout.contains("did you mean `summary`?"), "{run:?}");
    let run = check(&folder, &["--json"]);
    let document = run.document();
    assert_eq!((run.code, document["outcome"].as_str(), run.stderr.as_str()), (4, Some("mismatch"), ""));
    let warning = &document["findings"][0];
    assert_eq!((warning["severity"].as_str(), warning["kind"].as_str()), (Some("warning"), Some("unmentioned_field")));
    let finding = &document["findings"][1];
    assert_eq!((finding["severity"].as_str(), finding["kind"].as_str()), (Some("error"), Some("unknown_field")));
    assert_eq!((finding["line"].as_u64(), finding["column"].as_u64()), (Some(4), Some(14)));
    assert_eq!((finding["nearest"].as_str(), finding["agent"].as_str()), (Some("summary"), Some("placeholder")));
    assert!(finding["file"].as_str().unwrap().ends_with("a.yaml"));
}

#[test]
fn warnings_alone_are_no_fault() {
    let folder = Folder::new("agents-warning");
    folder.write("a.yaml", "id: placeholder\nprompt: Say in `summary` what you did.\n");
    let run = check(&folder, &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.starts_with("warning: ") && run.stdout.contains("`ok`"), "{run:?}");
}

#[test]
fn a_file_that_is_not_sound_is_two_whatever_else_is_found() {
    let folder = Folder::new("agents-unsound");
    folder.write("a.yaml", "id: placeholder\nprompt: Set `sumary` and `ok`.\ntols: [read]\n");
    folder.write("b.yaml", CLEAN);
    let run = check(&folder, &["--json"]);
    let document = run.document();
    assert_eq!((run.code, document["error"]["class"].as_str()), (2, Some("configuration")), "{run:?}");
    let kinds: Vec<&str> =
        document["findings"].as_array().unwrap().iter().map(|found| found["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["unmentioned_field", "unknown_field", "unknown_key", "duplicate_id"]);
    assert_eq!(document["findings"][2]["nearest"], "tools");
}

#[test]
fn one_fault_is_one_line() {
    slmcode(&["agents", "check", "/no/such/folder"], "").fails(2, &["/no/such/folder", "cannot be read"]);
    let folder = Folder::new("agents-one");
    let file = folder.write("a.yaml", "id: plan\ntools: [grpe]\n");
    slmcode(&["agents", "check", &file], "").fails(2, &["a.yaml:2:9", "grpe", "did you mean `grep`?"]);
    assert_eq!(slmcode(&["agents", "check", "/no/such/folder", "--json"], "").document()["outcome"], "error");
}

#[test]
fn tools_come_from_a_file() {
    let folder = Folder::new("agents-tools");
    folder.write("a.yaml", "id: plan\ntools: [query_db]\n");
    let object = r#"{"type": "object", "properties": {}}"#;
    let array = format!(r#"[{{"type": "function", "function": {{"name": "query_db", "parameters": {object}}}}}]"#);
    let tools = folder.write("tools.json", &array);
    assert_eq!(check(&folder, &[]).code, 2);
    let run = check(&folder, &["--tools", &tools]);
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn the_agents_of_the_crate_are_clean() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../slm-agents/agents");
    let run = slmcode(&["agents", "check", folder], "");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run:?}");
}
