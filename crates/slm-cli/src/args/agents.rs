//! Of commands about agents.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, clap::Args)]
pub(crate) struct Agents {
    #[command(subcommand)]
    pub(crate) action: AgentsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsAction {
    /// Are the YAML agents of a folder sound, and do their prompts promise only what their contracts have?
    ///
    /// Exit codes: 0 clean (warnings are no fault), 2 a file is not sound, 4 a prompt is at odds with its contract.
    #[command(after_help = "Example:\n  slmcode agents check agents\n  slmcode agents check agents/triage.yaml --json")]
    Check(Check),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// A folder, read with those below it, or one file
    #[arg(value_name = "DIR", default_value = "agents")]
    pub(crate) folder: PathBuf,

    /// The tools that agents may name, in place of the usual ones and the folder's tools.yaml: OpenAI's `tools` array
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
}
