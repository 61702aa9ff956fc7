//! What a batch came to.

use std::time::Duration;

use serde_json::{Value, json};

use crate::call::milliseconds;
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
        "ms": milliseconds(elapsed),
    })
}

/// For a person.
pub(super) fn lines(tally: &Tally, resumed: u64, elapsed: Duration) -> Vec<String> {
    let earlier = if resumed > 0 { format!(", {resumed} of them earlier") } else { String::new() };
    let mut lines = vec![format!("{} lines{earlier} · {:.1} s", tally.calls, elapsed.as_secs_f64())];
    lines.extend(tally.lines());
    lines
}
