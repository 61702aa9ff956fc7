//! Calls without a constraint: a turn with tools, and free text.

use slm_schema::{Contract, Dialect, EnforcementReport};
use tracing::Instrument as _;

use crate::class::ErrorClass;
use crate::classify::Blame;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind};
use crate::failure::Failure;
use crate::judge::{self, Circumstances, Judged};
use crate::knowledge::{Choice, Knowledge};
use crate::observe::{self, Asked};
use crate::outcome::{Ending, Outcome, Reading};
use crate::probe;
use crate::prompt;
use crate::provider::Preset;
use crate::reask::Reasks;
use crate::reply::Reply;
use crate::request::Request;
use crate::retry::RetryPolicy;
use crate::room;
use crate::session::{Session, in_time};
use crate::tool_judge;
use crate::tools::Tools;
use crate::watch::{Until, Watch};
use crate::wire::chat::{Chat, Message};

/// What a call without a constraint is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Task<'a> {
    /// What the text should be, where no tool is called; free text without it.
    pub(crate) contract: Option<&'a Contract>,
    pub(crate) tools: Option<&'a Tools>,
    pub(crate) request: &'a Request,
    pub(crate) retry: RetryPolicy,
}

/// Makes one call within the configured time.
pub(crate) async fn turn(connection: &Connection, knowledge: &Knowledge, task: Task<'_>) -> Result<Outcome, Error> {
    let mut turn = Turn {
        session: Session::new(connection, task.request, if task.contract.is_some() { "json" } else { "text" }),
        knowledge,
        task,
        reasks: Reasks::new(connection.config.max_reasks),
        without_strict: false,
    };
    let span = turn.session.span.clone();
    let result = in_time(connection.config.timeout, turn.run()).instrument(span).await;
    turn.session.end(result)
}

struct Turn<'a> {
    session: Session<'a>,
    knowledge: &'a Knowledge,
    task: Task<'a>,
    reasks: Reasks,
    /// The endpoint could not compile the tools' schemas: once more without holding arguments to them.
    without_strict: bool,
}

