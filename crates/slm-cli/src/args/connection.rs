//! The endpoint, and the settings.

use clap::Subcommand;

use super::contract::Optional;

#[derive(Debug, Default, clap::Args)]
pub(crate) struct Connection {
    /// The endpoint's URL; the usual local ports are looked at if not given (`SLMCODE_ENDPOINT`)
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,

    /// The model; the first that the endpoint lists if not given (`SLMCODE_MODEL`)
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// What serves the endpoint; found out if not given (`SLMCODE_PROVIDER`)
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,

    /// Requests at once (`SLMCODE_MAX_PARALLEL`)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_parallel: Option<String>,

    /// Seconds for a whole call
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) timeout: Option<f64>,

    /// Sent with every request; may be given more than once
    #[arg(long = "header", value_name = "K: V")]
    pub(crate) headers: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) contract: Optional,

    /// Find everything out anew, whatever earlier runs learnt
    #[arg(long)]
    pub(crate) refresh: bool,

    #[command(flatten)]
    pub(crate) connection: Connection,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) connection: Connection,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Config {
    #[command(subcommand)]
    pub(crate) action: ConfigAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// A key's value on standard output; where it comes from on standard error
    #[command(after_help = "Example:\n  slmcode config get structured_decoding")]
    Get {
        /// The key, or another name for it
        key: String,
        #[command(flatten)]
        connection: Box<Connection>,
    },
    /// Write a key's value into the configuration file
    #[command(after_help = "Example:\n  slmcode config set structured_decoding off\n  \
                            slmcode config set endpoint http://127.0.0.1:8080")]
    Set {
        /// The key, or another name for it
        key: String,
        /// Its value; it is checked
        #[arg(allow_negative_numbers = true)]
        value: String,
    },
    /// Take a key out of the configuration file: its default counts again
    #[command(after_help = "Example:\n  slmcode config unset model")]
    Unset {
        /// The key, or another name for it
        key: String,
    },
    /// Every key with its value, and where that comes from
    #[command(after_help = "Example:\n  slmcode config list\n  slmcode config list --json")]
    List {
        #[command(flatten)]
        connection: Box<Connection>,
    },
}
