//! Anthropic's OpenAI-like API, which is documented to ignore `response_format` and was seen to take it: the probe tells.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema],
    seed_field: "",
    hosts: &["api.anthropic.com"],
    schema_dialect: Dialect::Anthropic,
    ..Preset::PLAIN
};
