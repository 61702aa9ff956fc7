//! A LiteLLM proxy: passes on, rewrites or drops what its upstream does not know, so every mechanism is worth a probe.
//! It claims `owned_by: openai` whatever is behind it.

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::GuidedJson, Mechanism::GbnfGrammar, Mechanism::JsonObject],
    start: "litellm --model MODEL --port 4000",
    ..Preset::PLAIN
};
