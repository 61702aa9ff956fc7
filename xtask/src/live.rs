//! Real servers, as a test: what a constraint promises, a small model has to keep. What was seen of them is written down.

mod page;
pub(crate) mod record;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use slm_backends::{
    Client, Config, Diagnosis, Ending, Endpoint, ErrorClass, Mechanism, Outcome as Reply, Phase, Request, State,
};
use slm_schema::{Contract, Registry};
use tokio::runtime::Runtime;

use crate::facts::Facts;
use crate::scale::router::{self, Router};
use crate::server::{self, Server, step};
use crate::tally::{Call, Tally};
use crate::vllm::Vllm;
use crate::{Outcome, files, python};
use record::{Record, Seen, Sent};

/// What can be chosen about a run.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// More seeds
    #[arg(long)]
    full: bool,
    /// One server alone; vLLM is only run so
    #[arg(long, value_enum)]
    server: Option<Which>,
    /// Write what was seen into docs/backends.md, not below target/live
    #[arg(long)]
    write: bool,
}

/// A server that can be started here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    LlamaCpp,
    /// A `LiteLLM` proxy in front of llama.cpp.
    Litellm,
    /// On the CPU. Installing it takes long.
    Vllm,
}

impl Which {
    fn name(self) -> &'static str {
        match self {
            Self::LlamaCpp => "llama-cpp",
            Self::Litellm => "litellm",
            Self::Vllm => "vllm",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::LlamaCpp => "llama.cpp",
            Self::Litellm => "LiteLLM before llama.cpp",
            Self::Vllm => "vLLM",
        }
    }

    /// The mechanisms under which no finished reply may be invalid.
    fn enforces(self) -> [Mechanism; 2] {
        match self {
            Self::LlamaCpp | Self::Litellm => [Mechanism::JsonSchema, Mechanism::GbnfGrammar],
            Self::Vllm => [Mechanism::JsonSchema, Mechanism::GuidedJson],
        }
    }

    /// Taken with a 200, and ignored.
    fn ignores(self) -> Option<Mechanism> {
        match self {
            Self::LlamaCpp | Self::Litellm => Some(Mechanism::GuidedJson),
            Self::Vllm => None,
        }
    }
}

/// What each contract is asked for; a request to a coding harness.
const REQUEST: &str = "Our command line tool prints a table. Add a --json flag, so that scripts can read its output.";
const TEMPERATURES: [f64; 2] = [0.0, 1.0];
/// Contracts tried without an enforced schema: three shapes are enough to see every outcome named.
const WITHOUT_SCHEMA: [&str; 3] = ["clarify", "scope_judge", "review"];
/// Contracts tried to their end on a server that is not the main one.
const FEW: [&str; 2] = ["clarify", "scope_judge"];
/// Enough for their largest sensible document; without a schema a small model goes on for as long as it may.
const CAP_WITHOUT_SCHEMA: u64 = 400;
/// Seeds of a full run.
const FULL_SEEDS: u64 = 5;

/// Runs every check; fails if one of them does.
pub(crate) fn run(options: &Options) -> Outcome {
    if options.server == Some(Which::Vllm) {
        let server = Vllm::start()?;
        return visit(Which::Vllm, server.url(), ("packages", server.packages().to_owned()), options);
    }
    let server = Server::start()?;
    let direct = if options.server == Some(Which::Litellm) {
        Ok(())
    } else {
        visit(Which::LlamaCpp, server.url(), ("package", server::SERVER_PACKAGE.to_owned()), options)
    };
    if options.server == Some(Which::LlamaCpp) {
        return direct;
    }
    let home = files::root().join("target/litellm");
    let python = python::environment(&home, router::REQUIREMENTS)?;
    step("starting LiteLLM in front of it");
    let router = Router::start(&python, &home, &model(server.url())?, &[server.url()])?;
    let proxied = visit(Which::Litellm, router.url(), ("proxy", python::versions(&python, &["litellm"])?), options);
    direct.and(proxied)
}

fn runtime() -> Outcome<Runtime> {
    Runtime::new().map_err(|error| format!("no event loop can be started: {error}"))
}

