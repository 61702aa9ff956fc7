//! `slmcode batch`: lines in, lines out, whatever happens in between.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex};

use serde_json::{Value, json};

use crate::command::{Run, command, slmcode};
use crate::echo;
use crate::folder::Folder;

/// A batch over a file of this folder, against this server.
fn batch(folder: &Folder, url: &str, input: &str, more: &[&str]) -> Run {
    let (input, out) = (folder.path(input), folder.path("out.jsonl"));
    let fixed =
        ["batch", "clarify", &input, &out, "--endpoint", url, "--mechanism", "prompt_only", "--max-reasks", "0"];
    slmcode(&[&fixed, more].concat(), "")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn questions(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["value"]["questions"][0].as_str().unwrap_or("-")).collect()
}

/// `count` prompts `q1`, `q2`, …
fn prompts(count: usize) -> String {
    let lines: Vec<String> =
        (1..=count).map(|n| json!({"prompt": format!("q{n}"), "id": format!("id-{n}")}).to_string()).collect();
    lines.join("\n")
}

#[test]
fn each_line_is_answered_in_order_and_failures_are_lines_too() {
    let (url, _) = echo::serve(|_| {});
    let folder = Folder::new("batch-lines");
    folder.write(
        "in.jsonl",
        "{\"prompt\": \"one\", \"id\": 7}\n\n{\"prompt\": \"prose\"}\nno json\n{\"promt\": \"x\"}\n{\"prompt\": \" \"}\n\
         {\"prompt\": \"cut\", \"id\": \"c\"}\n{\"prompt\": \"last\", \"system\": \"Be kind.\", \"more\": 1}",
    );
    let run = batch(&folder, &url, "in.jsonl", &[]);
    assert_eq!((run.code, run.stdout.as_str()), (6, ""), "{run:?}");
    let out = lines(&folder.read("out.jsonl"));
    let seen: Vec<(&Value, &str)> = out.iter().map(|line| (&line["id"], line["outcome"].as_str().unwrap())).collect();
    assert_eq!(
        seen,
        [
            (&json!(7), "value"),
            (&json!(3), "invalid"),
            (&json!(4), "error"),
            (&json!(5), "error"),
            (&json!(6), "error"),
            (&json!("c"), "truncated"),
            (&json!(8), "value")
        ]
    );
    assert_eq!((questions(&out)[0], questions(&out)[6]), ("one", "last"));
    assert_eq!((&out[0]["mechanism"], &out[0]["usage"]["completion_tokens"]), (&json!("prompt_only"), &json!(3)));
    assert!(
        run.stderr.contains("7 lines") && run.stderr.contains("error 3 · invalid 1 · truncated 1 · value 2"),
        "{run:?}"
    );
    assert!(run.stderr.contains("mechanisms: prompt_only 4") && run.stderr.contains("12 of replies"), "{run:?}");
}

#[test]
fn all_values_is_success_and_json_is_one_summary() {
    let (url, _) = echo::serve(|_| {});
    let folder = Folder::new("batch-json");
    folder.write("in.jsonl", &prompts(5));
    let run = batch(&folder, &url, "in.jsonl", &["--json"]);
    let summary = run.document();
    assert_eq!((run.code, run.stderr.as_str(), &summary["lines"]), (0, "", &json!(5)), "{run:?}");
    assert_eq!((&summary["failures"], &summary["outcomes"]["value"]), (&json!(0), &json!(5)));
    assert_eq!(questions(&lines(&folder.read("out.jsonl"))), ["q1", "q2", "q3", "q4", "q5"]);
}

