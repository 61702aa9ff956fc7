//! The same prompts through our client and through its peers, in turns, on one server.

mod contestant;
mod page;
mod proxy;
mod turn;
mod usage;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use slm_backends::Diagnosis;
use slm_schema::{Contract, Registry};

use crate::eval::calls::progress;
use crate::eval::log::{self, Log};
use crate::eval::matrix;
use crate::eval::prompts::{self, Prompt};
use crate::facts::Facts;
use crate::server::{Server, step};
use crate::{Outcome, files, python};
use contestant::{Answer, Cap, Job, Ours, Peer};
use proxy::Proxy;
use turn::{Entry, Kind, Turn};

/// The contracts that the peers' models are written for.
const CONTRACTS: [&str; 3] = ["review", "clarify", "tasks"];
/// The cap on each reply.
const CAP: u64 = 400;
/// A cap that is below what these contracts need, to see what each makes of a reply that is cut.
const TIGHT_CAP: u64 = 40;
const PACKAGES: [&str; 6] = ["openai", "instructor", "pydantic-ai-slim", "outlines", "langchain-openai", "pydantic"];

/// What is asked for on the command line.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) endpoint: Option<&'a str>,
    /// Prompts for each contract.
    pub(crate) rounds: usize,
    pub(crate) out: &'a Path,
    pub(crate) fresh: bool,
    pub(crate) command: String,
}

