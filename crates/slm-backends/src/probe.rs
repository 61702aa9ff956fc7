//! Does an endpoint enforce a mechanism? It is asked for something the constraint forbids, and its reply is believed, not
//! its status.

mod canary;

use std::time::Duration;

use tokio::time::Instant;

use crate::capabilities::{Capabilities, Spelling, State};
use crate::classify::Blame;
use crate::connection::{Answer, Connection};
use crate::error::ErrorKind;
use crate::failure::Failure;
use crate::identify::Identity;
use crate::mechanism::Mechanism;
use crate::outcome::FinishReason;
use crate::plain::plain;
use crate::provider::Preset;
use crate::reply::Reply;
use crate::setting::Setting;
use crate::watch::{Stopped, Until, Watch};
use crate::wire::chat::{Chat, Delivery};
use crate::wire::constraint;

pub(crate) use canary::canary;

/// Time for everything that is found out before a call, whatever happens.
pub(crate) const BUDGET: Duration = Duration::from_secs(20);
/// Room for a model that thinks first: a reply cut while thinking would be no evidence.
const CAP: u64 = 512;

/// What a probe showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The reply obeys.
    Obeyed,
    /// A whole reply that does not obey.
    Ignored(String),
    /// The endpoint refuses the mechanism.
    Rejected(String),
    /// A reply that says nothing either way: cut, refused, empty.
    NoEvidence(String),
    /// No reply, for a reason that has nothing to do with the mechanism.
    Unavailable(String),
}

/// A probe, and the request that it took last.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) seen: Seen,
    pub(crate) spelling: Spelling,
    pub(crate) thinks: bool,
    /// The endpoint refused to answer as a stream.
    pub(crate) refuses_streams: bool,
    pub(crate) answer: Answer,
}

/// Probes one mechanism, in each of its spellings until one is enforced; `None` where there is no time left.
///
/// It asks as calls do, as a stream where those do and with the caller's own fields: some endpoints enforce one way what
/// they do not enforce the other.
pub(crate) async fn probe(
    connection: &Connection,
    identity: &Identity,
    (known, setting): (&Capabilities, &Setting),
    mechanism: Mechanism,
    until: Instant,
) -> Option<Probe> {
    let mut delivery = connection.delivery(identity.provider.preset(), mechanism, known);
    let mut refuses_streams = false;
    let mut last: Option<Probe> = None;
    let mut spellings = spellings(mechanism, identity.provider.preset()).into_iter().peekable();
    while let Some(spelling) = spellings.peek().copied() {
        let Some(body) = body(connection, identity, setting, mechanism, (spelling, delivery)) else { break };
        let patience = until.saturating_duration_since(Instant::now());
        if patience.is_zero() {
            break;
        }
        let mut watch = Watch::new(Until::Document, None);
        let answer = connection.chat(body, identity.provider, Some(patience), &mut watch).await;
        if delivery != Delivery::Whole && answer.result.as_ref().is_err_and(Failure::refuses_streams) {
            (delivery, refuses_streams) = (Delivery::Whole, true);
            continue;
        }
        spellings.next();
        let thinks = answer.result.as_ref().is_ok_and(is_thinking);
        let seen = see(mechanism, &answer.result, cap(identity), setting);
        let is_final = match seen {
            Seen::Obeyed | Seen::Unavailable(_) => true,
            // What is ignored with `strict` is ignored without it.
            Seen::Ignored(_) | Seen::NoEvidence(_) => mechanism == Mechanism::JsonSchema,
            Seen::Rejected(_) => false,
        };
        last = Some(Probe { seen, spelling, thinks, refuses_streams, answer });
        if is_final {
            break;
        }
    }
    if let Some(probe) = &last {
        tracing::info!(mechanism = mechanism.as_str(), seen = probe.seen.as_str(), "probed");
    }
    last
}

fn spellings(mechanism: Mechanism, preset: &Preset) -> Vec<Spelling> {
    let plain = Spelling::default();
    match mechanism {
        Mechanism::JsonSchema if !preset.has_strict() => vec![plain],
        Mechanism::JsonSchema => vec![plain, Spelling { without_strict: true, ..plain }],
        Mechanism::GuidedJson => vec![plain, Spelling { older_guided: true, ..plain }],
        Mechanism::GbnfGrammar | Mechanism::JsonObject | Mechanism::PromptOnly => vec![plain],
    }
}

fn body(
    connection: &Connection,
    identity: &Identity,
    setting: &Setting,
    mechanism: Mechanism,
    (spelling, delivery): (Spelling, Delivery),
) -> Option<String> {
    let contract = canary()?;
    let preset = identity.provider.preset();
    let lowered = contract.lower(identity.provider.dialect(mechanism, !spelling.without_strict));
    let messages = canary::question(mechanism);
    let chat = Chat {
        temperature: preset.takes_temperature.then_some(0.0),
        constraint: constraint::field(mechanism, &lowered.constraint, contract.name(), spelling, preset),
        extra: &setting.fields,
        delivery,
        ..Chat::new(model(connection, identity), &messages, Some(cap(identity)), preset)
    };
    Some(chat.body())
}

