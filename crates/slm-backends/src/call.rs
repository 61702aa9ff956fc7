//! One structured call: choose a mechanism, send, judge, and walk down the ladder or ask again where that helps.

use serde_json::Value;
use slm_schema::{Constraint, Contract, Lowered};
use tokio::sync::mpsc::UnboundedSender;
use tracing::Instrument as _;

use crate::capabilities::{Capabilities, Spelling};
use crate::connection::Connection;
use crate::error::{Error, ErrorKind};
use crate::failure::Failure;
use crate::hash::fnv1a;
use crate::judge::{self, Circumstances, Judged};
use crate::knowledge::{Choice, Knowledge};
use crate::mechanism::Mechanism;
use crate::observe::{self, Asked};
use crate::outcome::Outcome;
use crate::probe;
use crate::prompt;
use crate::reask::Reasks;
use crate::reply::Reply;
use crate::request::Request;
use crate::room;
use crate::session::{Session, in_time};
use crate::stop;
use crate::watch::{Until, Watch};
use crate::wire::chat::{Chat, Message};
use crate::wire::constraint;

/// What a structured call is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) contract: &'a Contract,
    pub(crate) request: &'a Request,
    /// Where the document goes while it grows.
    pub(crate) partials: Option<&'a UnboundedSender<Value>>,
}

/// Makes one call within the configured time.
pub(crate) async fn structured(
    connection: &Connection,
    knowledge: &Knowledge,
    task: Task<'_>,
) -> Result<Outcome, Error> {
    let mut call = Call {
        session: Session::new(connection, task.request, "json"),
        knowledge,
        task,
        hash: fnv1a(&task.contract.to_json()),
        reasks: Reasks::new(connection.config.max_reasks),
        without_strict: false,
        put_aside: None,
        without_stop: false,
        suspected: Vec::new(),
    };
    let span = call.session.span.clone();
    let result = in_time(connection.config.timeout, call.run()).instrument(span).await;
    call.session.end(result)
}

pub(crate) struct Call<'a> {
    pub(crate) session: Session<'a>,
    pub(crate) knowledge: &'a Knowledge,
    pub(crate) task: Task<'a>,
    pub(crate) hash: u64,
    pub(crate) reasks: Reasks,
    /// The endpoint refused the contract with `strict`: once more without.
    pub(crate) without_strict: bool,
    /// The endpoint refused the contract for these keywords by this mechanism: once more without them.
    pub(crate) put_aside: Option<(Mechanism, Vec<String>)>,
    /// A stop string may have ended the reply before its document began: once more without.
    pub(crate) without_stop: bool,
    /// Mechanisms that were probed again in this call, after a reply that broke what they enforce.
    pub(crate) suspected: Vec<Mechanism>,
}

/// A request as it was sent.
pub(crate) struct Sent {
    pub(crate) reply: Reply,
    pub(crate) lowered: Lowered,
    pub(crate) circumstances: Circumstances,
}

