//! What the mechanisms come to on a real model: every contract, under each, measured and written down.

pub(crate) mod calls;
pub(crate) mod log;
pub(crate) mod matrix;
mod page;
mod plot;
pub(crate) mod prompts;
mod record;
mod summary;
mod watch;

use std::path::{Path, PathBuf};

use clap::Args;
use slm_backends::Endpoint;
use slm_schema::Registry;

use crate::facts::Facts;
use crate::server::{Server, step};
use crate::{Outcome, files, peers};
use calls::Caller;
use log::Log;
use matrix::Setting;
use record::Record;
use summary::Summary;

/// What can be chosen about a run.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The server, in place of `SLMCODE_ENDPOINT` or one of our own
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    /// Prompts for each contract under each mechanism
    #[arg(long, default_value_t = 1)]
    n: usize,
    /// Only these contracts, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    contracts: Vec<String>,
    /// Cap every reply, in place of the bound of its contract
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// The folder for results.md, results/calls.jsonl and results/valid.svg
    #[arg(long, default_value = "target/eval", value_name = "DIR")]
    out: PathBuf,
    /// Through our client and its peers, in place of the mechanisms
    #[arg(long, conflicts_with_all = ["contracts", "max_tokens"])]
    peers: bool,
    /// Begin anew, where the folder holds calls already
    #[arg(long)]
    fresh: bool,
}

impl Options {
    /// What makes the same run again.
    fn command(&self) -> String {
        let mut words = vec![format!("cargo xtask eval --n {}", self.n)];
        words.extend(self.endpoint.as_ref().map(|url| format!("--endpoint {url}")));
        words.extend(self.peers.then(|| "--peers".to_owned()));
        words.extend((!self.contracts.is_empty()).then(|| format!("--contracts {}", self.contracts.join(","))));
        words.extend(self.max_tokens.map(|tokens| format!("--max-tokens {tokens}")));
        words.push(format!("--out {}", self.out.display()));
        words.join(" ")
    }

    fn contracts(&self) -> Outcome<Vec<&str>> {
        if self.contracts.is_empty() {
            return Ok(Registry::builtin().names().collect());
        }
        let known = |name: &String| Registry::builtin().get(name).map(|_| ()).map_err(|error| error.to_string());
        self.contracts.iter().try_for_each(known)?;
        Ok(self.contracts.iter().map(String::as_str).collect())
    }
}

/// Makes the calls that are not made yet, then the page and the plot of all.
pub(crate) fn run(options: &Options) -> Outcome {
    let out = files::root().join(&options.out);
    if options.peers {
        return peers::run(&peers::Run {
            endpoint: options.endpoint.as_deref(),
            rounds: options.n,
            out: &out,
            fresh: options.fresh,
            command: options.command(),
        });
    }
    let contracts = options.contracts()?;
    let server = options.endpoint.is_none().then(Server::start).transpose()?;
    let url = options.endpoint.as_deref().or(server.as_ref().map(Server::url)).unwrap_or_default();
    let endpoint = Endpoint::parse(url).map_err(|error| error.to_string())?;
    let prompts = prompts::all()?;
    let texts = prompts.iter().map(|prompt| (prompt.id.clone(), prompt.text.clone())).collect();
    let caller = Caller::new(endpoint, options.max_tokens, texts)?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("no event loop can be started: {error}"))?;

    step("what the server is");
    let diagnosis = runtime.block_on(caller.auto().diagnose());
    if !diagnosis.reachable {
        return Err(format!("nothing answers at {url}; {}", diagnosis.causes.join("; ")));
    }
    let cap = options.max_tokens.map_or_else(|| "each contract's own bound".to_owned(), |cap| format!("{cap} tokens"));
    let facts = Facts::now(options.command())
        .with_endpoint(&diagnosis)
        .with("`auto` chose", diagnosis.selected.as_str())
        .with("cap of a reply", cap);
    let path = out.join("results/calls.jsonl");
    let (mut log, mut records) =
        if options.fresh { (Log::begin(&path, &facts)?, Vec::new()) } else { Log::resume(&path, &facts)? };
    let mut cases = matrix::cases(&contracts, &prompts, options.n);
    cases.retain(|(case, _)| !records.iter().any(|record: &Record| record.case == *case));
    step(&format!("{} calls, {} more are there already", cases.len(), records.len()));
    let slots = diagnosis.slots.and_then(|slots| usize::try_from(slots).ok()).unwrap_or(1);
    runtime.block_on(caller.all(cases, slots, |record| {
        records.push(record.clone());
        log.add(record)
    }))?;
    drop(server);
    publish(&out)
}

/// Writes page and plot from the calls in the folder.
fn publish(folder: &Path) -> Outcome {
    let (text, svg) = rendered(folder)?;
    for (name, content) in [("results.md", text), ("results/valid.svg", svg)] {
        let path = folder.join(name);
        files::write(&path, &content)?;
        println!("wrote {}", files::shown(&path));
    }
    Ok(())
}

fn rendered(folder: &Path) -> Outcome<(String, String)> {
    let (facts, records) = log::read::<Record>(&folder.join("results/calls.jsonl"))?;
    let summaries: Vec<Summary> = Setting::ALL.into_iter().map(|setting| Summary::of(setting, &records)).collect();
    Ok((page::page(&facts, &records, &prompts::all()?), plot::svg(&summaries)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever changes a figure by hand, or the page's layout without making it again, finds out here.
    #[test]
    fn the_published_page_is_made_of_the_published_calls() {
        let docs = files::root().join("docs");
        if !docs.join("results.md").exists() {
            return;
        }
        let (text, svg) = rendered(&docs).unwrap();
        files::assert_published("results.md", &text);
        files::assert_published("results/valid.svg", &svg);
    }
}