/// vLLM refuses a cap beyond its window.
fn cap(identity: &Identity) -> u64 {
    identity.window.map_or(CAP, |window| CAP.min(window / 2).max(1))
}

/// The model that requests name: the configured one, the first listed, or a word that servers of a single model ignore.
pub(crate) fn model<'a>(connection: &'a Connection, identity: &'a Identity) -> &'a str {
    connection.config.model.as_deref().or_else(|| identity.models.first().map(String::as_str)).unwrap_or("default")
}

fn is_thinking(reply: &Reply) -> bool {
    let begins_with_tag =
        ["<think", "<|channel|>", "<reasoning>"].iter().any(|tag| reply.text.trim_start().starts_with(tag));
    begins_with_tag || (!reply.reasoning.trim().is_empty() && !reply.text.trim().is_empty())
}

/// What an answer shows about a mechanism.
fn see(mechanism: Mechanism, result: &Result<Reply, Failure>, cap: u64, setting: &Setting) -> Seen {
    let reply = match result {
        Ok(reply) => reply,
        Err(failure) => return see_failure(failure, setting),
    };
    if reply.refusal.is_some() || reply.finish_reason == Some(FinishReason::ContentFilter) {
        return Seen::NoEvidence("the probe was refused by the model".to_owned());
    }
    let cut = reply.finish_reason == Some(FinishReason::Length)
        || reply.usage.is_some_and(|usage| usage.completion_tokens >= cap);
    if cut || reply.is_incomplete || matches!(reply.stopped, Some(Stopped::WhiteSpace | Stopped::Repetition)) {
        return Seen::NoEvidence("the probe's reply was cut off".to_owned());
    }
    if !reply.tool_calls.is_empty() {
        return Seen::NoEvidence("the probe was answered with a tool call".to_owned());
    }
    let text = if reply.text.trim().is_empty() { reply.reasoning.trim() } else { reply.text.trim() };
    if text.is_empty() {
        return Seen::NoEvidence("the probe's reply was empty".to_owned());
    }
    if canary::obeys(mechanism, text) {
        return Seen::Obeyed;
    }
    let mut quoted: String = plain(text).chars().take(60).collect();
    if reply.stopped.is_some() {
        quoted.push('…');
    }
    Seen::Ignored(format!("taken with a 200 and ignored: the probe was answered \"{quoted}\""))
}

fn see_failure(failure: &Failure, setting: &Setting) -> Seen {
    let words = failure.message.clone();
    match failure.blame {
        // It may be a field of the caller's that it does not like.
        Blame::Request if !setting.fields.is_empty() => Seen::Unavailable(words),
        Blame::Constraint | Blame::Request => Seen::Rejected(words),
        Blame::Nothing => Seen::Unavailable(words),
    }
}

impl Seen {
    fn as_str(&self) -> &'static str {
        match self {
            Self::Obeyed => "obeyed",
            Self::Ignored(_) => "ignored",
            Self::Rejected(_) => "rejected",
            Self::NoEvidence(_) => "no evidence",
            Self::Unavailable(_) => "unavailable",
        }
    }
}

impl Probe {
    /// Did the endpoint not answer in time?
    pub(crate) fn is_timed_out(&self) -> bool {
        self.answer.result.as_ref().is_err_and(|failure| failure.kind == ErrorKind::Timeout)
    }

    /// Writes down what was seen. What could not be asked stays open.
    pub(crate) fn note(&self, known: &mut Capabilities, mechanism: Mechanism) {
        let (state, detail) = match &self.seen {
            Seen::Obeyed => (State::Enforced, "a probe obeyed it"),
            Seen::Ignored(detail) => (State::Ignored, detail.as_str()),
            Seen::Rejected(detail) => (State::Rejected, detail.as_str()),
            Seen::NoEvidence(detail) => (State::Untried, detail.as_str()),
            Seen::Unavailable(_) => return,
        };
        known.learn(mechanism, state, detail);
        if self.seen == Seen::Obeyed {
            let mut spelling = known.spelling();
            match mechanism {
                Mechanism::JsonSchema => spelling.without_strict = self.spelling.without_strict,
                Mechanism::GuidedJson => spelling.older_guided = self.spelling.older_guided,
                Mechanism::GbnfGrammar | Mechanism::JsonObject | Mechanism::PromptOnly => {}
            }
            known.learn_spelling(spelling);
        }
        if self.refuses_streams {
            known.learn_no_streams();
        }
        if self.thinks {
            known.learn_thinking();
        }
    }
}
