//! Anything else: every mechanism is worth a probe, in rank order.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::GuidedJson, Mechanism::GbnfGrammar, Mechanism::JsonObject],
    grammar_first: false,
    schema_dialect: Dialect::Openai,
    cap_field: "max_tokens",
    local_port: None,
    start: "llama-server -m MODEL.gguf --port 8080",
    version_path: None,
    signs: &[],
};
