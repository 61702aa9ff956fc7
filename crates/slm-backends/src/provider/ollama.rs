//! Ollama by its OpenAI-like API: `owned_by: library`. It has llama.cpp's schema converter inside, and no grammar field.
//!
//! Cloud models and MLX builds take a schema and do not enforce it. Prompts that do not fit are cut without a word.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    grammar_first: false,
    schema_dialect: Dialect::LlamaCpp,
    // The other name is ignored, and the reply then has no cap at all.
    cap_field: "max_tokens",
    local_port: Some(11434),
    start: "ollama serve",
    version_path: Some("/api/version"),
    signs: &["library", "ollama"],
};
