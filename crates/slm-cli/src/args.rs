//! Arguments as they are typed.

mod agents;
mod call;
mod connection;
mod contract;
mod pages;

use clap::{ArgAction, Parser, Subcommand};

pub(crate) use self::agents::{Agents, AgentsAction, Check};
pub(crate) use self::call::{Ask, Batch, CallFlags, Readiness};
pub(crate) use self::connection::{Config, ConfigAction, Connection, Doctor, Status};
pub(crate) use self::contract::{Explain, Grammar, Optional, Repair, Sample, Spaces};
pub(crate) use self::pages::{Completions, Man};

/// The version, and what this build can do.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (features: tls, validate)");

/// Structured output from small language models.
#[derive(Debug, Parser)]
#[command(name = "slmcode", version = VERSION, propagate_version = true, disable_help_subcommand = true)]
#[command(after_help = "Example:\n  slmcode doctor\n  slmcode ask clarify \"Make it faster\"")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print exactly one JSON document on standard output, on failure too
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Say what led to an error
    #[arg(long, global = true)]
    pub(crate) verbose: bool,

    /// Trace what is done on standard error; -vv and -vvv say more
    #[arg(short = 'v', global = true, action = ArgAction::Count)]
    pub(crate) trace: u8,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// One structured call: the value on standard output, how it was got on standard error
    ///
    /// Exit codes: 0 a value, 1 the call failed, 2 usage, 3 cut off or empty, 4 no valid document, 5 refused.
    #[command(override_usage = "slmcode ask [OPTIONS] (CONTRACT|--schema FILE) PROMPT")]
    #[command(after_help = "Example:\n  slmcode ask clarify \"Make it faster\"\n  git diff | slmcode ask review -")]
    Ask(Box<Ask>),
    /// A structured call for each line of a file: a line of JSON for each, in input order
    ///
    /// A call that fails is a line too. Only where the endpoint cannot be reached any more does the batch stop: its last
    /// lines are not written then, and --resume asks them.
    ///
    /// Exit codes: 0 a value for each line, 1 the job failed, 2 usage, 6 all lines were done and some are no values.
    #[command(override_usage = "slmcode batch [OPTIONS] (CONTRACT|--schema FILE) IN OUT")]
    #[command(after_help = "Example:\n  slmcode batch clarify requests.jsonl answers.jsonl\n  \
                            slmcode batch clarify requests.jsonl answers.jsonl --resume\n  \
                            slmcode batch clarify tickets.csv answers.jsonl --column title --max-parallel 4")]
    Batch(Box<Batch>),
    /// What the endpoint is, and which constraint it was seen to enforce
    ///
    /// With a contract: what it would get enforced there.
    #[command(after_help = "Example:\n  slmcode doctor\n  slmcode doctor review\n  \
                            slmcode doctor --endpoint http://127.0.0.1:8080 --refresh")]
    Doctor(Doctor),
    /// Are the settings those that a small model needs? Each check with its weight and its fix
    #[command(override_usage = "slmcode readiness [OPTIONS] [CONTRACT|--schema FILE]")]
    #[command(after_help = "Example:\n  slmcode readiness\n  slmcode readiness --fix\n  slmcode readiness --undo")]
    Readiness(Box<Readiness>),
    /// The connection as it is set, and what earlier calls learnt; nothing is sent
    #[command(after_help = "Example:\n  slmcode status\n  slmcode status --json | jq .connection")]
    Status(Status),
    /// The settings: what they are, where they come from, and how to change them
    #[command(after_help = "Example:\n  slmcode config list\n  slmcode config get structured_decoding\n  \
                            slmcode config set max_parallel 4")]
    Config(Config),
    /// Standard input is what a model said; standard output is the JSON it meant
    #[command(after_help = "Example:\n  echo \"{'questions': ['a',],}\" | slmcode repair")]
    Repair(Repair),
    /// Judge the JSON document on standard input: one violation a line
    #[command(override_usage = "slmcode validate [OPTIONS] (CONTRACT|--schema FILE)")]
    #[command(after_help = "Example:\n  slmcode validate review < reply.json")]
    Validate(Optional),
    /// The GBNF grammar of a contract; what it does not cover on standard error
    #[command(override_usage = "slmcode grammar [OPTIONS] (CONTRACT|--schema FILE)")]
    #[command(after_help = "Example:\n  slmcode grammar review > review.gbnf")]
    Grammar(Grammar),
    /// What an endpoint is sent for a contract, and who enforces each of its rules
    #[command(override_usage = "slmcode explain [OPTIONS] (CONTRACT|--schema FILE) --dialect DIALECT")]
    #[command(after_help = "Example:\n  slmcode explain review --dialect openai_strict")]
    Explain(Explain),
    /// A random valid document of a contract
    #[command(override_usage = "slmcode sample [OPTIONS] (CONTRACT|--schema FILE)")]
    #[command(after_help = "Example:\n  slmcode sample review --seed 7 | slmcode validate review")]
    Sample(Sample),
    /// A script that completes commands and flags in a shell
    #[command(after_help = "Example:\n  slmcode completions bash > slmcode.bash")]
    Completions(Completions),
    /// The man page, or that of one command
    #[command(after_help = "Example:\n  slmcode man > slmcode.1\n  slmcode man ask > slmcode-ask.1")]
    Man(Man),
    /// Agents that YAML files declare
    #[command(after_help = "Example:\n  slmcode agents check\n  slmcode agents check agents/triage.yaml")]
    Agents(Agents),
}
