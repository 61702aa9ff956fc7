//! LM Studio: `owned_by: organization_owner`. `json_schema` is the only JSON type that it knows; it answers `json_object`
//! with a 400, and a wrong path with a 200.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema],
    grammar_first: false,
    schema_dialect: Dialect::LlamaCpp,
    cap_field: "max_tokens",
    local_port: Some(1234),
    start: "lms server start --port 1234",
    version_path: None,
    signs: &["organization_owner", "lm studio"],
};
