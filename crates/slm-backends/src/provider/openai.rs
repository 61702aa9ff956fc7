//! OpenAI itself. Unknown body fields are a 400 there, so mechanisms that it does not have are not worth a probe.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    grammar_first: false,
    schema_dialect: Dialect::Openai,
    // Its reasoning models refuse the older name.
    cap_field: "max_completion_tokens",
    local_port: None,
    start: "",
    version_path: None,
    // `owned_by` alone says nothing: gateways in front of anything claim it.
    signs: &[],
};
