//! A LiteLLM proxy: passes on, rewrites or drops what its upstream does not know, so every mechanism is worth a probe.
//! It claims `owned_by: openai` whatever is behind it; `/health/liveliness` gives it away, and who may use it is told its
//! version.
//!
//! A raw grammar that is enforced through it was enforced by llama.cpp, whose own converter is the weaker one.

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::GuidedJson, Mechanism::GbnfGrammar, Mechanism::JsonObject],
    grammar_first: true,
    version_path: Some("/health/readiness/details"),
    start: "litellm --model MODEL --port 4000",
    ..Preset::PLAIN
};
