//! Making the calls of a run, as many at once as the server has slots.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use slm_backends::{Client, Config, Endpoint, Request};
use slm_schema::Registry;
use tracing::instrument::WithSubscriber as _;

use super::matrix::{Case, Setting};
use super::record::Record;
use super::watch::Reasked;
use crate::Outcome;

/// Small models on a busy machine are slow; a call that takes longer than this hangs.
const TIMEOUT: Duration = Duration::from_mins(10);
/// As often as a user's call by default.
const MAX_REASKS: u32 = 1;

/// What the calls have in common.
#[derive(Debug)]
pub(crate) struct Caller {
    endpoint: Endpoint,
    /// Shared by its calls, so that what was found out about the endpoint is found out once.
    auto: Client,
    /// The cap on replies; `None` leaves it to each contract's bound.
    max_tokens: Option<u64>,
    prompts: HashMap<String, String>,
}

impl Caller {
    /// A caller of this endpoint; `prompts` are texts by id.
    pub(crate) fn new(endpoint: Endpoint, max_tokens: Option<u64>, prompts: HashMap<String, String>) -> Outcome<Self> {
        let auto = client(&endpoint, Setting { mechanism: None, temperature: 0.0 })?;
        Ok(Self { endpoint, auto, max_tokens, prompts })
    }

    /// The client that chooses its mechanism itself.
    pub(crate) fn auto(&self) -> &Client {
        &self.auto
    }

    /// Makes all calls, `slots` at once, and hands each record over as soon as it is there.
    pub(crate) async fn all(
        &self,
        cases: Vec<(Case, Setting)>,
        slots: usize,
        mut done: impl FnMut(&Record) -> Outcome,
    ) -> Outcome {
        let bar = progress(cases.len());
        let mut waiting = cases.into_iter();
        let mut running = tokio::task::JoinSet::new();
        loop {
            while running.len() < slots.max(1)
                && let Some((case, setting)) = waiting.next()
            {
                let client =
                    if setting.mechanism.is_none() { self.auto.clone() } else { client(&self.endpoint, setting)? };
                let request = self.request(&case)?;
                running.spawn(one(client, case, setting, request));
            }
            let Some(finished) = running.join_next().await else { break };
            let record = finished.map_err(|error| format!("a call did not finish: {error}"))??;
            done(&record)?;
            bar.set_message(format!("{} {}: {}", record.case.contract, record.case.asked, record.outcome));
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn request(&self, case: &Case) -> Outcome<Request> {
        let text = self.prompts.get(&case.prompt).ok_or_else(|| format!("there is no prompt {}", case.prompt))?;
        let request = Request::new(text.as_str()).temperature(case.temperature).seed(case.seed);
        Ok(match self.max_tokens {
            Some(tokens) => request.max_tokens(tokens),
            None => request,
        })
    }
}

/// A bar for so many calls; nothing where standard error is no terminal.
pub(crate) fn progress(calls: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed}, {eta} left  {msg}");
    let bar = ProgressBar::new(u64::try_from(calls).unwrap_or(u64::MAX));
    if let Ok(style) = style { bar.with_style(style) } else { bar }
}

fn client(endpoint: &Endpoint, setting: Setting) -> Outcome<Client> {
    let config = Config { mechanism: setting.mechanism, max_reasks: MAX_REASKS, timeout: TIMEOUT, ..Config::default() };
    Client::with_config(endpoint.clone(), config).map_err(|error| error.to_string())
}

async fn one(client: Client, case: Case, setting: Setting, request: Request) -> Outcome<Record> {
    let contract = Registry::builtin().get(&case.contract).map_err(|error| error.to_string())?;
    let reasked = Reasked::default();
    let begun = Instant::now();
    let result = client.structured(contract, request).with_subscriber(reasked.clone()).await;
    let endings = reasked.endings();
    match result {
        Ok(reply) => {
            let replies = reply.attempts().iter().filter(|attempt| attempt.class.is_none()).count();
            // A forced mechanism sends no probe, so each reply but the last was asked for again.
            if setting.mechanism.is_some() && replies != endings.len() + 1 {
                return Err(format!("of {replies} replies, {} were heard to be asked for again", endings.len()));
            }
            Ok(Record::of_reply(case, contract, &reply, endings))
        }
        Err(error) => {
            let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            Ok(Record::of_error(case, &error, endings, ms))
        }
    }
}
