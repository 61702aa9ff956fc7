//! `slmcode completions` and `slmcode man`: what a shell and a reader want to know, from the arguments themselves.

use clap::CommandFactory as _;
use serde_json::json;

use crate::args::{Args, Completions, Man};
use crate::output::{self, Exit, Failure};

/// A script that completes commands and flags.
pub(crate) fn completions(args: &Completions, json: bool) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "slmcode", &mut script);
    let script = String::from_utf8_lossy(&script);
    if json {
        output::document(&json!({"shell": args.shell.to_string(), "script": script}));
    } else {
        output::line(script.trim_end());
    }
    Exit::Done
}

/// A man page: of all, or of one command.
pub(crate) fn man(args: &Man, json: bool) -> Result<Exit, Failure> {
    let mut whole = Args::command();
    whole.build();
    let command = match &args.command {
        None => whole,
        Some(name) => {
            let names: Vec<String> = whole.get_subcommands().map(|command| command.get_name().to_owned()).collect();
            let found = whole.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                let name = name.escape_debug();
                Failure::usage(format!("there is no command \"{name}\"; the commands are {}", names.join(", ")))
            })?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::new(Exit::Failed, "system", format!("the page cannot be written: {error}")))?;
    let page = String::from_utf8_lossy(&page);
    if json {
        output::document(&json!({"page": page}));
    } else {
        output::line(page.trim_end());
    }
    Ok(Exit::Done)
}
