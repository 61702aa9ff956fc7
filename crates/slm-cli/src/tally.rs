//! Calls, counted by how they ended and how they got there.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Counts of calls, read off their documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Tally {
    pub(crate) calls: u64,
    pub(crate) outcomes: BTreeMap<String, u64>,
    pub(crate) mechanisms: BTreeMap<String, u64>,
    /// Of the replies that decided. Between runs all replies are counted in place of it.
    #[serde(skip)]
    pub(crate) rungs: BTreeMap<String, u64>,
    /// Mechanisms that were taken away, for a contract or for all.
    pub(crate) demotions: BTreeMap<String, u64>,
    pub(crate) prompt_tokens: u64,
    pub(crate) completion_tokens: u64,
}

impl Tally {
    /// Counts a call's document.
    pub(crate) fn count(&mut self, document: &Map<String, Value>) {
        self.calls += 1;
        let named = |key: &str| document.get(key).and_then(Value::as_str);
        add(&mut self.outcomes, named("outcome").unwrap_or("error"), 1);
        if let Some(name) = named("mechanism") {
            add(&mut self.mechanisms, name, 1);
        }
        if let Some(name) = named("rung") {
            add(&mut self.rungs, name, 1);
        }
        for attempt in document.get("attempts").and_then(Value::as_array).into_iter().flatten() {
            if !attempt["demoted"].is_null()
                && let Some(name) = attempt["mechanism"].as_str()
            {
                add(&mut self.demotions, name, 1);
            }
        }
        let tokens = |key: &str| document.get("usage").and_then(|usage| usage.get(key)?.as_u64()).unwrap_or_default();
        self.prompt_tokens += tokens("prompt_tokens");
        self.completion_tokens += tokens("completion_tokens");
    }

    /// Adds another's counts.
    pub(crate) fn merge(&mut self, other: &Self) {
        let Self { calls, outcomes, mechanisms, rungs, demotions, prompt_tokens, completion_tokens } = other;
        self.calls += calls;
        self.prompt_tokens += prompt_tokens;
        self.completion_tokens += completion_tokens;
        for (mine, theirs) in [
            (&mut self.outcomes, outcomes),
            (&mut self.mechanisms, mechanisms),
            (&mut self.rungs, rungs),
            (&mut self.demotions, demotions),
        ] {
            for (name, count) in theirs {
                add(mine, name, *count);
            }
        }
    }

    /// The counts of each kind that has any, a line each.
    pub(crate) fn lines(&self) -> Vec<String> {
        let kinds = [
            ("outcomes", &self.outcomes),
            ("mechanisms", &self.mechanisms),
            ("rungs", &self.rungs),
            ("demotions", &self.demotions),
        ];
        let mut lines: Vec<String> = kinds.into_iter().filter_map(|(kind, counts)| line(kind, counts)).collect();
        if self.calls > 0 {
            lines.push(format!("tokens: {} of prompts, {} of replies", self.prompt_tokens, self.completion_tokens));
        }
        lines
    }

    /// The calls that gave no value.
    pub(crate) fn failures(&self) -> u64 {
        let good = ["value", "tool_call"].iter().filter_map(|name| self.outcomes.get(*name)).sum();
        self.calls.saturating_sub(good)
    }
}

fn add(counts: &mut BTreeMap<String, u64>, name: &str, count: u64) {
    *counts.entry(name.to_owned()).or_default() += count;
}

/// `kind: name count · name count`, of those that there are; `None` where there is none.
pub(crate) fn line<'c>(kind: &str, counts: impl IntoIterator<Item = (impl Display, &'c u64)>) -> Option<String> {
    let counted = counts.into_iter().filter(|(_, count)| **count > 0);
    let each: Vec<String> = counted.map(|(name, count)| format!("{name} {count}")).collect();
    (!each.is_empty()).then(|| format!("{kind}: {}", each.join(" · ")))
}