#[test]
fn standard_streams_text_and_csv_are_taken() {
    let (url, _) = echo::serve(|_| {});
    let fixed = ["batch", "clarify", "-", "-", "--endpoint", &url, "--mechanism", "prompt_only"];
    let run = slmcode(&fixed, "\u{feff}first thing\n\n  second thing  \r\n");
    assert_eq!(run.code, 0, "{run:?}");
    let out = lines(&run.stdout);
    assert_eq!((questions(&out), &out[1]["id"]), (vec!["first thing", "second thing"], &json!(3)));
    let run = slmcode(&[&fixed[..], &["--json"]].concat(), "{\"prompt\": \"a\"}\n");
    assert_eq!((questions(&lines(&run.stdout)), run.stderr.as_str()), (vec!["a"], ""), "{run:?}");
    let csv = "id,title,system\nx1,\"a, \"\"b\"\"\nc\",Be kind.\n,second,\n";
    let run = slmcode(&[&fixed[..], &["--column", "title"]].concat(), csv);
    let out = lines(&run.stdout);
    assert_eq!(questions(&out), ["a, \"b\"\nc", "second"], "{run:?}");
    assert_eq!((&out[0]["id"], &out[1]["id"]), (&json!("x1"), &json!(2)));
    slmcode(&[&fixed[..], &["--column", "titel"]].concat(), csv).fails(2, &["titel", "id, title, system"]);
}

#[test]
fn no_more_calls_than_allowed_are_on_their_way() {
    let (url, seen) = echo::serve(|_| {});
    let folder = Folder::new("batch-parallel");
    folder.write("in.jsonl", &prompts(40));
    assert_eq!(batch(&folder, &url, "in.jsonl", &["--max-parallel", "3"]).code, 0);
    assert!((1..=3).contains(&seen.most.load(Ordering::SeqCst)), "{seen:?}");
}

/// Holds one prompt back until it is let go.
#[derive(Debug, Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let _open = self.opened.wait_while(self.open.lock().unwrap(), |open| !*open).unwrap();
    }
}

#[test]
fn a_slow_line_holds_up_the_order_or_nothing_at_all() {
    for (as_finished, first) in [(false, "q1"), (true, "q2")] {
        let gate = Arc::new(Gate::default());
        let server = Arc::clone(&gate);
        // The first line's answer waits for the last line's request.
        let (url, _) = echo::serve(move |prompt| match prompt {
            "q1" => server.pass(),
            "q4" => server.open(),
            _ => {}
        });
        let folder = Folder::new(&format!("batch-order-{as_finished}"));
        folder.write("in.jsonl", &prompts(4));
        let more: &[&str] =
            if as_finished { &["--as-finished", "--max-parallel", "2"] } else { &["--max-parallel", "2"] };
        assert_eq!(batch(&folder, &url, "in.jsonl", more).code, 0);
        let out = lines(&folder.read("out.jsonl"));
        assert_eq!((out.len(), questions(&out)[0]), (4, first));
        if as_finished {
            let again = batch(&folder, &url, "in.jsonl", &["--as-finished", "--resume"]);
            assert!(again.code == 0 && again.stderr.contains("4 lines, 4 of them earlier"), "{again:?}");
            assert_eq!(lines(&folder.read("out.jsonl")).len(), 4, "nothing is repeated");
            batch(&folder, &url, "in.jsonl", &["--resume"]).fails(2, &["--as-finished"]);
        }
    }
}

