//! Who takes part in which set-up, and what is written down of each turn.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::contestant::{Answer, Cap, Job};
use super::usage::Usage;

/// One set-up that takes part.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name; for a script also its mode.
    pub(crate) name: &'static str,
    /// How it is set up, in words.
    pub(crate) how: &'static str,
    /// Must a user know this server to set it up so?
    pub(crate) is_picked: bool,
    /// Does it send a constraint that this server enforces?
    pub(crate) is_constrained: bool,
    /// What runs it.
    pub(crate) kind: Kind,
}

/// What runs a contestant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// This process.
    Ours(Cap),
    /// `peer.py` with its name.
    Python,
    /// The program in `genai/`.
    Rust,
}

impl Entry {
    /// Everyone.
    pub(crate) const ALL: [Self; 11] = [
        ours("ours", "`structured()`, cap named", Cap::Named),
        ours("ours, cap left out", "`structured()`; the contract's bound is the cap", Cap::Chosen),
        ours(
            "ours, raised once",
            "`structured()`, and once more without the cap where it says truncated",
            Cap::NamedThenChosen,
        ),
        peer("openai-parse", "`chat.completions.parse` with a model", false, true, Kind::Python),
        peer("instructor-json_schema", "`Mode.JSON_SCHEMA`", true, true, Kind::Python),
        peer("pydantic-ai-native", "`NativeOutput`", true, true, Kind::Python),
        peer("outlines", "`from_openai`", false, true, Kind::Python),
        peer("langchain", "`with_structured_output`", false, true, Kind::Python),
        peer("genai", "`JsonSpec` as response format", false, true, Kind::Rust),
        peer("instructor-tools", "its default: a tool", false, false, Kind::Python),
        peer("pydantic-ai-tool", "its default: an output tool", false, false, Kind::Python),
    ];

    /// The one of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|entry| entry.name == name)
    }

    /// Is it our own?
    pub(crate) fn is_ours(&self) -> bool {
        matches!(self.kind, Kind::Ours(_))
    }
}

const fn ours(name: &'static str, how: &'static str, cap: Cap) -> Entry {
    Entry { name, how, is_picked: false, is_constrained: true, kind: Kind::Ours(cap) }
}

const fn peer(name: &'static str, how: &'static str, is_picked: bool, is_constrained: bool, kind: Kind) -> Entry {
    Entry { name, how, is_picked, is_constrained, kind }
}

/// One prompt, through one contestant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Turn {
    /// Its entry's name; `finding out` for what ours asked before its first call.
    pub(crate) contestant: String,
    /// The contract's name.
    pub(crate) contract: String,
    /// The prompt's id.
    pub(crate) prompt: String,
    /// The cap that was given.
    pub(crate) cap: u64,
    /// Did it give a value, and is that valid under the contract?
    pub(crate) valid: bool,
    /// Its words, where it gave none; or that its value breaks the contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) said: Option<String>,
    /// Characters of the value in compact JSON.
    pub(crate) chars: u64,
    /// Calls that arrived at the server.
    pub(crate) calls: u64,
    /// Of these, streams that were left before the server said what they cost.
    pub(crate) left: u64,
    /// Tokens of all prompts.
    pub(crate) prompt_tokens: u64,
    /// Tokens of all replies.
    pub(crate) completion_tokens: u64,
    /// Milliseconds.
    pub(crate) ms: u64,
}

/// Begins what is said of a value that breaks its contract.
pub(crate) const FALSE_VALUE: &str = "a value that breaks the contract";

impl Turn {
    /// A turn of a contestant's.
    pub(crate) fn of(
        entry: &Entry,
        job: &Job<'_>,
        prompt: &str,
        answer: Answer,
        usages: &[Usage],
        elapsed: Duration,
    ) -> Self {
        let (valid, said, chars) = match answer {
            Ok(value) => {
                let violations = job.contract.validate(&value);
                let said =
                    violations.first().map(|first| format!("{FALSE_VALUE}: {}: {}", first.pointer, first.message));
                (violations.is_empty(), said, value.to_string().chars().count())
            }
            Err(words) => (false, Some(words.chars().take(300).collect()), 0),
        };
        Self {
            contestant: entry.name.to_owned(),
            contract: job.contract.name().to_owned(),
            prompt: prompt.to_owned(),
            cap: job.cap,
            valid,
            said,
            chars: u64::try_from(chars).unwrap_or(u64::MAX),
            ..Self::costs(usages, elapsed)
        }
    }

    /// What ours asked the endpoint before its first call.
    pub(crate) fn finding_out(usages: &[Usage], elapsed: Duration) -> Self {
        Self { contestant: "finding out".to_owned(), ..Self::costs(usages, elapsed) }
    }

    fn costs(usages: &[Usage], elapsed: Duration) -> Self {
        let count = |counts: fn(&Usage) -> u64| usages.iter().map(counts).sum();
        Self {
            contestant: String::new(),
            contract: String::new(),
            prompt: String::new(),
            cap: 0,
            valid: false,
            said: None,
            chars: 0,
            calls: count(|_| 1),
            left: count(|usage| u64::from(!usage.is_counted)),
            prompt_tokens: count(|usage| usage.prompt_tokens),
            completion_tokens: count(|usage| usage.completion_tokens),
            ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use slm_schema::Registry;

    use super::*;

    fn turn(answer: Answer) -> Turn {
        let contract = Registry::builtin().get("clarify").unwrap();
        let job = Job { contract, prompt: "p", model: "m", cap: 40, seed: 1 };
        let usage = Usage { status: 200, prompt_tokens: 10, completion_tokens: 4, is_counted: true };
        let left = Usage { is_counted: false, completion_tokens: 2, ..Usage::default() };
        Turn::of(&Entry::ALL[0], &job, "flag", answer, &[usage, left], Duration::from_millis(7))
    }

    #[test]
    fn a_peers_word_is_not_taken_for_it() {
        assert!(turn(Ok(json!({"needs_clarification": false, "questions": []}))).valid);
        let wrong = turn(Ok(json!({"needs_clarification": false})));
        assert!(!wrong.valid && wrong.said.unwrap().starts_with(FALSE_VALUE));
    }

    #[test]
    fn all_calls_of_a_turn_count() {
        let turn = turn(Err("no".to_owned()));
        assert_eq!((turn.calls, turn.left, turn.prompt_tokens, turn.completion_tokens, turn.ms), (2, 1, 10, 6, 7));
        assert_eq!(turn.said.as_deref(), Some("no"));
    }
}
