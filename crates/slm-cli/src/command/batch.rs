//! `slmcode batch`: a structured call for each line, a line for each call.

mod counts;
mod input;
mod interrupt;
mod resume;
mod sink;

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use indicatif::ProgressBar;
use serde_json::{Map, Value};
use slm_backends::{Client, ErrorKind, Request, Tools};
use tokio::sync::mpsc::Receiver;
use tokio::task::JoinSet;

use self::input::{Job, Prompt};
use self::sink::Sink;
use crate::args::Batch;
use crate::call::{self, document, failed};
use crate::contract::{self, Source};
use crate::output::{self, Exit, Failure};
use crate::progress;
use crate::settings::{Call, Target};
use crate::stats;
use crate::tally::Tally;

/// Lines in a row that reach nobody, beyond those that run at once, before no more are taken: a server that is started anew
/// is soon back.
const SOME_MORE: usize = 8;
/// The same in all; fewer than the sink has room for.
const MOST_UNREACHED: usize = 128;

pub(crate) async fn run(args: &Batch, json: bool) -> Result<Exit, Failure> {
    let (contract, input, out) = words(args)?;
    let caller = Caller {
        request: call::request(&args.call, &contract, String::new())?,
        tools: args.call.tools.as_deref().map(call::tools).transpose()?,
        contract,
    };
    let jobs = input::open(input, args.column.as_deref())?;
    let how = Call { mechanism: args.call.mechanism.as_deref(), max_reasks: args.call.max_reasks, refresh: false };
    let target = Target::find(&args.connection, how, json).await?;
    let client = target.client()?;
    let (sink, done) = resume::open(out, args)?;
    let earlier = done.tally.clone();
    let jobs = done.rest_of(jobs)?;

    // Where no bar is seen, IN is not read through for its length.
    let quiet = json || !std::io::stderr().is_terminal() || (out == Path::new("-") && std::io::stdout().is_terminal());
    let total = if quiet { None } else { input::count(input, args.column.is_some()) };
    let mut batch = Batching {
        caller: Arc::new(caller),
        client,
        most_at_once: target.max_parallel(),
        as_finished: args.as_finished,
        sink,
        tally: earlier.clone(),
        fresh: Tally::default(),
        bar: progress::bar(total, earlier.calls, quiet),
        began: Instant::now(),
        unreached: Vec::new(),
    };
    let end = batch.work(input::on_thread(jobs)).await;
    batch.bar.finish_and_clear();
    stats::add(target.endpoint.url(), std::mem::take(&mut batch.fresh), batch.client.repairs());
    let end = end?;
    match end {
        End::Unreachable => Err(batch.unreachable(out)),
        End::Interrupted => {
            // With --json, the one document is the failure's.
            if !json {
                batch.tell(earlier.calls, out, json);
            }
            Err(Failure::new(
                Exit::Failed,
                "canceled",
                "interrupted; the same command with --resume goes on from there",
            ))
        }
        End::Done => {
            batch.tell(earlier.calls, out, json);
            Ok(if batch.tally.failures() > 0 { Exit::Incomplete } else { Exit::Done })
        }
    }
}

/// `CONTRACT IN OUT`, or `IN OUT` beside `--schema`.
fn words(args: &Batch) -> Result<(Source, &Path, &Path), Failure> {
    let schema = args.call.schema.as_deref();
    let (name, input, out) = match (args.words.as_slice(), schema) {
        ([input, out], Some(_)) => (None, input, out),
        ([name, input, out], None) => (Some(name.as_str()), input, out),
        ([_, ..], Some(_)) => {
            return Err(Failure::usage("--schema takes the place of CONTRACT; give IN and OUT alone"));
        }
        _ => return Err(Failure::usage("give a contract and two files: slmcode batch CONTRACT IN OUT")),
    };
    if input == "-" && schema == Some(Path::new("-")) {
        return Err(Failure::usage(
            "standard input cannot be both the schema and the lines; put one of them into a file",
        ));
    }
    let (input, out) = (Path::new(input), Path::new(out));
    if let (Ok(from), Ok(to)) = (input.canonicalize(), out.canonicalize())
        && from == to
    {
        return Err(Failure::usage(format!("IN and OUT are the same file, {}; name another OUT", out.display())));
    }
    Ok((contract::require(name, schema)?, input, out))
}

/// What is the same in every call.
struct Caller {
    contract: Source,
    request: Request,
    tools: Option<Tools>,
}

/// What one line's call came to.
struct Answer {
    body: Map<String, Value>,
    /// No connection could be made: nobody was asked.
    is_unreached: bool,
}

impl Caller {
    /// Makes one line's call.
    async fn call(&self, client: &Client, prompt: Prompt) -> Answer {
        let mut request = self.request.clone();
        request.prompt = prompt.prompt;
        request.system = prompt.system.or(request.system);
        let outcome = match &self.tools {
            Some(tools) => client.turn(Some(&*self.contract), tools, request).await,
            None => client.structured(&self.contract, request).await,
        };
        match outcome {
            Ok(outcome) => Answer { body: document(&outcome), is_unreached: false },
            Err(error) => {
                Answer { is_unreached: error.kind() == ErrorKind::Connect, body: failed(&error).into_document() }
            }
        }
    }
}

