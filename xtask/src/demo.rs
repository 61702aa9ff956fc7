//! The main job, as a user does it: a server, `slmcode doctor`, and three values out of a small model.

mod transcript;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::server::{Server, step};
use crate::{Outcome, files};

const REQUEST: &str = "Add a --json flag to our command line tool, so that scripts can read its output.";

const CHANGE: &str = "Review this change to our command line tool:
-    println!(\"{} items\", items.len());
+    if args.json { println!(\"{{\\\"items\\\":{}}}\", items.len()); }";

/// Runs the demo; with `write`, what it prints takes the place of what README.md shows.
pub(crate) fn run(write: bool) -> Outcome {
    if write {
        return transcript::write();
    }
    let slmcode = build()?;
    let server = Server::start()?;
    step("slmcode doctor");
    let status = command(&slmcode, &server).arg("doctor").status().map_err(|error| not_run(&error))?;
    if !status.success() {
        return Err("slmcode doctor found no way to use the endpoint".to_owned());
    }
    for (contract, prompt) in [("clarify", REQUEST), ("tasks", REQUEST), ("review", CHANGE)] {
        ask(&slmcode, &server, contract, prompt)?;
    }
    Ok(())
}

/// Builds the command; cargo says what it does.
pub(crate) fn build() -> Outcome<PathBuf> {
    step("building slmcode");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--locked", "--package", "slm-cli"])
        .current_dir(files::root())
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    if !status.success() {
        return Err("slmcode does not build".to_owned());
    }
    // A relative one is taken from the folder that the build ran in.
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    Ok(files::root().join(target).join("debug").join(format!("slmcode{}", std::env::consts::EXE_SUFFIX)))
}

fn command(slmcode: &PathBuf, server: &Server) -> Command {
    let mut command = Command::new(slmcode);
    command.env("SLMCODE_ENDPOINT", server.url());
    // What is learnt about a server of this run is of no use to others.
    command.env("SLMCODE_CACHE_DIR", files::root().join("target/model-server/cache"));
    command.env("SLMCODE_CONFIG", "off");
    command
}

fn not_run(error: &std::io::Error) -> String {
    format!("slmcode cannot be run: {error}")
}

/// One call; prints the value and how it was got.
fn ask(slmcode: &PathBuf, server: &Server, contract: &str, prompt: &str) -> Outcome {
    step(&format!("slmcode ask {contract} {prompt:?}"));
    let output = command(slmcode, server)
        .args(["ask", contract, prompt, "--json", "--temperature", "0"])
        .output()
        .map_err(|error| not_run(&error))?;
    let document: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("slmcode ask {contract} --json printed no JSON document: {error}"))?;
    let Some(value) = document.get("value").filter(|_| output.status.success()) else {
        return Err(format!("slmcode ask {contract} gave no value: {document}"));
    };
    let pretty = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
    let text = |key: &str| document.get(key).and_then(Value::as_str).unwrap_or("-").to_owned();
    let tokens = document.pointer("/usage/completion_tokens").and_then(Value::as_u64);
    let seconds = document.get("ms").and_then(Value::as_f64).unwrap_or_default() / 1000.0;
    println!("{pretty}");
    println!(
        "    {contract} by {} · rung {} · {} tokens · {seconds:.1} s\n",
        text("mechanism"),
        text("rung"),
        tokens.map_or_else(|| "unknown".to_owned(), |tokens| tokens.to_string()),
    );
    Ok(())
}
