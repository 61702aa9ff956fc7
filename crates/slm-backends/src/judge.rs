//! From a reply to an ending. Pure: the finish reason first, then the repair ladder, then the original schema.

use serde_json::Value;
use slm_repair::{Open, Repaired, Rung};
use slm_schema::{Contract, EnforcementReport, Tier, Violation};

use crate::outcome::{AnswerSource, Ending, FinishReason, Phase, Reading, Warning};
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

/// Judges a reply.
pub(crate) fn judge(reply: &Reply, contract: &Contract, how: Circumstances) -> Judged {
    let mut reading = Reading { text: reply.text.clone(), source: reply.source, ..Reading::default() };
    if let (Some(usage), estimated) = (reply.usage, how.prompt_tokens) {
        let counted = usage.prompt_tokens;
        if estimated >= LEAST_ESTIMATE && counted > 0 && counted.saturating_mul(2) < estimated {
            reading.warnings.push(Warning::PromptTruncated { estimated, counted });
        }
    }
    let ending = if let Some(message) = refusal(reply) {
        Ending::Refused { message }
    } else if let Some(ending) = reply.stopped.and_then(looped) {
        ending
    } else if is_cut(reply, how.cap) {
        let ending = cut(reply, contract, how, &mut reading);
        // One that did not come as a stream ran until it was cut.
        let lost = matches!(ending, Ending::Truncated { value: None, .. });
        watch::loop_at_end(&reply.text).filter(|_| lost).and_then(looped).unwrap_or(ending)
    } else if reply.text.trim().is_empty() {
        without_content(reply, contract, &mut reading)
    } else {
        whole(reply, contract, &mut reading)
    };
    Judged { ending, reading }
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
fn is_cut(reply: &Reply, cap: Option<u64>) -> bool {
    let at_cap = match (reply.usage, cap) {
        (Some(usage), Some(cap)) => usage.completion_tokens >= cap,
        _ => false,
    };
    reply.finish_reason == Some(FinishReason::Length) || at_cap || reply.is_incomplete
}

fn note(reading: &mut Reading, repaired: &Repaired) {
    reading.rung = Some(repaired.rung);
    reading.rungs.clone_from(&repaired.rungs);
    reading.coercions.clone_from(&repaired.coercions);
}

fn cut(reply: &Reply, contract: &Contract, how: Circumstances, reading: &mut Reading) -> Ending {
    let truncated = |phase| Ending::Truncated { phase, value: None };
    if reply.text.trim().is_empty() {
        let phase = if reply.reasoning.trim().is_empty() { Phase::BeforeValue } else { Phase::InReasoning };
        return truncated(phase);
    }
    match slm_repair::repair_as(&reply.text, contract.schema()) {
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

/// More digits can follow a number, and a closer that was appended closed nothing by itself.
fn closed_by_itself(repaired: &Repaired) -> bool {
    !repaired.rungs.contains(&Rung::CloseBraces) && !matches!(repaired.value, Value::Number(_))
}

/// Some servers put a constrained answer where reasoning goes. It is one only if all of it is a valid document: pieces of
/// a train of thought are not.
fn without_content(reply: &Reply, contract: &Contract, reading: &mut Reading) -> Ending {
    match serde_json::from_str::<Value>(reply.reasoning.trim()) {
        Ok(value) if contract.validate(&value).is_empty() => {
            reading.text.clone_from(&reply.reasoning);
            reading.source = AnswerSource::Reasoning;
            reading.rung = Some(Rung::None);
            Ending::Value(value)
        }
        _ => Ending::Empty,
    }
}

fn whole(reply: &Reply, contract: &Contract, reading: &mut Reading) -> Ending {
    let repaired = match slm_repair::repair_as(&reply.text, contract.schema()) {
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

fn summary(violations: &[Violation]) -> String {
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