/// How the lines came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Done,
    Interrupted,
    /// The endpoint is gone: the lines that could not be asked are not written.
    Unreachable,
}

/// A batch on its way.
struct Batching {
    caller: Arc<Caller>,
    client: Client,
    most_at_once: usize,
    as_finished: bool,
    sink: Sink,
    /// Of all lines of OUT, and of those that this run adds.
    tally: Tally,
    fresh: Tally,
    bar: ProgressBar,
    began: Instant,
    /// The last lines so far, where nobody could be asked. Once a call gets through again they are lines like all others.
    unreached: Vec<(Job, Map<String, Value>)>,
}

impl Batching {
    /// Starts calls as lines come and as there is room, until all are written, the user has had enough, or the endpoint is
    /// gone.
    async fn work(&mut self, mut jobs: Receiver<Result<Job, Failure>>) -> Result<End, Failure> {
        let mut running: JoinSet<(Job, Answer)> = JoinSet::new();
        let (mut is_open, mut broken, mut end) = (true, None, End::Done);
        let mut interrupts = interrupt::listen();
        while (is_open && !self.is_gone()) || !running.is_empty() {
            let has_room = is_open && !self.is_gone() && running.len() < self.most_at_once && self.sink.has_room();
            tokio::select! {
                job = jobs.recv(), if has_room => match job {
                    Some(Ok(job)) => self.start(job, &mut running)?,
                    Some(Err(failure)) => {
                        // What is in flight is finished, and written, first.
                        broken = Some(failure);
                        is_open = false;
                    }
                    None => is_open = false,
                },
                Some(done) = running.join_next() => {
                    let (job, answer) = done.map_err(|error| {
                        Failure::new(Exit::Failed, "system", format!("a call broke down: {error}"))
                    })?;
                    self.take(job, answer)?;
                }
                Some(()) = interrupts.recv() => {
                    if end == End::Interrupted {
                        running.abort_all();
                        return Ok(end);
                    }
                    (end, is_open) = (End::Interrupted, false);
                    self.bar.suspend(|| {
                        output::note(&format!("finishing {} calls; once more stops at once", running.len()));
                    });
                }
            }
        }
        match broken {
            Some(failure) => Err(failure),
            None if end == End::Done && !self.unreached.is_empty() => Ok(End::Unreachable),
            None => Ok(end),
        }
    }

    /// Has nobody been there for as many lines in a row as run at once, and some more?
    fn is_gone(&self) -> bool {
        self.unreached.len() >= MOST_UNREACHED.min(self.most_at_once + SOME_MORE)
    }

    /// Writes the line of a call, and those before it that wait for a sign of life.
    fn take(&mut self, job: Job, answer: Answer) -> Result<(), Failure> {
        if answer.is_unreached {
            self.unreached.push((job, answer.body));
            return Ok(());
        }
        for (job, body) in std::mem::take(&mut self.unreached) {
            self.write(&job, body)?;
        }
        self.write(&job, answer.body)
    }

    fn start(&mut self, mut job: Job, running: &mut JoinSet<(Job, Answer)>) -> Result<(), Failure> {
        self.sink.expect_one();
        match std::mem::replace(&mut job.prompt, Ok(Prompt::default())) {
            Err(why) => self.write(&job, Failure::usage(why).into_document()),
            Ok(prompt) => {
                let (caller, client) = (Arc::clone(&self.caller), self.client.clone());
                running.spawn(async move {
                    let answer = caller.call(&client, prompt).await;
                    (job, answer)
                });
                Ok(())
            }
        }
    }

    fn write(&mut self, job: &Job, body: Map<String, Value>) -> Result<(), Failure> {
        self.tally.count(&body);
        self.fresh.count(&body);
        let mut line = Map::new();
        line.insert("id".to_owned(), job.id.clone());
        if self.as_finished {
            // What a later run goes by: ids may repeat.
            line.insert(resume::PLACE.to_owned(), job.place.into());
        }
        line.extend(body);
        self.sink.write(job.place, Value::Object(line).to_string())?;
        self.bar.inc(1);
        let failures = self.tally.failures();
        if failures > 0 {
            self.bar.set_message(format!("{failures} without a value"));
        }
        Ok(())
    }

    /// Why the batch ends, and how it goes on.
    fn unreachable(&self, out: &Path) -> Failure {
        let last = self.unreached.last().and_then(|(_, body)| body.get("error")?.get("message")?.as_str());
        let why = last.unwrap_or("the endpoint cannot be reached");
        let rest = if out == Path::new("-") {
            "the lines from there on have no answer"
        } else {
            "the lines from there on were not asked; once it is up, the same command with --resume goes on there"
        };
        Failure::new(Exit::Failed, "transient", format!("{why}; {rest}"))
    }

    fn tell(&self, resumed: u64, out: &Path, json: bool) {
        let elapsed = self.began.elapsed();
        let is_stdout = out == Path::new("-");
        match (json, is_stdout) {
            (true, true) => {}
            (true, false) => output::document(&counts::document(&self.tally, resumed, elapsed)),
            (false, _) => counts::lines(&self.tally, resumed, elapsed).iter().for_each(|line| output::note(line)),
        }
    }
}
