//! vLLM: `owned_by: vllm`, `/version`.
//!
//! `structured_outputs` since 0.12, `guided_json` before; each ignores the other one with a 200. A top-level `grammar`
//! is ignored too.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::GuidedJson, Mechanism::JsonObject],
    grammar_first: false,
    schema_dialect: Dialect::Vllm,
    cap_field: "max_tokens",
    local_port: Some(8000),
    start: "vllm serve MODEL --port 8000",
    version_path: Some("/version"),
    signs: &["vllm"],
};
