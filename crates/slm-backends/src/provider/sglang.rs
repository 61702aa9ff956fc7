//! SGLang: `owned_by: sglang`. Its grammar field is not llama.cpp's, so that mechanism is not worth a probe.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    grammar_first: false,
    schema_dialect: Dialect::Openai,
    cap_field: "max_tokens",
    local_port: Some(30000),
    start: "python -m sglang.launch_server --model-path MODEL --port 30000",
    version_path: None,
    signs: &["sglang"],
};
