//! Repairs each line of standard input, and counts what became of them: how a model does, and what to do about it.
//!
//! `printf '%s\n' "{'a': 1}" '{"a": "b' 'no' | cargo run -p slm-repair --example jsonl`

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "that is what the example is about")]

use std::io::{self, BufRead as _};

use slm_repair::RepairStats;

fn main() -> io::Result<()> {
    let stats = RepairStats::default();
    for (i, line) in io::stdin().lock().lines().enumerate() {
        let result = slm_repair::repair(&line?);
        let action = stats.record(&result).action();
        match result {
            Ok(repaired) => println!("{}", repaired.value),
            Err(error) => eprintln!("line {}: {error} (action: {action})", i + 1),
        }
    }
    eprintln!("{}", serde_json::to_string_pretty(&stats)?);
    Ok(())
}
