//! `slmcode`: structured output from small language models on the command line.
//!
//! Three steps: arguments as typed ([`args`]), settings resolved from flags, environment and file ([`settings`]), the
//! command run ([`command`]). What is printed, and the exit code, come from [`output`].

mod args;
mod call;
mod command;
mod contract;
mod output;
mod progress;
mod replace;
mod settings;
mod stats;
mod tally;

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;
use tracing_subscriber::filter::LevelFilter;

use crate::args::Args;
use crate::output::{Exit, Failure};

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return refused(&error),
    };
    trace(args.trace);
    let (json, verbose) = (args.json, args.verbose);
    let exit = command::run(args).unwrap_or_else(|failure| failure.report(json, verbose));
    ExitCode::from(exit.code())
}

/// Help and version end well; anything else that the parser says is a usage error, and with `--json` a document too.
fn refused(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A reader that closed the pipe has seen enough.
        let _closed_pipe = error.print();
        return ExitCode::from(Exit::Done.code());
    }
    let json = std::env::args_os().any(|arg| arg == "--json");
    let said = error.render().to_string();
    let message = if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        format!("a command is missing: {}; --help shows how", commands(&said).join(", "))
    } else {
        one_line(&said)
    };
    let exit = Failure::usage(message).report(json, false);
    ExitCode::from(exit.code())
}

/// The names under `Commands:`; what is said of them stands further in.
fn commands(help: &str) -> Vec<&str> {
    let listed = help.split_once("Commands:\n").map_or("", |(_, listed)| listed);
    let lines = listed.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
    lines.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_whitespace().next()).collect()
}

/// The parser's words, without the usage: that is what `--help` is for.
fn one_line(text: &str) -> String {
    let said: Vec<&str> = text.trim_start_matches("error: ").split("\n\n").collect();
    let kept = said.iter().filter(|part| !part.starts_with("Usage:") && !part.starts_with("For more information"));
    let lines: Vec<String> = kept.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    format!(
        "{}; --help shows how",
        lines.iter().filter(|line| !line.is_empty()).cloned().collect::<Vec<_>>().join("; ")
    )
}

/// What happens, on standard error, as far as it was asked for.
fn trace(level: u8) {
    let level = match level {
        0 => return,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_ansi(false).init();
}
