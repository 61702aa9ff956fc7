//! Of commands that take a contract and no endpoint.

use std::path::PathBuf;

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
pub(crate) struct Repair {
    #[command(flatten)]
    pub(crate) contract: Optional,

    /// Standard input is lines `{"text", "schema"?, "finish_reason"?, "id"?}`; a line of JSON is written for each
    ///
    /// Exit code 6 if all lines were done and some are no values.
    #[arg(long)]
    pub(crate) jsonl: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Grammar {
    #[command(flatten)]
    pub(crate) contract: Optional,

    /// The white space of the documents
    #[arg(long, value_enum, default_value_t)]
    pub(crate) spacing: Spaces,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(crate) enum Spaces {
    /// None: the fewest tokens
    #[default]
    Compact,
    /// One space behind each comma and colon
    Spaced,
    /// Each member on a line of its own
    Pretty,
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
