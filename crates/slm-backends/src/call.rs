//! One structured call: choose a mechanism, send, judge, and walk down the ladder or ask again where that helps.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::{Duration, Instant};

use slm_schema::{Contract, Lowered};

use crate::attempt::{Attempt, Demotion};
use crate::capabilities::{Spelling, State};
use crate::class::ErrorClass;
use crate::classify::Blame;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind};
use crate::failure::Failure;
use crate::judge::{self, Circumstances, Judged};
use crate::knowledge::{Choice, Knowledge};
use crate::mechanism::Mechanism;
use crate::outcome::{Ending, FinishReason, Outcome};
use crate::probe::{self, Seen};
use crate::prompt::{self, Complaint};
use crate::reply::Reply;
use crate::request::Request;
use crate::retry::RetryPolicy;
use crate::room;
use crate::wire::chat::{Chat, Message};
use crate::wire::constraint;

/// An endpoint that has not answered anything is not waited for as long as one that is known to work.
const PATIENCE_WITH_SILENCE: Duration = Duration::from_secs(30);
/// The plain twin of a refused request only has to be accepted.
const TWIN_CAP: u64 = 16;

/// Makes one call within the configured time.
pub(crate) async fn structured(
    connection: &Connection,
    knowledge: &Knowledge,
    contract: &Contract,
    request: &Request,
) -> Result<Outcome, Error> {
    let begun = connection.clock.now();
    let mut hasher = DefaultHasher::new();
    contract.to_json().hash(&mut hasher);
    let mut call = Call {
        connection,
        knowledge,
        contract,
        request,
        hash: hasher.finish(),
        begun,
        attempts: Vec::new(),
        reasks_left: connection.config.max_reasks,
        complaint: None,
        without_strict: false,
        suspected: Vec::new(),
    };
    let timeout = connection.config.timeout;
    let result = match tokio::time::timeout(timeout, call.run()).await {
        Ok(result) => result,
        Err(_) => Err(out_of_time(timeout)),
    };
    match result {
        Ok(outcome) => Ok(Outcome { attempts: call.attempts, elapsed: connection.since(begun), ..outcome }),
        Err(failure) => Err(failure.into_error(&connection.endpoint, call.attempts)),
    }
}

fn out_of_time(timeout: Duration) -> Failure {
    let message = format!("the call was not done within {} s", timeout.as_secs_f64());
    Failure::new(ErrorKind::Timeout, ErrorClass::Canceled, message)
        .with_hint("give it more time with --timeout, or ask for less with --max-tokens")
}

struct Call<'a> {
    connection: &'a Connection,
    knowledge: &'a Knowledge,
    contract: &'a Contract,
    request: &'a Request,
    hash: u64,
    begun: Instant,
    attempts: Vec<Attempt>,
    reasks_left: u32,
    complaint: Option<Complaint>,
    /// The endpoint refused the contract with `strict`: once more without.
    without_strict: bool,
    /// Mechanisms that were probed again in this call, after a reply that broke what they enforce.
    suspected: Vec<Mechanism>,
}

/// A request as it was sent.
struct Sent {
    reply: Reply,
    lowered: Lowered,
    circumstances: Circumstances,
}

