//! OpenAI itself. Unknown body fields are a 400 there, so mechanisms that it does not have are not worth a probe; its
//! reasoning models refuse `max_tokens`, and a temperature.
//!
//! `owned_by` alone says nothing: gateways in front of anything claim it.

use slm_schema::Dialect;

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    cap_field: "max_completion_tokens",
    hosts: &["api.openai.com"],
    takes_temperature: false,
    strict_tools: true,
    schema_dialect: Dialect::OpenaiStrict,
    ..Preset::PLAIN
};