fn start(folder: &Folder, url: &str) -> Child {
    let (input, out) = (folder.path("in.jsonl"), folder.path("out.jsonl"));
    let args = ["batch", "clarify", &input, &out, "--endpoint", url, "--mechanism", "prompt_only", "--resume"];
    let mut command = command(&[&args[..], &["--max-parallel", "4"]].concat(), &[]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("slmcode starts")
}

/// Killed whenever a chosen number of requests has come in: at any moment of reading, calling and writing.
#[test]
fn nothing_is_lost_and_nothing_repeated_over_twenty_kills() {
    let victim: Arc<Mutex<Option<Child>>> = Arc::default();
    let kills = Arc::new(Mutex::new((0_u32, 0_u32)));
    let (killer, counts) = (Arc::clone(&victim), Arc::clone(&kills));
    let (url, seen) = echo::serve(move |_| {
        let mut counts = counts.lock().unwrap();
        counts.1 += 1;
        // Irregular, and the same in every run.
        if counts.0 < 20
            && counts.1 > 3 + counts.0 * 7 % 13
            && let Some(mut child) = killer.lock().unwrap().take()
        {
            child.kill().unwrap();
            child.wait().unwrap();
            *counts = (counts.0 + 1, 0);
        }
    });
    let folder = Folder::new("batch-killed");
    folder.write("in.jsonl", &prompts(200));
    while kills.lock().unwrap().0 < 20 {
        let before = kills.lock().unwrap().0;
        let mut child = start(&folder, &url);
        let mut stderr = child.stderr.take().unwrap();
        *victim.lock().unwrap() = Some(child);
        // Its standard error ends when it does.
        let mut said = String::new();
        stderr.read_to_string(&mut said).unwrap();
        assert!(kills.lock().unwrap().0 > before, "it ended before it was killed: {said}");
    }
    let last = start(&folder, &url).wait_with_output().unwrap();
    assert_eq!(last.status.code(), Some(0), "{}", String::from_utf8_lossy(&last.stderr));
    let out = lines(&folder.read("out.jsonl"));
    let expected: Vec<String> = (1..=200).map(|n| format!("q{n}")).collect();
    assert_eq!(questions(&out), expected);
    let ids: BTreeSet<&str> = out.iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 200);
    // Four at once, twenty kills: no more than those in flight were asked twice.
    assert!(seen.prompts.lock().unwrap().len() <= 200 + 20 * 8, "{}", seen.prompts.lock().unwrap().len());
}

#[test]
fn a_last_line_that_was_cut_goes_and_a_whole_one_stays() {
    let (url, seen) = echo::serve(|_| {});
    let folder = Folder::new("batch-cut");
    folder.write("in.jsonl", &prompts(3));
    folder.write(
        "out.jsonl",
        "{\"id\":\"id-1\",\"outcome\":\"value\",\"value\":{\"questions\":[\"kept\"]}}\n{\"id\":\"id-2\",\"outc",
    );
    assert_eq!(batch(&folder, &url, "in.jsonl", &["--resume"]).code, 0);
    assert_eq!(questions(&lines(&folder.read("out.jsonl"))), ["kept", "q2", "q3"]);
    let asked: BTreeSet<String> = seen.prompts.lock().unwrap().drain(..).collect();
    assert_eq!(asked.iter().collect::<Vec<_>>(), ["q2", "q3"]);
    let whole = folder.read("out.jsonl");
    folder.write("out.jsonl", whole.trim_end());
    assert_eq!(batch(&folder, &url, "in.jsonl", &["--resume"]).code, 0);
    assert_eq!(folder.read("out.jsonl"), whole, "only the end of the line was missing");
}

#[test]
fn wherever_the_file_ends_it_is_gone_on_with() {
    let (url, _) = echo::serve(|_| {});
    let folder = Folder::new("batch-offsets");
    folder.write("in.jsonl", &prompts(3));
    assert_eq!(batch(&folder, &url, "in.jsonl", &[]).code, 0);
    let whole = folder.read("out.jsonl");
    for end in (0..=whole.len()).step_by(whole.len() / 9) {
        folder.write("out.jsonl", &whole[..end]);
        let run = batch(&folder, &url, "in.jsonl", &["--resume"]);
        let out = lines(&folder.read("out.jsonl"));
        assert_eq!((run.code, questions(&out)), (0, vec!["q1", "q2", "q3"]), "cut at {end}: {run:?}");
    }
}

