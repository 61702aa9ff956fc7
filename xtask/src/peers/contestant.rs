//! Who takes part: our client in some set-ups, and each peer as a process that answers by lines.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use slm_backends::{Client, Config, Ending, Endpoint, Request};
use slm_schema::Contract;

use crate::Outcome;

/// What each is asked.
#[derive(Debug, Clone)]
pub(crate) struct Job<'a> {
    pub(crate) contract: &'a Contract,
    pub(crate) prompt: &'a str,
    pub(crate) model: &'a str,
    pub(crate) cap: u64,
    pub(crate) seed: u64,
}

impl Job<'_> {
    /// Sampling, the same for all.
    pub(crate) const TEMPERATURE: f64 = 0.2;
    /// How often each may ask the model for one answer.
    pub(crate) const TRIES: u32 = 3;

    fn system(&self) -> String {
        format!("You are the {} agent of a coding harness.", self.contract.name())
    }

    fn to_json(&self) -> Outcome<Value> {
        let schema: Value = serde_json::from_str(&self.contract.to_json()).map_err(|error| error.to_string())?;
        Ok(json!({
            "contract": self.contract.name(), "schema": schema, "system": self.system(), "prompt": self.prompt,
            "model": self.model, "max_tokens": self.cap, "temperature": Self::TEMPERATURE, "seed": self.seed,
            "tries": Self::TRIES,
        }))
    }
}

/// What came of a job: a value, or in words why there is none.
pub(crate) type Answer = Result<Value, String>;

/// How ours treats the cap of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cap {
    /// As the caller's word: a reply that is cut there is called truncated.
    Named,
    /// Left out: the client chooses it from the contract.
    Chosen,
    /// Named at first; asked once more without where the outcome says truncated.
    NamedThenChosen,
}

/// Our client.
#[derive(Debug)]
pub(crate) struct Ours {
    client: Client,
    runtime: tokio::runtime::Runtime,
}

impl Ours {
    /// A client of this endpoint that chooses its mechanism itself.
    pub(crate) fn new(url: &str) -> Outcome<Self> {
        let endpoint = Endpoint::parse(url).map_err(|error| error.to_string())?;
        let config = Config { max_reasks: Job::TRIES - 1, timeout: Duration::from_mins(10), ..Config::default() };
        let client = Client::with_config(endpoint, config).map_err(|error| error.to_string())?;
        let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("no event loop: {error}"))?;
        Ok(Self { client, runtime })
    }

    /// Asks the endpoint what it is and what it enforces, as the first call of a user's would.
    pub(crate) fn diagnose(&self) -> slm_backends::Diagnosis {
        self.runtime.block_on(self.client.diagnose())
    }

    /// One job.
    pub(crate) fn ask(&self, job: &Job<'_>, cap: Cap) -> Answer {
        let request = Request::new(job.prompt).system(job.system()).temperature(Job::TEMPERATURE).seed(job.seed);
        let capped = request.clone().max_tokens(job.cap);
        let first = self.call(job, if cap == Cap::Chosen { request.clone() } else { capped })?;
        let is_cut = matches!(first.ending(), Ending::Truncated { .. });
        let outcome = if is_cut && cap == Cap::NamedThenChosen { self.call(job, request)? } else { first };
        outcome.value().cloned().ok_or_else(|| {
            let name = outcome.ending().as_str();
            if let Ending::Truncated { phase, .. } = outcome.ending() {
                format!("{name} ({})", phase.as_str())
            } else if let Ending::Invalid { message, .. } = outcome.ending() {
                format!("{name}: {message}")
            } else {
                name.to_owned()
            }
        })
    }

    fn call(&self, job: &Job<'_>, request: Request) -> Result<slm_backends::Outcome, String> {
        self.runtime.block_on(self.client.structured(job.contract, request)).map_err(|error| format!("error: {error}"))
    }
}

/// A peer; ended when dropped.
#[derive(Debug)]
pub(crate) struct Peer {
    name: String,
    child: Child,
    jobs: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts it, and waits until it has loaded its library.
    pub(crate) fn start(name: &str, command: &mut Command) -> Outcome<Self> {
        let failed = |error: &dyn std::fmt::Display| format!("{name} cannot be started: {error}");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What libraries warn about is no answer, and it would tear the progress bar.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(&error))?;
        let jobs = child.stdin.take().ok_or_else(|| failed(&"no standard input"))?;
        let answers = child.stdout.take().ok_or_else(|| failed(&"no standard output"))?;
        let mut peer = Self { name: name.to_owned(), child, jobs, answers: BufReader::new(answers) };
        let ready = peer.line()?;
        if ready.get("ready").is_some() { Ok(peer) } else { Err(failed(&format!("it said {ready}"))) }
    }

    /// One job.
    pub(crate) fn ask(&mut self, job: &Job<'_>) -> Outcome<Answer> {
        let line = format!("{}\n", job.to_json()?);
        self.jobs.write_all(line.as_bytes()).map_err(|error| format!("{} ended: {error}", self.name))?;
        let mut answer = self.line()?;
        if let Some(value) = answer.get_mut("value") {
            return Ok(Ok(value.take()));
        }
        let error = answer.get("error").and_then(Value::as_str);
        error.map(|error| Err(error.to_owned())).ok_or_else(|| format!("{} said {answer}", self.name))
    }

    fn line(&mut self) -> Outcome<Value> {
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|error| format!("{} cannot be read: {error}", self.name))?;
        if line.is_empty() {
            return Err(format!("{} ended without an answer", self.name));
        }
        serde_json::from_str(&line).map_err(|error| format!("{} said no JSON ({error}): {line}", self.name))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to stop.
        let _ended_already = self.child.kill();
        let _status = self.child.wait();
    }
}