impl Call<'_> {
    /// Every turn either ends the call, spends a re-ask, or takes something from the mechanism; the floor has nothing to lose.
    async fn run(&mut self) -> Result<Outcome, Failure> {
        loop {
            let choice = self.knowledge.choose(self.connection, self.contract, self.hash).await;
            let mut spelling = choice.capabilities.spelling_for(self.hash);
            spelling.without_strict |= self.without_strict;
            let sent = match self.send(&choice, spelling).await {
                Ok(sent) => sent,
                Err(failure) if self.steps_down(&choice, spelling, &failure).await => continue,
                Err(failure) => return Err(failure),
            };
            if self.without_strict && choice.mechanism == Mechanism::JsonSchema {
                self.knowledge.update(|known| known.take_without_strict(self.hash)).await;
            }
            let judged = judge::judge(&sent.reply, self.contract, sent.circumstances);
            if self.is_unenforced(&choice, &sent, &judged).await || self.asks_again(&sent.reply, &judged) {
                continue;
            }
            return Ok(self.outcome(choice.mechanism, sent, judged));
        }
    }

    /// Sends the request by a mechanism, again where that may help.
    async fn send(&mut self, choice: &Choice, spelling: Spelling) -> Result<Sent, Failure> {
        let Choice { mechanism, identity, capabilities } = choice;
        let messages = prompt::messages(self.request, self.contract, self.complaint.as_ref());
        let prompt_tokens = prompt::estimated_tokens(&messages);
        let chosen = || room::cap(self.contract, *mechanism, capabilities.thinks(), identity.window, prompt_tokens);
        let cap = self.request.max_tokens.or_else(chosen);
        let lowered = self.contract.lower(identity.provider.dialect(*mechanism));
        let body = self.body(choice, &messages, cap, &lowered, spelling);
        tracing::info!(
            endpoint = %self.connection.endpoint,
            contract = self.contract.name(),
            intended = format_args!("{:016x}", self.hash),
            sent = format_args!("{:016x}", hash_of(&lowered)),
            mechanism = mechanism.as_str(),
            report = %lowered.report,
            "sending"
        );
        let reply = self.exchange(choice, &body).await?;
        let enforced = self.connection.config.mechanism.is_none() && capabilities.is_enforced(*mechanism);
        let shape_enforced = enforced && mechanism.carries_shape();
        Ok(Sent { reply, lowered, circumstances: Circumstances { shape_enforced, cap, prompt_tokens } })
    }

    fn body(
        &self,
        choice: &Choice,
        messages: &[Message],
        cap: Option<u64>,
        lowered: &Lowered,
        spelling: Spelling,
    ) -> String {
        let cap_field = choice.identity.provider.preset().cap_field;
        Chat {
            model: probe::model(self.connection, &choice.identity),
            messages,
            cap: cap.map(|cap| (cap_field, cap)),
            temperature: self.request.temperature,
            seed: self.request.seed,
            constraint: constraint::field(choice.mechanism, &lowered.constraint, self.contract.name(), spelling),
            extra: &self.request.extra,
        }
        .body()
    }

    /// One request, sent again by the retry policy.
    async fn exchange(&mut self, choice: &Choice, body: &str) -> Result<Reply, Failure> {
        let silent = choice.identity.is_silent();
        let policy = if silent { RetryPolicy::NONE } else { self.connection.config.retry };
        let patience = silent.then_some(PATIENCE_WITH_SILENCE);
        let mut failed = 0;
        loop {
            let answer = self.connection.chat(body.to_owned(), choice.identity.provider, patience).await;
            self.note(choice.mechanism, answer.status, answer.class(), answer.elapsed);
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

    fn note(&mut self, mechanism: Mechanism, status: Option<u16>, class: Option<ErrorClass>, elapsed: Duration) {
        self.attempts.push(Attempt { mechanism, class, status, elapsed, demoted: None });
    }

    /// After a refusal: is there another way to send this contract? If so, what stands in its way has been put aside.
    async fn steps_down(&mut self, choice: &Choice, spelling: Spelling, failure: &Failure) -> bool {
        let mechanism = choice.mechanism;
        let forced = self.connection.config.mechanism.is_some();
        if forced || mechanism == Mechanism::PromptOnly || failure.blame == Blame::Nothing {
            return false;
        }
        let refused = self.attempts.len().saturating_sub(1);
        if failure.blame == Blame::Request && !self.plain_twin_is_taken(choice).await {
            return false;
        }
        if mechanism == Mechanism::JsonSchema && !spelling.without_strict {
            self.without_strict = true;
            return true;
        }
        let Some(seen) = self.probe(choice).await else { return false };
        let demoted = match seen {
            Seen::Unavailable(_) => return false,
            Seen::Rejected(_) | Seen::Ignored(_) => Demotion::Mechanism,
            Seen::Obeyed | Seen::NoEvidence(_) => Demotion::Contract,
        };
        let hash = self.hash;
        self.knowledge
            .update(|known| match demoted {
                Demotion::Mechanism => known.learn(mechanism, State::Rejected, &*failure.message),
                Demotion::Contract => known.refuse_contract(mechanism, hash),
            })
            .await;
        self.mark_demoted(refused, demoted);
        true
    }

    fn mark_demoted(&mut self, attempt: usize, demoted: Demotion) {
        if let Some(attempt) = self.attempts.get_mut(attempt) {
            attempt.demoted = Some(demoted);
            tracing::info!(mechanism = attempt.mechanism.as_str(), ?demoted, "demoted");
        }
    }

    /// The same request without the constraint: if that is taken, the constraint was what the endpoint did not like.
    async fn plain_twin_is_taken(&mut self, choice: &Choice) -> bool {
        let messages = prompt::messages(self.request, self.contract, self.complaint.as_ref());
        let twin = Choice { mechanism: Mechanism::PromptOnly, ..choice.clone() };
        let lowered = self.contract.lower(choice.identity.provider.dialect(twin.mechanism));
        let body = self.body(&twin, &messages, Some(TWIN_CAP), &lowered, Spelling::default());
        let answer = self.connection.chat(body, choice.identity.provider, Some(probe::BUDGET)).await;
        self.note(Mechanism::PromptOnly, answer.status, answer.class(), answer.elapsed);
        answer.result.is_ok()
    }

    /// A trivial contract by the same mechanism.
    async fn probe(&mut self, choice: &Choice) -> Option<Seen> {
        let until = tokio::time::Instant::now() + probe::BUDGET;
        let probe = probe::probe(self.connection, &choice.identity, choice.mechanism, until).await?;
        self.note(choice.mechanism, probe.answer.status, probe.answer.class(), probe.answer.elapsed);
        Some(probe.seen)
    }

    /// A whole reply that breaks what its mechanism enforces is evidence: the mechanism is probed again, and lost if it fails.
    async fn is_unenforced(&mut self, choice: &Choice, sent: &Sent, judged: &Judged) -> bool {
        let mechanism = choice.mechanism;
        let is_evidence = sent.circumstances.shape_enforced
            && !self.suspected.contains(&mechanism)
            && judge::breaks_enforced_rules(&judged.ending, &sent.lowered.report);
        if !is_evidence {
            return false;
        }
        self.suspected.push(mechanism);
        let broken = self.attempts.len().saturating_sub(1);
        match self.probe(choice).await {
            Some(Seen::Ignored(detail)) => {
                self.knowledge.update(|known| known.learn(mechanism, State::Ignored, detail)).await;
            }
            Some(Seen::Rejected(detail)) => {
                self.knowledge.update(|known| known.learn(mechanism, State::Rejected, detail)).await;
            }
            Some(Seen::Obeyed | Seen::NoEvidence(_) | Seen::Unavailable(_)) | None => return false,
        }
        self.mark_demoted(broken, Demotion::Mechanism);
        true
    }

    /// Is there a point in asking again, and is it still allowed?
    fn asks_again(&mut self, reply: &Reply, judged: &Judged) -> bool {
        if self.reasks_left == 0 {
            return false;
        }
        let complaint = match &judged.ending {
            Ending::Invalid { violations, message } => Complaint::invalid(&judged.reading.text, violations, message),
            // The model ended in the middle by itself: it was not for want of room.
            Ending::Truncated { value: None, .. } if reply.finish_reason == Some(FinishReason::Stop) => {
                Complaint::broken_off()
            }
            Ending::Value(_) | Ending::Truncated { .. } | Ending::Refused { .. } | Ending::Empty => return false,
        };
        self.reasks_left -= 1;
        self.complaint = Some(complaint);
        tracing::info!(ending = judged.ending.as_str(), left = self.reasks_left, "asking again");
        true
    }

    /// The outcome, without what only the end of the call knows.
    fn outcome(&self, mechanism: Mechanism, sent: Sent, judged: Judged) -> Outcome {
        let Judged { ending, reading } = judged;
        tracing::info!(
            ending = ending.as_str(),
            mechanism = mechanism.as_str(),
            requests = self.attempts.len(),
            "done"
        );
        Outcome {
            ending,
            mechanism,
            reading,
            attempts: Vec::new(),
            usage: sent.reply.usage,
            report: sent.lowered.report,
            finish_reason: sent.reply.finish_reason,
            finish_reason_raw: sent.reply.finish_reason_raw,
            elapsed: Duration::ZERO,
        }
    }
}

fn hash_of(lowered: &Lowered) -> u64 {
    let mut hasher = DefaultHasher::new();
    match &lowered.constraint {
        slm_schema::Constraint::Schema(text) | slm_schema::Constraint::Grammar(text) => text.hash(&mut hasher),
        // Nothing is sent but the name of the mechanism.
        slm_schema::Constraint::JsonObject | slm_schema::Constraint::None | _ => lowered.dialect.hash(&mut hasher),
    }
    hasher.finish()
}