#[test]
fn answers_are_not_written_over_or_mixed() {
    let (url, _) = echo::serve(|_| {});
    let folder = Folder::new("batch-mixed");
    folder.write("in.jsonl", &prompts(2));
    folder.write("out.jsonl", "{\"id\":\"other\",\"outcome\":\"value\"}\n");
    batch(&folder, &url, "in.jsonl", &[]).fails(2, &["out.jsonl", "--resume", "--overwrite"]);
    batch(&folder, &url, "in.jsonl", &["--resume"]).fails(2, &["out.jsonl:1", "\"other\"", "\"id-1\""]);
    folder.write("out.jsonl", "what is this\n");
    batch(&folder, &url, "in.jsonl", &["--resume"]).fails(2, &["out.jsonl:1"]);
    assert_eq!(folder.read("out.jsonl"), "what is this\n");
    assert_eq!(batch(&folder, &url, "in.jsonl", &["--overwrite"]).code, 0);
    assert_eq!(questions(&lines(&folder.read("out.jsonl"))), ["q1", "q2"]);
    batch(&folder, &url, "no-such.jsonl", &["--resume"]).fails(2, &["no-such.jsonl"]);
    let answers = folder.read("out.jsonl");
    batch(&folder, &url, "out.jsonl", &["--overwrite"]).fails(2, &["same file"]);
    assert_eq!(folder.read("out.jsonl"), answers);
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_what_is_in_flight() {
    let gate = Arc::new(Gate::default());
    let (server, asked) = (Arc::clone(&gate), Arc::new(Gate::default()));
    let announced = Arc::clone(&asked);
    let (url, _) = echo::serve(move |prompt| {
        if prompt == "q2" {
            announced.open();
            server.pass();
        }
    });
    let folder = Folder::new("batch-interrupted");
    folder.write("in.jsonl", &prompts(30));
    let (input, out) = (folder.path("in.jsonl"), folder.path("out.jsonl"));
    let args =
        ["batch", "clarify", &input, &out, "--endpoint", &url, "--mechanism", "prompt_only", "--max-parallel", "1"];
    let mut child = command(&args, &[]).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    asked.pass();
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    // It says that it heard before the answer may come.
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    stderr.read_line(&mut said).unwrap();
    assert!(said.contains("finishing 1 calls"), "{said}");
    gate.open();
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{said}");
    assert!(said.contains("--resume"), "{said}");
    assert_eq!(questions(&lines(&folder.read("out.jsonl"))), ["q1", "q2"]);
    assert_eq!(batch(&folder, &url, "in.jsonl", &["--resume"]).code, 0);
    assert_eq!(lines(&folder.read("out.jsonl")).len(), 30);
}

#[test]
fn a_batch_stops_where_nobody_is_there_any_more_and_goes_on_from_there() {
    for (name, order) in [("in-order", None), ("as-finished", Some("--as-finished"))] {
        let folder = Folder::new(&format!("batch-gone-{name}"));
        folder.write("in.jsonl", &prompts(200));
        let more: Vec<&str> =
            ["--max-parallel", "4", "--provider", "custom", "--model", "m"].into_iter().chain(order).collect();
        let (url, first) = echo::serve_some(20, |_| {});
        batch(&folder, &url, "in.jsonl", &more).fails(1, &["no connection", "--resume"]);
        let answered = lines(&folder.read("out.jsonl"));
        // An answer that waited for a line that got none is asked for again.
        assert!((17..=20).contains(&answered.len()), "{answered:?}");
        assert!(answered.iter().all(|line| line["outcome"] == "value"), "{answered:?}");
        let (url, second) = echo::serve(|_| {});
        let run = batch(&folder, &url, "in.jsonl", &[&more[..], &["--resume"]].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let out = lines(&folder.read("out.jsonl"));
        let asked: BTreeSet<&str> = questions(&out).into_iter().collect();
        assert_eq!((out.len(), asked.len()), (200, 200));
        assert_eq!(first.prompts.lock().unwrap().len(), 20);
        assert_eq!(second.prompts.lock().unwrap().len(), 200 - answered.len(), "nothing that stands there is repeated");
    }
}

#[test]
fn with_json_an_endpoint_that_is_not_there_is_one_document() {
    let folder = Folder::new("batch-nobody");
    folder.write("in.jsonl", &prompts(1));
    let (url, _) = echo::serve_some(0, |_| {});
    let run = batch(&folder, &url, "in.jsonl", &["--provider", "custom", "--model", "m", "--json"]);
    assert_eq!((run.code, &run.document()["error"]["class"]), (1, &json!("transient")), "{run:?}");
    assert_eq!(folder.read("out.jsonl"), "");
}