impl Turn<'_> {
    async fn run(&mut self) -> Result<Outcome, Failure> {
        loop {
            let choice = self
                .knowledge
                .unconstrained(self.session.connection, &self.session.setting, self.task.tools.is_some())
                .await;
            if self.task.tools.is_some() && choice.identity.supports_tools == Some(false) {
                return Err(no_tools_in_template());
            }
            let preset = choice.identity.provider.preset();
            let strict = preset.strict_tools && !self.without_strict && tools_fit(self.task.tools, preset);
            let (reply, how) = match self.send(&choice, strict).await {
                Ok(sent) => sent,
                Err(failure) if self.is_sent_otherwise(&choice, strict, &failure).await => continue,
                Err(failure) => {
                    if matches!(failure.kind, ErrorKind::Connect | ErrorKind::Transport) {
                        self.knowledge.doubt().await;
                    }
                    return Err(failure);
                }
            };
            let (judged, dropped) = self.judge(&reply, preset, strict, how);
            if self.task.contract.is_some() || self.task.tools.is_some() {
                self.session.count(self.knowledge, &judged);
            }
            let chosen_cap = how.cap.filter(|_| self.task.request.max_tokens.is_none());
            if self.reasks.asks_again(&reply, &judged, chosen_cap) {
                continue;
            }
            return Ok(self.outcome(&choice, strict, reply, judged, dropped));
        }
    }

    async fn send(&mut self, choice: &Choice, strict: bool) -> Result<(Reply, Circumstances), Failure> {
        let Choice { identity, capabilities, mechanism } = choice;
        let Task { contract, tools, request, retry } = self.task;
        let messages = self.messages();
        let messages = if capabilities.folds_system() { prompt::fold_system(messages) } else { messages };
        let prompt_tokens = prompt::estimated_tokens(&messages);
        let space = room::Space {
            thinks: capabilities.thinks(),
            room: self.reasks.room(),
            window: identity.window,
            prompt_tokens,
        };
        let chosen = || contract.and_then(|contract| room::cap(contract, *mechanism, space));
        let cap = request.max_tokens.or_else(chosen);
        let preset = identity.provider.preset();
        let connection = self.session.connection;
        let body = Chat {
            temperature: self.reasks.temperature(request),
            seed: self.reasks.seed(request),
            tools: tools.map(|tools| tools.fields(preset, strict)).unwrap_or_default(),
            stop: if capabilities.takes_stop() { &request.stop } else { &[] },
            extra: &request.extra,
            delivery: connection.delivery(preset, *mechanism, capabilities),
            ..Chat::new(probe::model(connection, identity), &messages, cap, preset)
        }
        .body();
        observe::asked(
            &self.session.span,
            Asked {
                provider: identity.provider.as_str(),
                model: probe::model(connection, identity),
                cap,
                temperature: self.reasks.temperature(request),
                seed: self.reasks.seed(request),
            },
        );
        tracing::info!(endpoint = %connection.endpoint, tools = tools.is_some(), strict, "sending");
        let watch = || Watch::new(Until::End, None);
        let reply = self.session.exchange(identity, *mechanism, retry, &body, watch).await?;
        Ok((reply, Circumstances { shape_enforced: false, cap, prompt_tokens }))
    }

    fn messages(&self) -> Vec<Message> {
        let complaint = self.reasks.complaint.as_ref();
        match (self.task.contract, self.task.tools) {
            (Some(contract), None) => prompt::messages(self.task.request, contract, complaint),
            (Some(contract), Some(_)) => prompt::messages_with_tools(self.task.request, contract, complaint),
            (None, _) => prompt::plain_messages(self.task.request, complaint),
        }
    }

    /// Is there another way to send the same?
    async fn is_sent_otherwise(&mut self, choice: &Choice, strict: bool, failure: &Failure) -> bool {
        if self.session.adapts(self.knowledge, &choice.capabilities, failure).await {
            return true;
        }
        let is_about_tools = failure.blame != Blame::Nothing && strict && self.task.tools.is_some();
        self.without_strict |= is_about_tools;
        is_about_tools
    }

    fn judge(&self, reply: &Reply, preset: &Preset, strict: bool, how: Circumstances) -> (Judged, usize) {
        if let Some(judged) =
            self.task.tools.and_then(|tools| tool_judge::judge(reply, &tools.lowered(preset, strict), how))
        {
            return judged;
        }
        if self.task.tools.is_some() && tool_judge::lost_its_call(reply) {
            let message = "the endpoint says that a tool was called, and gives no call".to_owned();
            let ending = Ending::Invalid { violations: Vec::new(), message };
            return (Judged { ending, reading: Reading::default() }, 0);
        }
        let judged = match self.task.contract {
            Some(contract) => judge::judge(reply, contract, &contract.lower(Dialect::PromptOnly), how),
            None => judge::text(reply, how),
        };
        (judged, 0)
    }

    fn outcome(&self, choice: &Choice, strict: bool, reply: Reply, judged: Judged, dropped: usize) -> Outcome {
        let preset = choice.identity.provider.preset();
        let called = if let Ending::ToolCall { name, .. } = &judged.ending {
            self.task.tools.and_then(|tools| tools.get(name))
        } else {
            None
        };
        let report = match (called, self.task.contract) {
            (Some(tool), _) => tool.report(preset, strict),
            (None, Some(contract)) => contract.lower(Dialect::PromptOnly).report,
            (None, None) => EnforcementReport::default(),
        };
        tracing::info!(ending = judged.ending.as_str(), requests = self.session.attempts.len(), dropped, "done");
        Outcome { dropped_tool_calls: dropped, ..judged.into_outcome(choice.mechanism, reply, report) }
    }
}

/// Do all tools keep to the limits of what can be held to them?
fn tools_fit(tools: Option<&Tools>, preset: &Preset) -> bool {
    tools.is_some_and(|tools| tools.iter().all(|tool| tool.lowered(preset, true).check().is_ok()))
}

fn no_tools_in_template() -> Failure {
    let message = "the model's chat template has no place for tools: it would not see them";
    Failure::new(ErrorKind::Config, ErrorClass::Permanent, message).with_hint(
        "serve a model whose template takes tools, or give the server one that does (llama.cpp: --chat-template-file)",
    )
}
