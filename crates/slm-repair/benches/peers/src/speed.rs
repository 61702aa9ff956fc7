//! What a repair costs beside one parse of the valid twin by serde_json, and beside the peers.
//!
//! All are measured in turn, round after round, so that whatever else the machine does is shared by all; the least of the
//! rounds is printed: the rounds are short, so that a busy machine leaves some of them alone. A peer that gives another value
//! than the one that was meant is named so and not timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Of small documents: some seconds, since shared machines change their pace for a second or more.
const ROUNDS: usize = 4000;
/// Of large ones.
const LARGE_ROUNDS: usize = 50;

/// Measures all cases, and prints their table.
pub(crate) fn print() {
    println!("| case | size | serde_json | slm-repair | × | jsonrepair | llm_json |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for size in [500, 1 << 20] {
        for case in CASES {
            measure(case, size);
        }
    }
}

/// A kind of damage.
type Case = (&'static str, fn(&str) -> String);

const CASES: [Case; 5] = [
    ("valid", str::to_owned),
    ("trailing comma", |text| format!("{},]", text.trim_end_matches(']'))),
    ("single quotes", |text| text.replace('"', "'")),
    ("fence and prose", |text| format!("Here it is:\n```json\n{text}\n```\nAnything else?")),
    ("Python literals", |text| text.replace("false", "False").replace("null", "None")),
];

/// A document like those that models write, of about `size` bytes.
fn document(size: usize) -> String {
    let finding = r#"{"severity": "major", "file": "src/walk.rs", "line": 41, "message": "the stack may be empty here", "ok": false, "fix": null}"#;
    let count = size / finding.len();
    format!("[{}]", vec![finding; count.max(1)].join(", "))
}

fn measure((name, broken): Case, size: usize) {
    let valid = document(size);
    let text = broken(&valid);
    let meant: Value = serde_json::from_str(&valid).expect("the document is valid");
    let runs: [(bool, Box<dyn Fn()>); 4] = [
        (true, Box::new(|| drop(black_box(serde_json::from_str::<Value>(black_box(&valid)))))),
        (
            slm_repair::repair(&text).is_ok_and(|repaired| repaired.value == meant),
            Box::new(|| drop(black_box(slm_repair::repair(black_box(&text))))),
        ),
        (
            jsonrepair::loads(&text, &jsonrepair::Options::default()).is_ok_and(|value| value == meant),
            Box::new(|| drop(black_box(jsonrepair::loads(black_box(&text), &jsonrepair::Options::default())))),
        ),
        (
            llm_json::loads(&text, &llm_json::RepairOptions::default()).is_ok_and(|value| value == meant),
            Box::new(|| drop(black_box(llm_json::loads(black_box(&text), &llm_json::RepairOptions::default())))),
        ),
    ];
    let repeats = (20_000 / size).max(1);
    let rounds = if repeats > 1 { ROUNDS } else { LARGE_ROUNDS };
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..rounds {
        for ((is_right, run), times) in runs.iter().zip(&mut times) {
            if *is_right {
                let start = Instant::now();
                (0..repeats).for_each(|_| run());
                times.push(start.elapsed() / u32::try_from(repeats).expect("few repeats"));
            }
        }
    }
    let least: Vec<Option<Duration>> = times.iter().map(|times| times.iter().min().copied()).collect();
    let show = |time: &Option<Duration>| time.map_or("wrong value".to_owned(), |time| format!("{time:.1?}"));
    let ratio = match least.as_slice() {
        [Some(twin), Some(ours), ..] => format!("{:.2}", ours.as_secs_f64() / twin.as_secs_f64()),
        _ => "-".to_owned(),
    };
    let mut shown: Vec<String> = least.iter().map(show).collect();
    shown.insert(2, ratio);
    println!("| {name} | {} | {} |", if size < 1000 { "500 B" } else { "1 MB" }, shown.join(" | "));
}
