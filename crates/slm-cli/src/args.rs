//! Arguments as they are typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Structured output from small language models.
#[derive(Debug, Parser)]
#[command(name = "slmcode", version, propagate_version = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print exactly one JSON document on standard output, on failure too
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// One structured call: the value on standard output, how it was got on standard error
    ///
    /// Exit codes: 0 a value, 1 the call failed, 2 usage, 3 cut off or empty, 4 no valid document, 5 refused.
    #[command(override_usage = "slmcode ask [OPTIONS] (CONTRACT|--schema FILE) PROMPT")]
    #[command(after_help = "Example:\n  slmcode ask clarify \"Make it faster\"\n  git diff | slmcode ask review -")]
    Ask(Box<Ask>),
    /// What the endpoint is, and which constraint it was seen to enforce
    #[command(after_help = "Example:\n  slmcode doctor --endpoint http://127.0.0.1:8080")]
    Doctor(Doctor),
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
    Grammar(Optional),
    /// What an endpoint is sent for a contract, and who enforces each of its rules
    #[command(override_usage = "slmcode explain [OPTIONS] (CONTRACT|--schema FILE) --dialect DIALECT")]
    #[command(after_help = "Example:\n  slmcode explain review --dialect openai_strict")]
    Explain(Explain),
    /// A random valid document of a contract
    #[command(override_usage = "slmcode sample [OPTIONS] (CONTRACT|--schema FILE)")]
    #[command(after_help = "Example:\n  slmcode sample review --seed 7 | slmcode validate review")]
    Sample(Sample),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Repair {
    #[command(flatten)]
    pub(crate) contract: Optional,

    /// Standard input is lines `{"text", "schema"?, "finish_reason"?, "id"?}`; a line of JSON is written for each
    ///
    /// Exit code 6 if all lines were done and some are no values.
    #[arg(long)]
    pub(crate) jsonl: bool,
}

/// The contract of a command that takes at most one.
#[derive(Debug, clap::Args)]
pub(crate) struct Optional {
    /// The name of a built-in contract
    #[arg(value_name = "CONTRACT", conflicts_with = "schema")]
    pub(crate) contract: Option<String>,

    /// A JSON Schema in place of a built-in contract; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) contract: Optional,

    /// How the endpoint reads a constraint: `openai_strict`, `vllm`, `llama_cpp`, `anthropic`, `gbnf`, …
    #[arg(long, value_name = "DIALECT")]
    pub(crate) dialect: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) contract: Optional,

    /// The same seed gives the same document
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Ask {
    /// The name of a built-in contract (left out with --schema), then the prompt; a prompt of `-` is standard input
    #[arg(value_name = "CONTRACT PROMPT", num_args = 1..=2, required = true)]
    pub(crate) words: Vec<String>,

    /// A JSON Schema in place of a built-in contract
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,

    /// Replaces the built-in prompt of the contract's role; the contract itself is always described
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,

    /// The cap on the reply's tokens; follows from the contract's bound if not given
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,

    /// The sampling temperature
    #[arg(long, value_name = "T")]
    pub(crate) temperature: Option<f64>,

    /// The sampler's seed
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Further fields of the request body, as a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) extra: Option<String>,

    /// How often an invalid reply is asked for again
    #[arg(long, value_name = "N")]
    pub(crate) max_reasks: Option<u32>,

    /// Show on standard error what the model writes while it comes
    #[arg(long)]
    pub(crate) stream: bool,

    /// Tools that the model may call in place of an answer: OpenAI's `tools` array; nothing is constrained then
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,

    /// `auto`, `json_schema`, `guided_json`, `gbnf_grammar`, `json_object` or `prompt_only`; a forced one is not probed
    #[arg(long, value_name = "MECHANISM")]
    pub(crate) mechanism: Option<String>,

    #[command(flatten)]
    pub(crate) connection: Connection,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Doctor {
    /// Find everything out anew, whatever earlier runs learnt
    #[arg(long)]
    pub(crate) refresh: bool,

    #[command(flatten)]
    pub(crate) connection: Connection,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Connection {
    /// The endpoint's URL; the usual local ports are looked at if not given
    #[arg(long, value_name = "URL", env = "SLMCODE_ENDPOINT")]
    pub(crate) endpoint: Option<String>,

    /// The model; the first that the endpoint lists if not given
    #[arg(long, value_name = "NAME", env = "SLMCODE_MODEL")]
    pub(crate) model: Option<String>,

    /// What serves the endpoint; found out if not given
    #[arg(long, value_name = "NAME", env = "SLMCODE_PROVIDER")]
    pub(crate) provider: Option<String>,

    /// Seconds for the whole call
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,

    /// Requests at once
    #[arg(long, value_name = "N", env = "SLMCODE_MAX_PARALLEL")]
    pub(crate) max_parallel: Option<usize>,

    /// Sent with every request; may be given more than once
    #[arg(long = "header", value_name = "K: V")]
    pub(crate) headers: Vec<String>,
}
