//! llama.cpp's server: `Server: llama.cpp`, `owned_by: llamacpp`, `/props`.
//!
//! Takes a schema and a raw grammar, but the grammar silently loses beside a `response_format`: one of them is sent.
//! Its schema converter leaves white space free and drops what it cannot express; our grammar does neither.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::GbnfGrammar, Mechanism::JsonObject],
    schema_dialect: Dialect::LlamaCpp,
    grammar_first: true,
    local_port: Some(8080),
    start: "llama-server -m MODEL.gguf --port 8080",
    signs: &["llamacpp", "llama.cpp"],
    ..Preset::PLAIN
};
