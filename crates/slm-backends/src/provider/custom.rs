//! Anything else: every mechanism is worth a probe, in rank order.

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::GuidedJson, Mechanism::GbnfGrammar, Mechanism::JsonObject],
    start: "llama-server -m MODEL.gguf --port 8080",
    ..Preset::PLAIN
};
