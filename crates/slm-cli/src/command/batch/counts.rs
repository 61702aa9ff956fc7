//! What a batch came to.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::tally::Tally;

/// For a program.
pub(super) fn document(tally: &Tally, resumed: u64, elapsed: Duration) -> Value {
    json!({
        "lines": tally.calls,
        "resumed": resumed,
        "failures": tally.failures(),
        "outcomes": tally.outcomes,
        "mechanisms": tally.mechanisms,
        "rungs": tally.rungs,
        "demotions": tally.demotions,
        "usage": {"prompt_tokens": tally.prompt_tokens, "completion_tokens": tally.completion_tokens},
        "ms": u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
    })
}

/// For a person.
pub(super) fn lines(tally: &Tally, resumed: u64, elapsed: Duration) -> Vec<String> {
    let earlier = if resumed > 0 { format!(", {resumed} of them earlier") } else { String::new() };
    let mut lines = vec![format!("{} lines{earlier} · {:.1} s", tally.calls, elapsed.as_secs_f64())];
    for (name, counts) in [
        ("outcomes", &tally.outcomes),
        ("mechanisms", &tally.mechanisms),
        ("rungs", &tally.rungs),
        ("demotions", &tally.demotions),
    ] {
        if !counts.is_empty() {
            lines.push(format!("{name}: {}", listed(counts)));
        }
    }
    lines.push(format!("tokens: {} of prompts, {} of replies", tally.prompt_tokens, tally.completion_tokens));
    lines
}

fn listed(counts: &BTreeMap<String, u64>) -> String {
    let each: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    each.join(" · ")
}