/// The model that a server names first.
fn model(url: &str) -> Outcome<String> {
    let endpoint = Endpoint::parse(url).map_err(|error| error.to_string())?;
    let diagnosis = runtime()?.block_on(client(&endpoint, None)?.diagnose());
    diagnosis.model.ok_or_else(|| format!("{url} lists no model"))
}

/// Checks one server, and writes down what was seen of it.
fn visit(which: Which, url: &str, version: (&str, String), options: &Options) -> Outcome {
    let endpoint = Endpoint::parse(url).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let mut tally = Tally::default();
    step(&format!("{}: what auto negotiates", which.title()));
    let facts = Facts::now(command(which, options));
    let (diagnosis, contracts) = runtime()?.block_on(async {
        let diagnosis = negotiation(&endpoint, which, &mut tally).await?;
        match which {
            Which::LlamaCpp => checks(&endpoint, if options.full { FULL_SEEDS } else { 1 }, &mut tally).await?,
            Which::Litellm | Which::Vllm => few(&endpoint, which, &mut tally).await?,
        }
        step("what each contract loses");
        Ok::<_, String>((diagnosis, sent(&endpoint).await?))
    })?;
    tally.print(start.elapsed());
    let record = Record {
        place: which as usize,
        title: which.title().to_owned(),
        facts: facts.with_endpoint(&diagnosis).with(version.0, version.1),
        provider: diagnosis.provider.as_str().to_owned(),
        mechanisms: Seen::all(&diagnosis),
        calls: tally.calls(),
        contracts,
    };
    let folder: PathBuf = files::root().join(if options.write { "docs" } else { "target/live" });
    record.write(&folder.join("backends"), which.name())?;
    let page = folder.join("backends.md");
    files::write(&page, &page::page(&record::read(&folder.join("backends"))?))?;
    println!("wrote {}", files::shown(&page));
    tally.verdict()
}

fn command(which: Which, options: &Options) -> String {
    let full = if options.full { " --full" } else { "" };
    let server = if options.server.is_some() { format!(" --server {}", which.name()) } else { String::new() };
    let write = if options.write { " --write" } else { "" };
    format!("cargo xtask live{full}{server}{write}")
}

async fn checks(endpoint: &Endpoint, seeds: u64, tally: &mut Tally) -> Outcome {
    step("a reply cut inside its value; a server that is not there");
    cut_and_dead(endpoint, tally).await?;
    step("every contract under each enforced mechanism");
    let mut calls = Vec::new();
    for seed in 1..=seeds {
        for contract in Registry::builtin().iter() {
            for mechanism in Which::LlamaCpp.enforces() {
                calls.extend(TEMPERATURES.map(|temperature| Call { contract, mechanism, temperature, seed }));
            }
        }
    }
    for mechanism in [Mechanism::JsonObject, Mechanism::PromptOnly] {
        for contract in WITHOUT_SCHEMA.iter().filter_map(|name| Registry::builtin().get(name).ok()) {
            calls.push(Call { contract, mechanism, temperature: 0.0, seed: 1 });
        }
    }
    all(endpoint, calls, tally).await
}

/// A few contracts under each enforced mechanism.
async fn few(endpoint: &Endpoint, which: Which, tally: &mut Tally) -> Outcome {
    step("a few contracts under each enforced mechanism");
    let mut calls = Vec::new();
    for contract in FEW.iter().filter_map(|name| Registry::builtin().get(name).ok()) {
        for mechanism in which.enforces() {
            calls.extend(TEMPERATURES.map(|temperature| Call { contract, mechanism, temperature, seed: 1 }));
        }
    }
    all(endpoint, calls, tally).await
}

/// How each contract is sent by `auto`. A single token of each reply is enough to know.
async fn sent(endpoint: &Endpoint) -> Outcome<Vec<Sent>> {
    let client = client(endpoint, None)?;
    let mut contracts = Vec::new();
    for contract in Registry::builtin().iter() {
        let request = Request::new(REQUEST).temperature(0.0).max_tokens(1);
        let reply = client.structured(contract, request).await.map_err(|error| error.to_string())?;
        contracts.push(Sent::of(contract.name(), &reply));
    }
    Ok(contracts)
}

