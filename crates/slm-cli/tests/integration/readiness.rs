//! `slmcode readiness`, its `--fix` and its `--undo`.

use serde_json::{Value, json};

use crate::command::{Run, slmcode_with};
use crate::folder::Folder;
use crate::server::{Answer, reply, serve};

const PROSE: Answer = reply!(r#""Twenty-three.""#);
/// llama.cpp with two slots; the same answer to every GET.
const LLAMA: Answer = Answer::Http(
    200,
    "application/json",
    r#"{"object":"list","data":[{"id":"m","owned_by":"llamacpp"}],"build_info":"b1","total_slots":2,"default_generation_settings":{"n_ctx":65536}}"#,
);

struct Ready {
    folder: Folder,
    file: String,
    url: String,
}

impl Ready {
    fn new(name: &str, text: &str) -> Self {
        let folder = Folder::new(name);
        let file = folder.write("config.toml", text);
        Self { folder, file, url: serve(LLAMA, PROSE) }
    }

    fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, &[])
    }

    fn run_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Run {
        let fixed = [("SLMCODE_CONFIG", self.file.as_str()), ("SLMCODE_ENDPOINT", &self.url)];
        slmcode_with(&[&["readiness"], args].concat(), &[&fixed, variables].concat(), "")
    }
}

fn check<'a>(document: &'a Value, id: &str) -> &'a Value {
    document["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["id"] == id)
        .unwrap_or_else(|| panic!("no {id}: {document}"))
}

#[test]
fn each_check_has_weight_finding_and_fix() {
    let ready = Ready::new("readiness-checks", "structured_decoding = \"off\"\nllm_retry_count = 50\n");
    let run = ready.run(&["--json", "--temperature", "1.8", "--max-tokens", "10", "--extra", "{\"stop\": [\"}\"]}"]);
    let document = run.document();
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    let rows = document["checks"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["weight"].as_u64().unwrap()).sum::<u64>(), 100);
    let weak: Vec<&str> = rows.iter().filter(|row| row["ok"] == false).map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(
        weak,
        ["structured_decoding", "constraint", "max_tokens", "parallelism", "temperature", "stop_sequences", "retries"]
    );
    assert_eq!(document["score"], 25);
    assert!(rows.iter().all(|row| row["ok"] == row["fix"].is_null() && row["finding"].is_string()), "{document}");
    assert!(check(&document, "parallelism")["finding"].as_str().unwrap().contains("works on 2 at once"));
    let run = ready.run(&[]);
    assert!(run.stdout.contains("weak 10 parallelism") && run.stdout.contains("score 45 of 100"), "{run:?}");
    assert_eq!(ready.folder.names(), ["config.toml"], "nothing is changed unasked");
}

#[test]
fn fix_shows_the_difference_keeps_the_rest_and_can_be_undone() {
    let text = "# mine\nstructured_decoding = \"off\" # for now\nfuture = true\nmax_parallel = 9\n";
    let ready = Ready::new("readiness-fix", text);
    let run = ready.run(&["--fix"]);
    assert_eq!(run.code, 0, "{run:?}");
    let fixed = "# mine\nstructured_decoding = \"auto\" # for now\nfuture = true\nmax_parallel = 2\n";
    assert_eq!(ready.folder.read("config.toml"), fixed);
    let shown = " # mine\n-structured_decoding = \"off\" # for now\n+structured_decoding = \"auto\" # for now\n future = true\n\
                 -max_parallel = 9\n+max_parallel = 2\nwritten";
    assert!(run.stdout.contains(shown), "{}", run.stdout);
    let again = ready.run(&["--fix", "--json"]).document();
    assert_eq!(
        (&again["fixed"]["changes"], &check(&again, "parallelism")["ok"]),
        (&json!([]), &json!(true)),
        "{again}"
    );
    ready.folder.write("config.toml", &format!("{fixed}model = \"later\"\n"));
    let undone = ready.run(&["--undo", "--json"]);
    assert_eq!((undone.code, ready.folder.read("config.toml").as_str()), (0, text), "{undone:?}");
    assert!(ready.folder.read("config.toml.undone").contains("later"), "what was changed since is not lost");
    ready.run(&["--undo"]).fails(2, &["nothing to undo"]);
}

#[test]
fn what_stands_above_the_file_is_said_and_left() {
    let ready = Ready::new("readiness-above", "");
    let run = ready.run_with(&["--fix"], &[("SLMCODE_STRUCTURED_DECODING", "off")]);
    assert!(run.stdout.contains("SLMCODE_STRUCTURED_DECODING, which stands above the file"), "{run:?}");
    assert!(!ready.folder.read("config.toml").contains("structured_decoding"));
}

#[test]
fn it_scores_when_nothing_answers() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let run = slmcode_with(&["readiness", "clarify", "--json", "--endpoint", &url], &[], "");
    let document = run.document();
    assert_eq!((run.code, &check(&document, "endpoint")["ok"]), (0, &json!(false)), "{run:?}");
    assert!(check(&document, "endpoint")["fix"].is_string());
}
