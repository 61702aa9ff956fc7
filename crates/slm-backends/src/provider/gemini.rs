//! Gemini's OpenAI-like API: a keyword of the schema that it does not know is a 400 that names it. It has no seed.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    seed_field: "",
    hosts: &["generativelanguage.googleapis.com"],
    schema_dialect: Dialect::Gemini,
    ..Preset::PLAIN
};
