//! Tasks of this repository: regenerate and check what is generated, run the demo, run the live test, measure.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a task talks to the person who started it")]

mod bench;
mod demo;
mod eval;
mod facts;
mod files;
mod grammars;
mod live;
mod markdown;
mod peers;
mod python;
mod scale;
mod server;
mod stacks;
mod statistics;
mod tables;
mod tally;
mod vllm;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tasks of this repository.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Write each contract's grammar, what each dialect is sent, and the tables of enforcement and of what grammars cost
    Grammars {
        /// Write nothing; fail where a file differs
        #[arg(long)]
        check: bool,
    },
    /// Start a small model and get three values out of it
    Demo {
        /// Put what it prints into README.md
        #[arg(long)]
        write: bool,
    },
    /// Every contract against real servers, as a test
    Live(live::Options),
    /// Measure every contract under every mechanism, and write the page of it
    Eval(eval::Options),
    /// Measure the crates beside what a user would otherwise take, and write the page of it
    Bench(bench::Options),
    /// Measure a batch over two servers behind a router, one of which is killed, and write the page of it
    Scale(scale::Options),
}

/// What a task fails with: one message for a person.
type Outcome<T = ()> = Result<T, String>;

fn main() -> ExitCode {
    let outcome = match Args::parse().task {
        Task::Grammars { check } => grammars::run(check),
        Task::Demo { write } => demo::run(write),
        Task::Live(options) => live::run(&options),
        Task::Eval(options) => eval::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Scale(options) => scale::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
