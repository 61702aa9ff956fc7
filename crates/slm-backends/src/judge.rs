//! From a reply to an ending. Pure: the finish reason first, then the repair ladder, then the original schema.

use std::time::Duration;

use serde_json::Value;
use slm_repair::{Fingerprint, Open, Repaired, Rung};
use slm_schema::{Constraint, Contract, EnforcementReport, Lowered, Tier, Violation};

use crate::mechanism::Mechanism;
use crate::outcome::{AnswerSource, Ending, FinishReason, Outcome, Phase, Reading, Warning};
use crate::plain::plain;
use crate::reply::Reply;
use crate::watch::{self, Stopped};

/// Below this, a server that counts oddly is likelier than one that drops prompts.
const LEAST_ESTIMATE: u64 = 512;

/// How a reply was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circumstances {
    /// Was the mechanism seen to enforce the contract's shape on this endpoint?
    pub(crate) shape_enforced: bool,
    /// The cap that was sent.
    pub(crate) cap: Option<u64>,
    /// Our estimate of the prompt.
    pub(crate) prompt_tokens: u64,
}

/// How a reply ends a call, and how it was read.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) ending: Ending,
    pub(crate) reading: Reading,
}

impl Judged {
    /// What the reply is for whoever counts replies; `None` where no document was to be had.
    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        match &self.ending {
            Ending::Value(_) | Ending::ToolCall { .. } => match self.reading.rung {
                None | Some(Rung::None) => Some(Fingerprint::Valid),
                Some(_) => Some(Fingerprint::Repaired),
            },
            Ending::Truncated { .. } => Some(Fingerprint::Truncated),
            Ending::Invalid { .. } | Ending::WhitespaceLoop | Ending::RepetitionLoop => Some(Fingerprint::Invalid),
            Ending::Empty => Some(Fingerprint::NoJson),
            Ending::Text(_) | Ending::Refused { .. } => None,
        }
    }

    /// The outcome, without what only the end of the call knows.
    pub(crate) fn into_outcome(self, mechanism: Mechanism, reply: Reply, report: EnforcementReport) -> Outcome {
        Outcome {
            ending: self.ending,
            mechanism,
            reading: self.reading,
            attempts: Vec::new(),
            usage: reply.usage,
            report,
            finish_reason: reply.finish_reason,
            finish_reason_raw: reply.finish_reason_raw,
            elapsed: Duration::ZERO,
            dropped_tool_calls: 0,
        }
    }
}

/// Judges a reply.
pub(crate) fn judge(reply: &Reply, contract: &Contract, lowered: &Lowered, how: Circumstances) -> Judged {
    let mut reading = Reading { text: reply.text.clone(), source: reply.source, ..Reading::default() };
    reading.warnings.extend(prompt_warning(reply, how));
    let ending = if let Some(message) = refusal(reply) {
        Ending::Refused { message }
    } else if let Some(ending) = reply.stopped.and_then(looped) {
        ending
    } else {
        let is_cut = is_cut(reply, how.cap);
        let ending = if is_cut {
            cut(reply, (contract, lowered), how, &mut reading)
        } else if reply.text.trim().is_empty() {
            without_content(reply, (contract, lowered), &mut reading)
        } else {
            whole(reply, (contract, lowered), &mut reading)
        };
        // One that did not come as a stream ran on until something ended it, which some servers call its end.
        let lost = matches!(ending, Ending::Truncated { value: None, .. } | Ending::Empty);
        let found = watch::loop_at_end(&reply.text).filter(|found| lost && (is_cut || *found == Stopped::WhiteSpace));
        found.and_then(looped).unwrap_or(ending)
    };
    Judged { ending, reading }
}

/// Judges a reply that may be any text.
pub(crate) fn text(reply: &Reply, how: Circumstances) -> Judged {
    let mut reading = Reading { text: reply.text.clone(), source: reply.source, ..Reading::default() };
    reading.warnings.extend(prompt_warning(reply, how));
    let begun = !reply.text.trim().is_empty();
    let ending = if let Some(message) = refusal(reply) {
        Ending::Refused { message }
    } else if let Some(ending) = reply.stopped.and_then(looped) {
        ending
    } else if is_cut(reply, how.cap) {
        let phase = match (begun, reply.reasoning.trim().is_empty()) {
            (true, _) => Phase::InValue,
            (false, true) => Phase::BeforeValue,
            (false, false) => Phase::InReasoning,
        };
        Ending::Truncated { phase, value: None }
    } else if begun {
        Ending::Text(reply.text.clone())
    } else {
        Ending::Empty
    };
    Judged { ending, reading }
}

/// Did the endpoint count far fewer tokens than were sent?
pub(crate) fn prompt_warning(reply: &Reply, how: Circumstances) -> Option<Warning> {
    let (counted, estimated) = (reply.usage?.prompt_tokens, how.prompt_tokens);
    let is_short = estimated >= LEAST_ESTIMATE && counted > 0 && counted.saturating_mul(2) < estimated;
    is_short.then_some(Warning::PromptTruncated { estimated, counted })
}

pub(crate) fn is_refused(reply: &Reply) -> bool {
    refusal(reply).is_some()
}

fn looped(stopped: Stopped) -> Option<Ending> {
    match stopped {
        Stopped::WhiteSpace => Some(Ending::WhitespaceLoop),
        Stopped::Repetition => Some(Ending::RepetitionLoop),
        Stopped::Whole | Stopped::Prose => None,
    }
}

