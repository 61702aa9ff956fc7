//! The setting of a request: the caller's own fields, and which of them may change what an endpoint enforces.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::hash::fnv1a;

/// Fields that turn thinking on or off, or choose what answers: a constraint that holds without them may not hold with them.
const SWITCHES: [&str; 18] = [
    "chat_template_kwargs",
    "enable_thinking",
    "extra_body",
    "include_reasoning",
    "output_config",
    "plugins",
    "provider",
    "reasoning",
    "reasoning_budget",
    "reasoning_effort",
    "reasoning_format",
    "route",
    "separate_reasoning",
    "template",
    "think",
    "thinking",
    "thinking_budget",
    "transforms",
];

/// Fields that would cut a probe's reply.
const CAPS: [&str; 4] = ["max_tokens", "max_completion_tokens", "n_predict", "min_tokens"];

/// The caller's own fields of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Setting {
    /// What tells it from others under which an endpoint may enforce something else; empty where nothing is switched. No
    /// text of the caller's stands in it, since it is written down.
    pub(crate) key: String,
    /// The fields that a probe carries too.
    pub(crate) fields: Map<String, Value>,
}

impl Setting {
    pub(crate) fn of(extra: &Map<String, Value>) -> Self {
        let is_switch = |name: &&String| SWITCHES.contains(&name.as_str());
        let switches: BTreeMap<&String, &Value> = extra.iter().filter(|(name, _)| is_switch(name)).collect();
        let text: String =
            switches.iter().map(|(name, value)| format!("{name}={value};")).fold(String::new(), |a, b| a + &b);
        let key = if text.is_empty() { String::new() } else { format!("{:016x}", fnv1a(&text)) };
        let fields = extra.iter().filter(|(name, _)| !CAPS.contains(&name.as_str()));
        Self { key, fields: fields.map(|(name, value)| (name.clone(), value.clone())).collect() }
    }
}
