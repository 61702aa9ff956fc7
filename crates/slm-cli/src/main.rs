//! `slmcode`: structured output from small language models on the command line.
//!
//! Three steps: arguments as typed ([`args`]), settings resolved from flags and environment ([`settings`]), the command
//! run ([`command`]). What is printed, and the exit code, come from [`output`].

mod args;
mod command;
mod contract;
mod output;
mod settings;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Args;
use crate::output::{Exit, Failure};

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return refused(&error),
    };
    let json = args.json;
    let exit = command::run(args).unwrap_or_else(|failure| failure.report(json));
    ExitCode::from(exit.code())
}

/// Help and version end well; anything else that the parser says is a usage error, and with `--json` a document too.
fn refused(error: &clap::Error) -> ExitCode {
    if error.use_stderr() && std::env::args_os().any(|arg| arg == "--json") {
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let exit = Failure::usage(message).report(true);
        return ExitCode::from(exit.code());
    }
    // A reader that closed the pipe has seen enough.
    let _closed_pipe = error.print();
    ExitCode::from(if error.use_stderr() { Exit::Usage } else { Exit::Done }.code())
}
