//! Anthropic's own Messages API. Its constraint holds the reply, bounds of strings and numbers aside; a refusal, or a cut,
//! may break it all the same, and says so. It has no `json_object`, no seed, and wants a cap.

use slm_schema::Dialect;

use super::{KeyHeader, Preset, SchemaForm, ToolForm};
use crate::api::Api;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    api: Api::Messages,
    prior: &[Mechanism::JsonSchema],
    schema_dialect: Dialect::Anthropic,
    schema_form: SchemaForm::OutputConfig,
    tool_form: ToolForm::InputSchema,
    strict_tools: true,
    seed_field: "",
    takes_temperature: false,
    key_header: KeyHeader::Named("x-api-key"),
    headers: &[("anthropic-version", "2023-06-01")],
    ..Preset::PLAIN
};
