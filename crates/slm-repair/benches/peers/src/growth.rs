//! How the time of hostile texts grows with their size: the least of some rounds, for a text and for one of twice its size.
//!
//! The peers are not asked: nested so deep they overflow the stack.

use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 40;
const MEGABYTE: usize = 1 << 20;

/// What is repeated, and how many bytes of it.
const CASES: [(&str, &str, usize); 7] = [
    ("`[`", "[", 100_000),
    ("`{\"a\":`", "{\"a\":", MEGABYTE),
    ("loose quotes", "\"a\" b ", MEGABYTE),
    ("backslashes and quotes", "\\\"", MEGABYTE),
    ("prose with lone braces", "so { it is ", MEGABYTE),
    ("backticks", "`", MEGABYTE),
    ("`<think>`", "<think>", MEGABYTE),
];

/// Measures all cases, and prints their table.
pub(crate) fn print() {
    println!("| hostile text | size | time | time for twice the size | × |");
    println!("| --- | --- | --- | --- | --- |");
    for (name, piece, size) in CASES {
        let [once, twice] = [size, 2 * size].map(|size| piece.repeat(size / piece.len()));
        let (mut short, mut long) = (Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            short = short.min(time(&once));
            long = long.min(time(&twice));
        }
        let ratio = long.as_secs_f64() / short.as_secs_f64();
        let size = if size == MEGABYTE { "1 MB".to_owned() } else { format!("{} KB", size / 1000) };
        println!("| {name} | {size} | {short:.1?} | {long:.1?} | {ratio:.2} |");
    }
}

fn time(text: &str) -> Duration {
    let start = Instant::now();
    drop(black_box(slm_repair::repair(black_box(text))));
    start.elapsed()
}