fn refusal(reply: &Reply) -> Option<String> {
    match (&reply.refusal, reply.finish_reason) {
        (Some(refusal), _) => Some(plain(refusal)),
        (None, Some(FinishReason::ContentFilter)) => Some("a content filter stopped the reply".to_owned()),
        _ => None,
    }
}

/// By what the endpoint says, or because it stopped exactly at the cap: some report `stop` there.
pub(crate) fn is_cut(reply: &Reply, cap: Option<u64>) -> bool {
    let at_cap = match (reply.usage, cap) {
        (Some(usage), Some(cap)) => usage.completion_tokens >= cap,
        _ => false,
    };
    reply.finish_reason == Some(FinishReason::Length) || at_cap || reply.is_incomplete
}

pub(crate) fn note(reading: &mut Reading, repaired: &Repaired) {
    reading.rung = Some(repaired.rung);
    reading.rungs.clone_from(&repaired.rungs);
    reading.coercions.clone_from(&repaired.coercions);
}

fn cut(reply: &Reply, (contract, lowered): (&Contract, &Lowered), how: Circumstances, reading: &mut Reading) -> Ending {
    let truncated = |phase| Ending::Truncated { phase, value: None };
    if reply.text.trim().is_empty() {
        let phase = if reply.reasoning.trim().is_empty() { Phase::BeforeValue } else { Phase::InReasoning };
        return truncated(phase);
    }
    match read(&reply.text, contract, lowered) {
        Ok(repaired) if closed_by_itself(&repaired) && contract.validate(&repaired.value).is_empty() => {
            note(reading, &repaired);
            // Nothing could have followed but a fence or white space.
            if how.shape_enforced {
                reading.warnings.push(Warning::CutAfterValue);
                return Ending::Value(repaired.value);
            }
            Ending::Truncated { phase: Phase::AfterValue, value: Some(repaired.value) }
        }
        Err(error) if error.open() == Some(Open::Reasoning) => truncated(Phase::InReasoning),
        Err(error) if error.kind() == slm_repair::ErrorKind::NoJson => truncated(Phase::BeforeValue),
        Ok(_) | Err(_) => truncated(Phase::InValue),
    }
}

/// The document that a text holds, in the contract's own shape: what a dialect forced on it is undone first.
pub(crate) fn read(text: &str, contract: &Contract, lowered: &Lowered) -> Result<Repaired, slm_repair::Error> {
    if matches!(lowered.constraint, Constraint::Schema(_))
        && let Ok(mut repaired) = slm_repair::repair(text)
    {
        let value = lowered.read_back(repaired.value.clone());
        if value != repaired.value {
            repaired.value = value;
            return Ok(repaired);
        }
    }
    slm_repair::repair_as(text, contract.schema())
}

/// More digits can follow a number, and a closer that was appended closed nothing by itself.
pub(crate) fn closed_by_itself(repaired: &Repaired) -> bool {
    !repaired.rungs.contains(&Rung::CloseBraces) && !matches!(repaired.value, Value::Number(_))
}

/// Some servers put a constrained answer where reasoning goes, and some gateways make it the arguments of a tool. It is one
/// only if all of it is a valid document: pieces of a train of thought are not.
fn without_content(reply: &Reply, (contract, lowered): (&Contract, &Lowered), reading: &mut Reading) -> Ending {
    let arguments = reply.tool_calls.first().map(|call| (call.arguments.as_str(), AnswerSource::ToolArguments));
    let reasoning = (reply.reasoning.as_str(), AnswerSource::Reasoning);
    for (text, source) in arguments.into_iter().chain([reasoning]) {
        if let Ok(value) = serde_json::from_str::<Value>(text.trim()).map(|value| lowered.read_back(value))
            && contract.validate(&value).is_empty()
        {
            text.clone_into(&mut reading.text);
            reading.source = source;
            reading.rung = Some(Rung::None);
            return Ending::Value(value);
        }
    }
    Ending::Empty
}

fn whole(reply: &Reply, (contract, lowered): (&Contract, &Lowered), reading: &mut Reading) -> Ending {
    let repaired = match read(&reply.text, contract, lowered) {
        Ok(repaired) => repaired,
        Err(error) if error.kind() == slm_repair::ErrorKind::Truncated => {
            let phase = if error.open() == Some(Open::Reasoning) { Phase::InReasoning } else { Phase::InValue };
            return Ending::Truncated { phase, value: None };
        }
        Err(error) => return Ending::Invalid { violations: Vec::new(), message: plain(&error.to_string()) },
    };
    note(reading, &repaired);
    let violations = contract.validate(&repaired.value);
    if violations.is_empty() {
        return Ending::Value(repaired.value);
    }
    let message = summary(&violations);
    Ending::Invalid { violations, message }
}

pub(crate) fn summary(violations: &[Violation]) -> String {
    let first = violations.first().map(|violation| {
        let place = if violation.pointer.is_empty() { "the document" } else { &violation.pointer };
        plain(&format!("{place}: {}", violation.message))
    });
    match violations.len() {
        0 | 1 => first.unwrap_or_default(),
        count => format!("{} (and {} more)", first.unwrap_or_default(), count - 1),
    }
}

/// Could a mechanism that enforces what `report` says have let this ending through?
pub(crate) fn breaks_enforced_rules(ending: &Ending, report: &EnforcementReport) -> bool {
    let Ending::Invalid { violations, .. } = ending else { return false };
    let enforced = |violation: &Violation| {
        report.entries().iter().any(|entry| {
            matches!(entry.tier, Tier::Grammar | Tier::GrammarStricter)
                && violation.schema_pointer == format!("{}/{}", entry.pointer, entry.keyword)
        })
    };
    violations.is_empty() || violations.iter().any(enforced)
}
