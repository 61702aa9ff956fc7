//! `slmcode batch` over several servers behind a router: what that gains, and what is lost when one of them dies.

mod batch;
mod page;
pub(crate) mod router;

use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use slm_backends::{Client, Endpoint};

use crate::eval::prompts;
use crate::facts::Facts;
use crate::server::{Server, step};
use crate::{Outcome, demo, files, python};
use batch::{Batch, Run};
use router::Router;

/// What can be chosen about a run.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Lines of the batch
    #[arg(long, default_value_t = 24)]
    lines: usize,
    /// The folder for scaling.md
    #[arg(long, default_value = "target/scale", value_name = "DIR")]
    out: PathBuf,
}

const CONTRACT: &str = "clarify";
/// Lines under way at once: as many as two servers have slots.
const PARALLEL: usize = 2 * Server::SLOTS as usize;

/// Runs the same batch over each set-up, and writes the page.
pub(crate) fn run(options: &Options) -> Outcome {
    if std::env::var_os("SLMCODE_ENDPOINT").is_some_and(|url| !url.is_empty()) {
        return Err("this starts two servers of its own and kills one: unset SLMCODE_ENDPOINT".to_owned());
    }
    let home = files::root().join("target/litellm");
    let python = python::environment(&home, router::REQUIREMENTS)?;
    let slmcode = demo::build()?;
    let folder = files::root().join("target/scale");
    let command = format!("cargo xtask scale --lines {} --out {}", options.lines, options.out.display());

    // Counted before anything is bound.
    let all_cores = format!("0-{}", cores().saturating_sub(1));
    let pinned = pin("0");
    let one = Server::start()?;
    let mut two = Some({
        pin("1");
        Server::start()?
    });
    pin(&all_cores);
    let facts = facts(command, &one, pinned, &python)?;
    let model = facts.model.clone().unwrap_or_default();
    let all = prompts::all()?;
    let prompts: Vec<String> = all.iter().cycle().take(options.lines).map(|prompt| prompt.text.clone()).collect();
    let batch = Batch {
        slmcode: &slmcode,
        folder: &folder,
        contract: CONTRACT,
        model: &model,
        parallel: PARALLEL,
        prompts: &prompts,
    };

    let mut runs = Vec::new();
    let mut done = |run: Run| {
        step(&format!("{}: {} of {} lines with a value, {:.1} s", run.set_up, run.values, run.lines, run.seconds));
        runs.push(run);
    };
    done(batch.run("one server", one.url(), None)?);
    let router = Router::start(&python, &home, &model, &[one.url()])?;
    done(batch.run("a router over one", router.url(), None)?);
    drop(router);
    let urls = [one.url(), two.as_ref().map(Server::url).unwrap_or_default()];
    let router = Router::start(&python, &home, &model, &urls)?;
    done(batch.run("a router over two", router.url(), None)?);
    done(batch.run("a router over two, one killed", router.url(), Some(&mut || drop(two.take())))?);
    drop(router);

    let path = files::root().join(&options.out).join("scaling.md");
    files::write(&path, &page::page(&facts, &runs))?;
    println!("wrote {}", files::shown(&path));
    Ok(())
}

fn facts(command: String, server: &Server, pinned: bool, python: &std::path::Path) -> Outcome<Facts> {
    let endpoint = Endpoint::parse(server.url()).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("no event loop can be started: {error}"))?;
    let diagnosis = runtime.block_on(Client::new(endpoint).diagnose());
    let cores = if pinned { "one core each, with one thread" } else { "not bound to cores" };
    Ok(Facts::now(command)
        .with_endpoint(&diagnosis)
        .with("router", python::versions(python, &["litellm"])?)
        .with("servers", cores)
        .with("contract", CONTRACT)
        .with("lines under way at once", PARALLEL.to_string()))
}

/// Binds what this thread starts from now on to these cores, so that each server stands for a machine of its own. False where
/// the system cannot.
fn pin(to: &str) -> bool {
    let own = std::process::id().to_string();
    let output = Command::new("taskset").args(["-cp", to, &own]).output();
    cores() > 1 && output.is_ok_and(|output| output.status.success())
}

/// Cores of the machine, as they were when this was first asked.
fn cores() -> usize {
    static CORES: std::sync::LazyLock<usize> =
        std::sync::LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    *CORES
}
