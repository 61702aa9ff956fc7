//! Ollama by its OpenAI-like API: `owned_by: library`. It has llama.cpp's schema converter inside, and no grammar field.
//!
//! Cloud models and MLX builds take a schema and do not enforce it. Prompts that do not fit are cut without a word.
//! `max_completion_tokens` is ignored, and the reply then has no cap at all.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    schema_dialect: Dialect::Ollama,
    local_port: Some(11434),
    start: "ollama serve",
    version_path: Some("/api/version"),
    signs: &["library", "ollama"],
    ..Preset::PLAIN
};
