//! OpenRouter: without `require_parameters` it may pick a backend that ignores the constraint. `max_completion_tokens` is
//! not passed on everywhere.

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    fixed: &[("provider", r#"{"require_parameters":true}"#)],
    hosts: &["openrouter.ai"],
    ..Preset::PLAIN
};