impl Call<'_> {
    /// Every turn either ends the call, spends a re-ask, or takes something from the mechanism; the floor has nothing to lose.
    async fn run(&mut self) -> Result<Outcome, Failure> {
        let contract = self.task.contract;
        loop {
            let choice =
                self.knowledge.choose(self.session.connection, &self.session.setting, contract, self.hash).await;
            let mut spelling = choice.capabilities.spelling_for(self.hash);
            spelling.without_strict |= self.without_strict;
            let dialect = choice.identity.provider.dialect(choice.mechanism, !spelling.without_strict);
            let lowered = contract.lower_without(dialect, self.put_aside(&choice));
            if self.is_beyond_limits(&choice, &lowered).await? {
                continue;
            }
            let (reply, circumstances) = match self.send(&choice, spelling, &lowered).await {
                Ok(received) => received,
                Err(failure) if self.steps_down(&choice, spelling, &lowered, &failure).await => continue,
                Err(failure) => {
                    if matches!(failure.kind, ErrorKind::Connect | ErrorKind::Transport) {
                        self.knowledge.doubt().await;
                    }
                    return Err(failure);
                }
            };
            self.remember(&choice, &reply).await;
            let sent = Sent { reply, lowered, circumstances };
            let judged = judge::judge(&sent.reply, contract, &sent.lowered, sent.circumstances);
            if !self.stops(&choice).is_empty() && stop::came_too_early(&sent.reply, &judged.ending) {
                tracing::info!("a stop string may have ended the reply: asking without");
                self.without_stop = true;
                continue;
            }
            self.session.count(self.knowledge, &judged);
            let chosen_cap = sent.circumstances.cap.filter(|_| self.task.request.max_tokens.is_none());
            if self.is_unenforced(&choice, &sent, &judged).await
                || self.reasks.asks_again(&sent.reply, &judged, chosen_cap)
            {
                continue;
            }
            return Ok(self.outcome(choice.mechanism, sent, judged));
        }
    }

    /// The keywords that are left out, because the endpoint refused the contract for them, now or before.
    pub(crate) fn put_aside<'s>(&'s self, choice: &'s Choice) -> &'s [String] {
        match &self.put_aside {
            Some((mechanism, keywords)) if *mechanism == choice.mechanism => keywords,
            _ => choice.capabilities.put_aside(choice.mechanism, self.hash),
        }
    }

    /// What a reply shows besides its document.
    async fn remember(&self, choice: &Choice, reply: &Reply) {
        if self.without_strict && choice.mechanism == Mechanism::JsonSchema {
            self.session.learn(self.knowledge, |known| known.take_without_strict(self.hash)).await;
        }
        if let Some((mechanism, keywords)) = &self.put_aside
            && *mechanism == choice.mechanism
        {
            let (mechanism, keywords, hash) = (*mechanism, keywords.clone(), self.hash);
            self.session.learn(self.knowledge, |known| known.take_without(mechanism, hash, keywords)).await;
        }
        if !reply.reasoning.trim().is_empty() && !choice.capabilities.thinks() {
            self.session.learn(self.knowledge, Capabilities::learn_thinking).await;
        }
    }

    /// Sends the request by a mechanism, again where that may help.
    async fn send(
        &mut self,
        choice: &Choice,
        spelling: Spelling,
        lowered: &Lowered,
    ) -> Result<(Reply, Circumstances), Failure> {
        let Choice { mechanism, identity, capabilities } = choice;
        let Task { contract, request, partials } = self.task;
        let messages = self.messages(choice);
        let prompt_tokens = prompt::estimated_tokens(&messages);
        let thinks = capabilities.thinks();
        let room = self.reasks.room();
        let chosen =
            || room::cap(contract, *mechanism, room::Space { thinks, room, window: identity.window, prompt_tokens });
        let cap = request.max_tokens.or_else(chosen);
        let body = self.body(choice, &messages, cap, lowered, spelling);
        observe::asked(
            &self.session.span,
            Asked {
                provider: identity.provider.as_str(),
                model: probe::model(self.session.connection, identity),
                cap,
                temperature: self.reasks.temperature(request),
                seed: self.reasks.seed(request),
            },
        );
        tracing::info!(
            endpoint = %self.session.connection.endpoint,
            contract = contract.name(),
            intended = format_args!("{:016x}", self.hash),
            sent = format_args!("{:016x}", hash_of(lowered)),
            mechanism = mechanism.as_str(),
            report = %lowered.report,
            "sending"
        );
        tracing::debug!(intended = %contract.to_json(), sent = ?lowered.constraint, "schemas");
        // Where something holds the reply to its shape, the endpoint knows when it is whole.
        let until = if mechanism.carries_shape() { Until::End } else { Until::Valid(contract) };
        let policy = self.session.connection.config.retry;
        let watch = || Watch::new(until, partials).with_stops(&request.stop);
        let reply = self.session.exchange(identity, *mechanism, policy, &body, watch).await?;
        let enforced = self.session.connection.config.mechanism.is_none() && capabilities.is_enforced(*mechanism);
        let shape_enforced = enforced && mechanism.carries_shape();
        Ok((reply, Circumstances { shape_enforced, cap, prompt_tokens }))
    }

    /// The stop strings that are sent. One may occur in a train of thought.
    fn stops(&self, choice: &Choice) -> &[String] {
        let known = &choice.capabilities;
        if self.without_stop || known.thinks() || !known.takes_stop() { &[] } else { &self.task.request.stop }
    }

    pub(crate) fn messages(&self, choice: &Choice) -> Vec<Message> {
        let messages = prompt::messages(self.task.request, self.task.contract, self.reasks.complaint.as_ref());
        if choice.capabilities.folds_system() { prompt::fold_system(messages) } else { messages }
    }

    pub(crate) fn body(
        &self,
        choice: &Choice,
        messages: &[Message],
        cap: Option<u64>,
        lowered: &Lowered,
        spelling: Spelling,
    ) -> String {
        let connection = self.session.connection;
        let preset = choice.identity.provider.preset();
        let name = self.task.contract.name();
        Chat {
            temperature: self.reasks.temperature(self.task.request),
            seed: self.reasks.seed(self.task.request),
            constraint: constraint::field(choice.mechanism, &lowered.constraint, name, spelling, preset),
            stop: self.stops(choice),
            extra: &self.task.request.extra,
            delivery: connection.delivery(preset, choice.mechanism, &choice.capabilities),
            ..Chat::new(probe::model(connection, &choice.identity), messages, cap, preset)
        }
        .body()
    }

    /// The outcome, without what only the end of the call knows.
    fn outcome(&self, mechanism: Mechanism, sent: Sent, judged: Judged) -> Outcome {
        tracing::info!(
            ending = judged.ending.as_str(),
            mechanism = mechanism.as_str(),
            requests = self.session.attempts.len(),
            "done"
        );
        judged.into_outcome(mechanism, sent.reply, sent.lowered.report)
    }
}

fn hash_of(lowered: &Lowered) -> u64 {
    match &lowered.constraint {
        Constraint::Schema(text) | Constraint::Grammar(text) => fnv1a(text),
        // Nothing is sent but the name of the mechanism.
        Constraint::JsonObject | Constraint::None | _ => fnv1a(lowered.dialect.as_str()),
    }
}
