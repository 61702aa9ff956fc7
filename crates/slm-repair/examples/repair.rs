//! Repairs standard input: the JSON on standard output, how it was got (or why not) on standard error.
//!
//! `echo "Sure: {'city': 'Oslo',}" | cargo run -p slm-repair --example repair`

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "that is what the example is about")]

use std::io::{self, Read as _};
use std::process::ExitCode;

fn main() -> io::Result<ExitCode> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    Ok(match slm_repair::repair(&text) {
        Ok(repaired) => {
            println!("{}", repaired.text);
            eprintln!("rung: {} (of {:?})", repaired.rung, repaired.rungs);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    })
}
