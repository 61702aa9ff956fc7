//! One file a command.

mod agents;
mod ask;
mod batch;
mod completions;
mod config;
mod doctor;
mod explain;
mod grammar;
mod readiness;
mod repair;
mod sample;
mod status;
mod validate;

use std::future::Future;

use crate::args::{Args, Command};
use crate::output::{Exit, Failure};

/// Runs the command that was asked for.
pub(crate) fn run(args: Args) -> Result<Exit, Failure> {
    let json = args.json;
    match args.command {
        Command::Agents(agents) => agents::run(&agents, json),
        Command::Ask(ask) => on_runtime(ask::run(&ask, json)),
        Command::Batch(batch) => on_runtime(batch::run(&batch, json)),
        Command::Doctor(connection) => on_runtime(doctor::run(&connection, json)),
        Command::Config(config) => config::run(&config, json),
        Command::Repair(contract) => repair::run(&contract, json),
        Command::Validate(contract) => validate::run(&contract, json),
        Command::Grammar(grammar) => grammar::run(&grammar, json),
        Command::Explain(explain) => explain::run(&explain, json),
        Command::Readiness(readiness) => on_runtime(readiness::run(&readiness, json)),
        Command::Completions(args) => Ok(completions::completions(&args, json)),
        Command::Man(args) => completions::man(&args, json),
        Command::Status(status) => status::run(&status, json),
        Command::Sample(sample) => sample::run(&sample, json),
    }
}

/// Runs what needs the network; the other commands never start a runtime.
fn on_runtime(job: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Failed, "system", format!("no event loop can be started: {error}")))?
        .block_on(job)
}
