//! What a repair costs, beside one parse of the valid twin by serde_json.

use divan::Bencher;
use divan::counter::BytesCount;
use serde_json::Value;

fn main() {
    divan::main();
}

/// A document like those that models write, of about `size` bytes.
fn document(size: usize) -> String {
    let finding = r#"{"severity": "major", "file": "src/walk.rs", "line": 41, "message": "the stack may be empty here", "ok": false}"#;
    let count = size / finding.len();
    format!("[{}]", vec![finding; count.max(1)].join(", "))
}

/// A document of 500 bytes, broken so that one rung mends it.
fn broken(rung: &str) -> String {
    let document = document(500);
    match rung {
        "fence" => format!("Here it is:\n```json\n{document}\n```\n"),
        "extract" => format!("Here it is: {document} Anything else?"),
        "trailing_comma" => document.replace("false}", "false,}"),
        "quotes" => document.replace('"', "'"),
        "python_bools" => document.replace("false", "False"),
        "control_chars" => document.replace("may be", "may\nbe"),
        "close_braces" => document.trim_end_matches(['}', ']']).to_owned(),
        _ => document,
    }
}

const RUNGS: [&str; 8] =
    ["none", "fence", "extract", "trailing_comma", "quotes", "python_bools", "control_chars", "close_braces"];

#[divan::bench(args = RUNGS)]
fn repair(bencher: Bencher<'_, '_>, rung: &str) {
    let text = broken(rung);
    assert_eq!(slm_repair::repair(&text).map(|repaired| repaired.rung.as_str()).ok(), Some(rung));
    bencher.counter(BytesCount::of_str(&text)).bench(|| slm_repair::repair(&text));
}

#[divan::bench]
fn serde_json(bencher: Bencher<'_, '_>) {
    let text = document(500);
    bencher.counter(BytesCount::of_str(&text)).bench(|| serde_json::from_str::<Value>(&text));
}

#[divan::bench]
fn repair_megabyte(bencher: Bencher<'_, '_>) {
    let text = document(1 << 20);
    bencher.counter(BytesCount::of_str(&text)).bench(|| slm_repair::repair(&text));
}

#[divan::bench]
fn repair_megabyte_broken(bencher: Bencher<'_, '_>) {
    let text = document(1 << 20).replace('"', "'");
    bencher.counter(BytesCount::of_str(&text)).bench(|| slm_repair::repair(&text));
}

#[divan::bench]
fn serde_json_megabyte(bencher: Bencher<'_, '_>) {
    let text = document(1 << 20);
    bencher.counter(BytesCount::of_str(&text)).bench(|| serde_json::from_str::<Value>(&text));
}