/// Makes the turns that are not made yet, then the page of all.
pub(crate) fn run(run: &Run<'_>) -> Outcome {
    let home = files::root().join("target/peers");
    let python = python::environment(&home, include_str!("../peers/requirements.txt"))?;
    check_models(&python)?;
    let genai = build_genai(&home)?;
    let server = run.endpoint.is_none().then(Server::start).transpose()?;
    let url = run.endpoint.or(server.as_ref().map(Server::url)).unwrap_or_default();
    let proxy = Proxy::start(url)?;
    let ours = Ours::new(proxy.url())?;

    step("what the server is");
    let begun = Instant::now();
    let diagnosis = ours.diagnose();
    if !diagnosis.reachable {
        return Err(format!("nothing answers at {url}; {}", diagnosis.causes.join("; ")));
    }
    let found_out = Turn::finding_out(&proxy.take(), begun.elapsed());
    let facts = facts(run, &diagnosis, &python)?;
    let path = run.out.join("results/peers.jsonl");
    let (mut log, done) =
        if run.fresh { (Log::begin(&path, &facts)?, Vec::new()) } else { Log::resume::<Turn>(&path, &facts)? };
    if done.is_empty() {
        log.add(&found_out)?;
    }
    let model = diagnosis.model.unwrap_or_default();
    let mut field = Field { ours, peers: peers(&python, &genai, proxy.url())?, proxy, model };
    let mut plan = plan(&prompts::all()?, run.rounds)?;
    plan.retain(|planned| !done.iter().any(|turn| planned.is(turn)));
    step(&format!("{} turns, {} more are there already", plan.len(), done.len()));
    let bar = progress(plan.len());
    for planned in plan {
        bar.set_message(format!("{} {}", planned.entry.name, planned.contract.name()));
        log.add(&field.turn(&planned)?)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    drop(server);
    let page = run.out.join("peers.md");
    files::write(&page, &rendered(run.out)?)?;
    println!("wrote {}", files::shown(&page));
    Ok(())
}

fn rendered(folder: &Path) -> Outcome<String> {
    let (facts, turns) = log::read::<Turn>(&folder.join("results/peers.jsonl"))?;
    Ok(page::page(&facts, &turns))
}

/// The peers' models must ask for what the contracts ask for.
fn check_models(python: &Path) -> Outcome {
    step("holding the peers' models against the contracts' fixtures");
    let mut command = Command::new(python);
    command.arg(scripts().join("contracts.py")).arg(files::root().join("fixtures/contracts"));
    python::run(&mut command, "use the peers' models").map(|_| ())
}

fn scripts() -> PathBuf {
    files::root().join("xtask/peers")
}

fn build_genai(home: &Path) -> Outcome<PathBuf> {
    step("building the Rust peer");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = home.join("genai");
    let mut command = Command::new(cargo);
    command
        .args(["build", "--quiet", "--locked", "--manifest-path"])
        .arg(scripts().join("genai/Cargo.toml"))
        .env("CARGO_TARGET_DIR", &target);
    python::run(&mut command, "build the Rust peer")?;
    Ok(target.join("debug").join(format!("genai-peer{}", std::env::consts::EXE_SUFFIX)))
}

fn facts(run: &Run<'_>, diagnosis: &Diagnosis, python: &Path) -> Outcome<Facts> {
    let lock = include_str!("../peers/genai/Cargo.lock");
    let genai = lock.split_once("name = \"genai\"\nversion = \"").and_then(|(_, rest)| rest.split('"').next());
    let versions = python::versions(python, &PACKAGES)?;
    Ok(Facts::now(run.command.clone())
        .with_endpoint(diagnosis)
        .with("peers", format!("{versions}, genai {}", genai.unwrap_or("of an unknown version")))
        .with("cap of a reply", format!("{CAP} tokens; {TIGHT_CAP} where it is to be cut"))
        .with("tries", Job::TRIES.to_string())
        .with("temperature", Job::TEMPERATURE.to_string()))
}

/// One process for each peer, loaded before anything is timed.
fn peers(python: &Path, genai: &Path, url: &str) -> Outcome<Vec<(&'static str, Peer)>> {
    let mut found = Vec::new();
    for entry in Entry::ALL {
        let mut command = match entry.kind {
            Kind::Ours(_) => continue,
            Kind::Python => {
                let mut command = Command::new(python);
                command.arg(scripts().join("peer.py")).arg(entry.name).env("LANGSMITH_TRACING", "false");
                command
            }
            Kind::Rust => Command::new(genai),
        };
        step(&format!("loading {}", entry.name));
        found.push((entry.name, Peer::start(entry.name, command.arg(url))?));
    }
    Ok(found)
}

/// A turn to be made.
#[derive(Debug)]
struct Planned {
    entry: &'static Entry,
    contract: &'static Contract,
    prompt: Prompt,
    cap: u64,
    seed: u64,
}

impl Planned {
    fn is(&self, turn: &Turn) -> bool {
        (self.entry.name, self.contract.name(), self.cap)
            == (turn.contestant.as_str(), turn.contract.as_str(), turn.cap)
            && self.prompt.id == turn.prompt
    }
}

/// Prompt by prompt and contract by contract, each time another contestant first.
fn plan(prompts: &[Prompt], rounds: usize) -> Outcome<Vec<Planned>> {
    let mut found: Vec<Planned> = Vec::new();
    let mut first = 0;
    for round in 0..=rounds {
        // The last round is the one in which replies are cut; it takes the first prompt once more.
        let is_tight = round == rounds;
        let Some(prompt) = matrix::prompt_of(prompts, 0, if is_tight { 0 } else { round }) else { continue };
        for name in CONTRACTS {
            let contract = Registry::builtin().get(name).map_err(|error| error.to_string())?;
            for entry in Entry::ALL.iter().cycle().skip(first).take(Entry::ALL.len()) {
                if if is_tight { entry.is_constrained } else { entry.kind != Kind::Ours(Cap::NamedThenChosen) } {
                    let seed = u64::try_from(round).unwrap_or(0) + 1;
                    let cap = if is_tight { TIGHT_CAP } else { CAP };
                    found.push(Planned { entry, contract, prompt: prompt.clone(), cap, seed });
                }
            }
            first = (first + 1) % Entry::ALL.len();
        }
    }
    // Without a cap there is nothing to cut.
    found.retain(|planned| planned.cap == CAP || planned.entry.kind != Kind::Ours(Cap::Chosen));
    Ok(found)
}

/// Everyone, and the one server between whom and them the proxy stands.
struct Field {
    ours: Ours,
    peers: Vec<(&'static str, Peer)>,
    proxy: Proxy,
    model: String,
}

impl Field {
    fn turn(&mut self, planned: &Planned) -> Outcome<Turn> {
        let Planned { entry, contract, prompt, cap, seed } = planned;
        let job = Job { contract, prompt: &prompt.text, model: &self.model, cap: *cap, seed: *seed };
        self.proxy.take();
        let begun = Instant::now();
        let answer: Answer = match entry.kind {
            Kind::Ours(cap) => self.ours.ask(&job, cap),
            Kind::Python | Kind::Rust => {
                let peer = self.peers.iter_mut().find(|(name, _)| *name == entry.name);
                let (_, peer) = peer.ok_or_else(|| format!("{} was not started", entry.name))?;
                peer.ask(&job)?
            }
        };
        let elapsed = begun.elapsed();
        Ok(Turn::of(entry, &job, &prompt.id, answer, &self.proxy.take(), elapsed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_meet_the_same_prompts_and_each_is_first_at_some_time() {
        let plan = plan(&prompts::all().unwrap(), 4).unwrap();
        let of = |name: &str, cap: u64| -> Vec<(&str, String, u64)> {
            plan.iter()
                .filter(|planned| planned.entry.name == name && planned.cap == cap)
                .map(|planned| (planned.contract.name(), planned.prompt.id.clone(), planned.seed))
                .collect()
        };
        let expected = of("openai-parse", CAP);
        assert_eq!(expected.len(), 12);
        for entry in Entry::ALL.iter().filter(|entry| entry.kind != Kind::Ours(Cap::NamedThenChosen)) {
            assert_eq!(of(entry.name, CAP), expected, "{}", entry.name);
        }
        let tight = of("openai-parse", TIGHT_CAP);
        assert_eq!(tight.len(), 3);
        let kinds = [Kind::Ours(Cap::NamedThenChosen), Kind::Ours(Cap::Named)];
        for entry in Entry::ALL.iter().filter(|entry| kinds.contains(&entry.kind)) {
            assert_eq!(of(entry.name, TIGHT_CAP), tight, "{}", entry.name);
        }
        let mut firsts: Vec<&str> = plan
            .chunk_by(|one, next| (one.contract.name(), &one.prompt.id) == (next.contract.name(), &next.prompt.id))
            .map(|turns| turns[0].entry.name)
            .collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert!(firsts.len() > 5, "{firsts:?}");
    }

    #[test]
    fn the_published_page_is_made_of_the_published_turns() {
        let docs = files::root().join("docs");
        if !docs.join("peers.md").exists() {
            return;
        }
        files::assert_published("peers.md", &rendered(&docs).unwrap());
    }
}
