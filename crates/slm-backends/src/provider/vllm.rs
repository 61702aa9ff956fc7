//! vLLM: `owned_by: vllm`, `/version`.
//!
//! `structured_outputs` since 0.12, `guided_json` before; each ignores the other one with a 200. A top-level `grammar`
//! is ignored too, so the grammar goes into `structured_outputs`. Arguments of tools are held to their schema only with
//! `strict`.

use slm_schema::Dialect;

use super::{GrammarForm, Preset};
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::GuidedJson, Mechanism::GbnfGrammar, Mechanism::JsonObject],
    schema_dialect: Dialect::Vllm,
    grammar_form: GrammarForm::StructuredOutputs,
    local_port: Some(8000),
    start: "vllm serve MODEL --port 8000",
    version_path: Some("/version"),
    signs: &["vllm"],
    strict_tools: true,
    ..Preset::PLAIN
};
