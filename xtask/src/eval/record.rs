//! What is written down of a call: a line of JSON.

use serde::{Deserialize, Serialize};
use slm_backends::{Ending, Error, Outcome as Reply};
use slm_schema::Contract;

use super::matrix::Case;

/// Of a reply that is no value, so much is kept for whoever wants to know why.
const LONGEST_DETAIL: usize = 300;

/// One call and what it came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Which.
    #[serde(flatten)]
    pub(crate) case: Case,
    /// How it ended; `error` where there was no reply.
    pub(crate) outcome: String,
    /// How the replies before the last one ended, each of which was asked for again.
    pub(crate) reasked: Vec<String>,
    /// The mechanism of the reply that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mechanism: Option<String>,
    /// Every rung of the repair ladder that changed the reply.
    pub(crate) rungs: Vec<String>,
    /// Values that were made to fit.
    pub(crate) coercions: usize,
    /// Requests in all: re-asks, steps of the ladder, probes.
    pub(crate) requests: usize,
    /// Tokens of all prompts, as the server counted them.
    pub(crate) prompt_tokens: u64,
    /// Tokens of all replies.
    pub(crate) completion_tokens: u64,
    /// How long it took, in milliseconds.
    pub(crate) ms: u64,
    /// What is wrong, where there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) detail: Option<String>,
}

impl Record {
    /// A call that was answered. A value is held against the contract once more: the client's word is what is measured.
    pub(crate) fn of_reply(case: Case, contract: &Contract, reply: &Reply, reasked: Vec<String>) -> Self {
        let is_false_value = reply.value().is_some_and(|value| !contract.validate(value).is_empty());
        let usage = reply.usage().unwrap_or_default();
        Self {
            case,
            outcome: if is_false_value { FALSE_VALUE } else { reply.ending().as_str() }.to_owned(),
            reasked,
            mechanism: Some(reply.mechanism().as_str().to_owned()),
            rungs: reply.rungs().iter().map(|rung| rung.as_str().to_owned()).collect(),
            coercions: reply.coercions().len(),
            requests: reply.attempts().len(),
            prompt_tokens: usage.prompt_tokens,
            completion_tokens: usage.completion_tokens,
            ms: u64::try_from(reply.elapsed().as_millis()).unwrap_or(u64::MAX),
            detail: detail(reply),
        }
    }

    /// A call that came to nothing.
    pub(crate) fn of_error(case: Case, error: &Error, reasked: Vec<String>, ms: u64) -> Self {
        Self {
            case,
            outcome: "error".to_owned(),
            reasked,
            mechanism: None,
            rungs: Vec::new(),
            coercions: 0,
            requests: error.attempts().len(),
            prompt_tokens: 0,
            completion_tokens: 0,
            ms,
            detail: Some(error.to_string()),
        }
    }

    /// How the first reply ended.
    pub(crate) fn first(&self) -> &str {
        self.reasked.first().unwrap_or(&self.outcome)
    }

    /// Did the model come to an end by itself in its first reply? A loop is ended by the client.
    pub(crate) fn first_finished(&self) -> bool {
        !["truncated", "whitespace_loop", "repetition_loop", "error"].contains(&self.first())
    }

    /// Was the first reply a value, as it came?
    pub(crate) fn is_valid_as_it_came(&self) -> bool {
        self.is_valid_at_first() && self.rungs.is_empty() && self.coercions == 0
    }

    /// Was the first reply a value, repaired where that was needed?
    pub(crate) fn is_valid_at_first(&self) -> bool {
        self.is_valid() && self.reasked.is_empty()
    }

    /// Is there a value in the end?
    pub(crate) fn is_valid(&self) -> bool {
        self.outcome == "value"
    }
}

/// The outcome of a call whose value breaks its contract. There must be none.
pub(crate) const FALSE_VALUE: &str = "false value";

fn detail(reply: &Reply) -> Option<String> {
    let text = match reply.ending() {
        Ending::Value(_) => return None,
        Ending::Invalid { message, .. } => format!("{message}; the reply: {}", reply.text()),
        Ending::Truncated { .. }
        | Ending::Refused { .. }
        | Ending::ToolCall { .. }
        | Ending::Text(_)
        | Ending::Empty
        | Ending::WhitespaceLoop
        | Ending::RepetitionLoop
        | _ => format!("the reply: {}", reply.text()),
    };
    Some(text.chars().take(LONGEST_DETAIL).collect())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A record with these endings, the last of which is the outcome.
    pub(crate) fn record(case: Case, endings: &[&str]) -> Record {
        let (outcome, reasked) = endings.split_last().unwrap();
        Record {
            case,
            outcome: (*outcome).to_owned(),
            reasked: reasked.iter().map(|&ending| ending.to_owned()).collect(),
            mechanism: Some("gbnf_grammar".to_owned()),
            rungs: Vec::new(),
            coercions: 0,
            requests: endings.len(),
            prompt_tokens: 100,
            completion_tokens: 40,
            ms: 1500,
            detail: None,
        }
    }

    pub(crate) fn case() -> Case {
        Case {
            contract: "review".to_owned(),
            asked: "auto".to_owned(),
            temperature: 0.0,
            prompt: "flag".to_owned(),
            seed: 1,
        }
    }

    #[test]
    fn the_first_reply_and_the_last_are_told_apart() {
        let reasked = record(case(), &["invalid", "value"]);
        assert!(reasked.is_valid() && !reasked.is_valid_at_first() && reasked.first_finished());
        let resampled = record(case(), &["repetition_loop", "value"]);
        assert!(resampled.is_valid() && !resampled.first_finished());
        let repaired = Record { rungs: vec!["fence".to_owned()], ..record(case(), &["value"]) };
        assert!(repaired.is_valid_at_first() && !repaired.is_valid_as_it_came());
        let coerced = Record { coercions: 1, ..record(case(), &["value"]) };
        assert!(coerced.is_valid_at_first() && !coerced.is_valid_as_it_came());
        assert!(!record(case(), &[FALSE_VALUE]).is_valid());
    }

    #[test]
    fn a_record_is_read_back_as_it_was_written() {
        let written = Record { detail: Some("\"a\"\nb".to_owned()), ..record(case(), &["invalid", "truncated"]) };
        let line = serde_json::to_string(&written).unwrap();
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), written);
    }
}
