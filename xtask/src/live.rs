//! The real server, as a test: what a constraint promises, a small model has to keep.

use std::time::{Duration, Instant};

use slm_backends::{Client, Config, Ending, Endpoint, ErrorClass, Mechanism, Outcome as Reply, Phase, Request, State};
use slm_schema::{Contract, Registry};

use crate::Outcome;
use crate::server::{Server, step};
use crate::tally::{Call, Tally};

/// What each contract is asked for; a request to a coding harness.
const REQUEST: &str = "Our command line tool prints a table. Add a --json flag, so that scripts can read its output.";
/// The mechanisms under which no finished reply may be invalid.
const ENFORCED: [Mechanism; 2] = [Mechanism::JsonSchema, Mechanism::GbnfGrammar];
const TEMPERATURES: [f64; 2] = [0.0, 1.0];
/// Contracts tried without an enforced schema: three shapes are enough to see every outcome named.
const WITHOUT_SCHEMA: [&str; 3] = ["clarify", "scope_judge", "review"];
/// Enough for their largest sensible document; without a schema a small model goes on for as long as it may.
const CAP_WITHOUT_SCHEMA: u64 = 400;
/// Seeds of a full run.
const FULL_SEEDS: u64 = 5;

/// Runs every check; fails if one of them does.
pub(crate) fn run(full: bool) -> Outcome {
    let server = Server::start()?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("no event loop can be started: {error}"))?;
    let start = Instant::now();
    let mut tally = Tally::default();
    runtime.block_on(checks(&server, if full { FULL_SEEDS } else { 1 }, &mut tally))?;
    drop(server);
    tally.print(start.elapsed());
    tally.verdict()
}

async fn checks(server: &Server, seeds: u64, tally: &mut Tally) -> Outcome {
    let endpoint = Endpoint::parse(server.url()).map_err(|error| error.to_string())?;
    step("what auto negotiates");
    negotiation(&endpoint, tally).await?;
    step("a reply cut inside its value; a server that is not there");
    cut_and_dead(&endpoint, tally).await?;
    step("every contract under each enforced mechanism");
    let mut calls = Vec::new();
    for seed in 1..=seeds {
        for contract in Registry::builtin().iter() {
            for mechanism in ENFORCED {
                calls.extend(TEMPERATURES.map(|temperature| Call { contract, mechanism, temperature, seed }));
            }
        }
    }
    for mechanism in [Mechanism::JsonObject, Mechanism::PromptOnly] {
        for contract in WITHOUT_SCHEMA.iter().filter_map(|name| Registry::builtin().get(name).ok()) {
            calls.push(Call { contract, mechanism, temperature: 0.0, seed: 1 });
        }
    }
    all(&endpoint, calls, tally).await
}

/// `auto` uses what was seen enforced, and this server takes `guided_json` with a 200 and ignores it.
async fn negotiation(endpoint: &Endpoint, tally: &mut Tally) -> Outcome {
    let client = client(endpoint, None)?;
    let diagnosis = client.diagnose().await;
    let state = |mechanism| {
        let found = diagnosis.mechanisms.iter().find(|report| report.mechanism == mechanism);
        found.map_or(State::Untried, |report| report.state)
    };
    for report in &diagnosis.mechanisms {
        println!("    {:<13} {:<9} {}", report.mechanism.as_str(), report.state.as_str(), report.detail);
    }
    for mechanism in ENFORCED {
        tally.check(&format!("{mechanism} is seen enforced"), state(mechanism) == State::Enforced);
    }
    tally.check("guided_json is seen ignored", state(Mechanism::GuidedJson) == State::Ignored);
    let contract = builtin("clarify")?;
    let reply = client.structured(contract, request(contract)).await.map_err(|error| error.to_string())?;
    println!("    auto used {}: {}", reply.mechanism(), reply.ending().as_str());
    tally.check("auto uses a mechanism seen enforced", state(reply.mechanism()) == State::Enforced);
    tally.check("auto gives a value", reply.value().is_some());
    Ok(())
}

async fn cut_and_dead(endpoint: &Endpoint, tally: &mut Tally) -> Outcome {
    let contract = builtin("review")?;
    for mechanism in ENFORCED {
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
