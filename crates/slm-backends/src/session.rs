//! What every kind of call shares: requests that are sent again by the retry policy, and the list of them.

use std::time::{Duration, Instant};

use slm_repair::Action;
use tracing::Span;

use crate::attempt::{Attempt, Demotion};
use crate::capabilities::Capabilities;
use crate::class::ErrorClass;
use crate::connection::{Answer, Connection};
use crate::error::{Error, ErrorKind};
use crate::failure::Failure;
use crate::identify::Identity;
use crate::judge::Judged;
use crate::knowledge::Knowledge;
use crate::mechanism::Mechanism;
use crate::observe;
use crate::outcome::Outcome;
use crate::reply::Reply;
use crate::request::Request;
use crate::retry::RetryPolicy;
use crate::setting::Setting;
use crate::watch::Watch;

/// An endpoint that has not answered anything is not waited for as long as one that is known to work.
const PATIENCE_WITH_SILENCE: Duration = Duration::from_secs(30);

/// One call, as far as its requests go.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) begun: Instant,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) span: Span,
    pub(crate) setting: Setting,
    /// Was an earlier reply of this call no value?
    failed: bool,
}

impl<'a> Session<'a> {
    /// `output` is what the caller asks for: `json` or `text`.
    pub(crate) fn new(connection: &'a Connection, request: &Request, output: &str) -> Self {
        let span = observe::span(connection, output);
        let setting = Setting::of(&request.extra);
        Self { connection, begun: connection.clock.now(), attempts: Vec::new(), span, setting, failed: false }
    }

    /// Changes what is known about the endpoint in the setting of this call.
    pub(crate) async fn learn(&self, knowledge: &Knowledge, change: impl FnOnce(&mut Capabilities)) {
        knowledge.update(self.connection, &self.setting, change).await;
    }

    /// Counts a reply.
    pub(crate) fn count(&mut self, knowledge: &Knowledge, judged: &Judged) {
        let Some(fingerprint) = judged.fingerprint() else { return };
        knowledge.repairs.record_as(fingerprint, judged.reading.rung);
        if fingerprint.action() != Action::None {
            self.failed = true;
        } else if self.failed {
            knowledge.repairs.record_round_trip();
        }
    }

    /// The end of the call: its outcome, or the error, with the requests that led there.
    pub(crate) fn end(self, result: Result<Outcome, Failure>) -> Result<Outcome, Error> {
        observe::ended(&self.span, &result, self.attempts.len());
        match result {
            Ok(outcome) => {
                let elapsed = self.connection.since(self.begun);
                Ok(Outcome { attempts: self.attempts, elapsed, ..outcome })
            }
            Err(failure) => Err(self.error(failure)),
        }
    }

    /// Sends a request, again by the policy. Each reply is watched anew.
    pub(crate) async fn exchange<'w>(
        &mut self,
        identity: &Identity,
        mechanism: Mechanism,
        policy: RetryPolicy,
        body: &str,
        watch: impl Fn() -> Watch<'w>,
    ) -> Result<Reply, Failure> {
        let silent = identity.is_silent();
        let policy = if silent { RetryPolicy::NONE } else { policy };
        let patience = silent.then_some(PATIENCE_WITH_SILENCE);
        let mut failed = 0;
        loop {
            let answer = self.connection.chat(body.to_owned(), identity.provider, patience, &mut watch()).await;
            self.note(mechanism, &answer);
            let failure = match answer.result {
                Ok(reply) => return Ok(reply),
                Err(failure) => failure,
            };
            failed += 1;
            let random = self.connection.clock.random();
            match policy.delay(failed, failure.class, failure.retry_after, random) {
                // Waiting beyond the deadline would only trade this error for a poorer one.
                Some(delay) if self.connection.since(self.begun) + delay < self.connection.config.timeout => {
                    tracing::info!(class = failure.class.as_str(), delay_ms = delay.as_millis(), "waiting to retry");
                    self.connection.clock.sleep(delay).await;
                }
                _ => return Err(failure),
            }
        }
    }

    /// After a refusal that has nothing to do with a constraint: can the same be asked in another way? If so it is
    /// remembered.
    pub(crate) async fn adapts(&self, knowledge: &Knowledge, known: &Capabilities, failure: &Failure) -> bool {
        if failure.refuses_streams() && known.may_stream() {
            self.learn(knowledge, Capabilities::learn_no_streams).await;
        } else if failure.refuses_system() && !known.folds_system() {
            self.learn(knowledge, Capabilities::learn_to_fold_system).await;
        } else if failure.refuses_stop() && known.takes_stop() {
            self.learn(knowledge, Capabilities::learn_no_stop).await;
        } else {
            return false;
        }
        true
    }

    pub(crate) fn note(&mut self, mechanism: Mechanism, answer: &Answer) {
        let (class, status, elapsed) = (answer.class(), answer.status, answer.elapsed);
        self.attempts.push(Attempt { mechanism, class, status, elapsed, demoted: None });
    }

    /// The place of the request that was sent last.
    pub(crate) fn last(&self) -> usize {
        self.attempts.len().saturating_sub(1)
    }

    pub(crate) fn mark_demoted(&mut self, attempt: usize, demoted: Demotion) {
        if let Some(attempt) = self.attempts.get_mut(attempt) {
            attempt.demoted = Some(demoted);
            tracing::info!(mechanism = attempt.mechanism.as_str(), ?demoted, "demoted");
        }
    }

    pub(crate) fn error(self, failure: Failure) -> Error {
        failure.into_error(&self.connection.endpoint, self.attempts)
    }
}

/// Bounds a call by the configured time.
pub(crate) async fn in_time<T>(
    timeout: Duration,
    call: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::time::timeout(timeout, call).await.unwrap_or_else(|_| {
        let message = format!("the call was not done within {} s", timeout.as_secs_f64());
        Err(Failure::new(ErrorKind::Timeout, ErrorClass::Canceled, message)
            .with_hint("give it more time with --timeout, or ask for less with --max-tokens"))
    })
}