/// `auto` uses what was seen enforced, and not what is taken with a 200 and ignored.
async fn negotiation(endpoint: &Endpoint, which: Which, tally: &mut Tally) -> Outcome<Diagnosis> {
    let client = client(endpoint, None)?;
    let diagnosis = client.diagnose().await;
    let state = |mechanism| {
        let found = diagnosis.mechanisms.iter().find(|report| report.mechanism == mechanism);
        found.map_or(State::Untried, |report| report.state)
    };
    for report in &diagnosis.mechanisms {
        println!("    {:<13} {:<9} {}", report.mechanism.as_str(), report.state.as_str(), report.detail);
    }
    for mechanism in which.enforces() {
        tally.check(&format!("{mechanism} is seen enforced"), state(mechanism) == State::Enforced);
    }
    if let Some(mechanism) = which.ignores() {
        tally.check(&format!("{mechanism} is seen ignored"), state(mechanism) == State::Ignored);
    }
    let contract = builtin("clarify")?;
    let reply = client.structured(contract, request(contract)).await.map_err(|error| error.to_string())?;
    println!("    auto used {}: {}", reply.mechanism(), reply.ending().as_str());
    tally.check("auto uses a mechanism seen enforced", state(reply.mechanism()) == State::Enforced);
    tally.check("auto gives a value", reply.value().is_some());
    Ok(diagnosis)
}

async fn cut_and_dead(endpoint: &Endpoint, tally: &mut Tally) -> Outcome {
    let contract = builtin("review")?;
    for mechanism in Which::LlamaCpp.enforces() {
        let reply = client(endpoint, Some(mechanism))?
            .structured(contract, request(contract).max_tokens(12))
            .await
            .map_err(|error| error.to_string())?;
        let cut = matches!(reply.ending(), Ending::Truncated { phase: Phase::InValue, value: None });
        tally.check(&format!("a reply cut inside its value is truncated under {mechanism}"), cut);
    }
    // Port 9 (discard) is not served on loopback.
    let dead = Endpoint::parse("http://127.0.0.1:9/v1").map_err(|error| error.to_string())?;
    match client(&dead, None)?.structured(contract, request(contract)).await {
        Ok(reply) => tally.check(&format!("a dead server gave {}", reply.ending().as_str()), false),
        Err(error) => {
            println!("    {error}; {}", error.hint().unwrap_or("no hint"));
            let told = error.class() == ErrorClass::Transient && error.hint().is_some();
            tally.check("a dead server is an error in words", told);
        }
    }
    Ok(())
}

/// Runs the calls, as many at once as the server has slots.
async fn all(endpoint: &Endpoint, calls: Vec<Call>, tally: &mut Tally) -> Outcome {
    let total = calls.len();
    let mut waiting = calls.into_iter();
    let mut running = tokio::task::JoinSet::new();
    let mut done = 0;
    loop {
        while running.len() < usize::from(Server::SLOTS)
            && let Some(call) = waiting.next()
        {
            let client = client(endpoint, Some(call.mechanism))?;
            running.spawn(async move {
                let mut request = request(call.contract).temperature(call.temperature).seed(call.seed);
                if !call.is_enforced() {
                    request = request.max_tokens(CAP_WITHOUT_SCHEMA);
                }
                let reply = client.structured(call.contract, request).await;
                (call, reply)
            });
        }
        let Some(finished) = running.join_next().await else { return Ok(()) };
        let (call, reply) = finished.map_err(|error| format!("a call did not finish: {error}"))?;
        let reply: Reply = reply.map_err(|error| format!("{call}: {error}"))?;
        done += 1;
        println!("    {done:>3}/{total} {call}: {}", tally.record(&call, &reply));
    }
}

fn client(endpoint: &Endpoint, mechanism: Option<Mechanism>) -> Outcome<Client> {
    let config = Config { mechanism, max_reasks: 0, timeout: Duration::from_mins(10), ..Config::default() };
    Client::with_config(endpoint.clone(), config).map_err(|error| error.to_string())
}

fn builtin(name: &str) -> Outcome<&'static Contract> {
    Registry::builtin().get(name).map_err(|error| error.to_string())
}

/// What `slmcode ask` sends: the role's prompt before the request.
fn request(contract: &Contract) -> Request {
    let request = Request::new(REQUEST).temperature(0.0);
    match slm_agents::prompt_for(contract.name()) {
        Ok(prompt) => request.system(prompt.render(contract)),
        Err(_) => request,
    }
}
