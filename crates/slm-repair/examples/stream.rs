//! Follows a reply as it arrives: shows what is there of the document, and stops as soon as it is complete.
//!
//! `printf '<think>hm</think> {"city": "Oslo", "sights": ["fjord"]} and more' | cargo run -p slm-repair --example stream`

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "that is what the example is about")]

use std::io::{self, Read as _};
use std::process::ExitCode;

use slm_repair::StreamScanner;

fn main() -> io::Result<ExitCode> {
    let mut reply = Vec::new();
    io::stdin().read_to_end(&mut reply)?;
    let mut scanner = StreamScanner::new();
    // A server sends tokens; seven bytes will do, and may well end inside a character.
    for piece in reply.chunks(7) {
        let status = scanner.feed(piece);
        if let Some(partial) = scanner.partial() {
            eprintln!("{partial}");
        }
        if let Some(end) = status.complete.filter(|_| !status.led_by_prose) {
            println!("complete after {end} bytes: the stream can be ended");
            return Ok(ExitCode::SUCCESS);
        }
    }
    // Prose before the document, damage, or a cut: the ladder reads the reply as a whole.
    Ok(match slm_repair::repair(&String::from_utf8_lossy(&reply)) {
        Ok(repaired) => {
            println!("{}", repaired.text);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    })
}
