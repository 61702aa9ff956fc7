//! Of structured calls.

use std::path::PathBuf;

use super::connection::Connection;

#[derive(Debug, clap::Args)]
pub(crate) struct Ask {
    /// The name of a built-in contract (left out with --schema), then the prompt; a prompt of `-` is standard input
    #[arg(value_name = "CONTRACT PROMPT", num_args = 1..=2, required = true)]
    pub(crate) words: Vec<String>,

    #[command(flatten)]
    pub(crate) call: CallFlags,

    #[command(flatten)]
    pub(crate) connection: Connection,
}

/// How a call is made, whether it is one or many.
#[derive(Debug, clap::Args)]
pub(crate) struct CallFlags {
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
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) temperature: Option<f64>,

    /// The sampler's seed
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Further fields of the request body, as a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) extra: Option<String>,

    /// How often a reply is asked for again that is invalid, cut off or a loop
    #[arg(long, value_name = "N")]
    pub(crate) max_reasks: Option<u32>,

    /// Show on standard error what the model writes while it comes; where there are many calls, or --json, nothing is shown
    #[arg(long)]
    pub(crate) stream: bool,

    /// Tools that the model may call in place of an answer: OpenAI's `tools` array; nothing is constrained then
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,

    /// `auto`, `json_schema`, `guided_json`, `gbnf_grammar`, `json_object` or `prompt_only`; a forced one is not probed
    #[arg(long, value_name = "MECHANISM")]
    pub(crate) mechanism: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Batch {
    /// The name of a built-in contract (left out with --schema), then the lines to answer and the file for the answers; `-`
    /// is standard input, or output
    ///
    /// IN is JSON Lines `{"prompt", "id"?, "system"?}`, plain text lines, or CSV with --column.
    #[arg(value_name = "CONTRACT IN OUT", num_args = 2..=3, required = true)]
    pub(crate) words: Vec<String>,

    #[command(flatten)]
    pub(crate) call: CallFlags,

    /// Go on where an earlier run ended, however it did: what stands in OUT is kept, and not asked again
    #[arg(long)]
    pub(crate) resume: bool,

    /// Write OUT anew, whatever stands there
    #[arg(long, conflicts_with = "resume")]
    pub(crate) overwrite: bool,

    /// Write lines as they finish; each says its place. In input order if not given
    #[arg(long)]
    pub(crate) as_finished: bool,

    /// IN is CSV with a header, and this column holds the prompts; columns `id` and `system` count too
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Option<String>,

    #[command(flatten)]
    pub(crate) connection: Connection,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Readiness {
    /// The contract that calls will use, to be looked at with its bounds [default: review]
    #[arg(value_name = "CONTRACT", conflicts_with = "schema")]
    pub(crate) contract: Option<String>,

    /// Set what can be set in the configuration file; the difference is shown first
    #[arg(long)]
    pub(crate) fix: bool,

    /// Take the last --fix back
    #[arg(long, conflicts_with = "fix")]
    pub(crate) undo: bool,

    #[command(flatten)]
    pub(crate) call: CallFlags,

    #[command(flatten)]
    pub(crate) connection: Connection,
}
