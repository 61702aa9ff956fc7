//! What a repair needs beside the value: within four times the input, and twice as much for twice the input.
//!
//! A test binary of its own, with one test: the allocator counts for the whole process.

#![expect(clippy::print_stdout, reason = "the figures are told to who runs it")]
// Of the crate's other tests.
use divan as _;
use proptest as _;
use serde as _;
use slm_schema as _;
use thiserror as _;

use peak_alloc::PeakAlloc;
use serde_json::Value;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const SIZE: usize = 1 << 17;

/// The most that is held while `work` is done, beside what was held before, and what it gives.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let result = work();
    (ALLOCATOR.peak_usage().saturating_sub(before), result)
}

/// The most that a repair of this text holds, beside what serde_json needs for the value.
fn beside_the_value(text: &str) -> usize {
    let (all, result) = peak(|| slm_repair::repair(text));
    let value = match &result {
        Ok(repaired) => peak(|| serde_json::from_str::<Value>(&repaired.text).is_ok()).0,
        Err(_) => 0,
    };
    all.saturating_sub(value)
}

#[test]
fn memory_is_within_four_times_the_input() {
    let item = r#"{"id": 12, "name": "the stack may be empty", "ok": true, "tags": ["a", "b"]}"#;
    let items = |count: usize| format!("[{}]", vec![item; count / item.len()].join(", "));
    let kinds: [(&str, &dyn Fn(usize) -> String); 17] = [
        ("valid", &items),
        ("single quotes", &|size| items(size).replace('"', "'")),
        ("typographic quotes", &|size| items(size).replace('"', "”")),
        ("Python", &|size| items(size).replace("true", "True")),
        ("trailing commas", &|size| items(size).replace('}', ",}")),
        ("no commas", &|size| items(size).replace(", ", " ")),
        ("bare keys", &|size| items(size).replace("\"id\"", "id")),
        ("cut", &|size| items(size).trim_end_matches(']').to_owned() + ", {\"id\": \"12"),
        ("prose", &|size| format!("Here it is:\n```json\n{}\n``` done", items(size))),
        ("escaped", &|size| items(size).replace('"', "\\\"")),
        ("brackets", &|size| "[".repeat(size)),
        ("objects", &|size| "{\"a\":".repeat(size / 5)),
        ("loose quotes", &|size| "\"a\" b ".repeat(size / 6)),
        ("backslashes and quotes", &|size| "\\\"".repeat(size / 2)),
        ("lone braces", &|size| "so { it is ".repeat(size / 11)),
        ("backticks", &|size| "`".repeat(size)),
        ("reasoning", &|size| "<think>".repeat(size / 7)),
    ];
    for (kind, text) in kinds {
        let (once, twice) = (text(SIZE), text(2 * SIZE));
        let [least, most] = [&once, &twice].map(|text| beside_the_value(text));
        #[expect(clippy::cast_precision_loss, reason = "for the eye")]
        let ratio = most as f64 / twice.len() as f64;
        println!("{kind}: {ratio:.2} of the input");
        assert!(most <= 4 * twice.len(), "{kind}: {most} bytes for {}", twice.len());
        assert!(most <= least * 23 / 10 + 4096, "{kind}: {least} bytes, and {most} for twice the input");
    }
}
