//! Mistral's API: fields that it does not know are a 422, and its seed has another name.

use super::{Preset, Streams};
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    seed_field: "random_seed",
    streams: Streams::Uncounted,
    hosts: &["api.mistral.ai"],
    required_tool: "any",
    ..Preset::PLAIN
};
