//! Together AI: knows `max_tokens` alone.

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    hosts: &["api.together.xyz", "api.together.ai"],
    ..Preset::PLAIN
};
