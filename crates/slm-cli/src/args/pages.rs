//! Of what the command tells about itself.

/// A script for a shell.
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// A command, for its own page
    pub(crate) command: Option<String>,
}
