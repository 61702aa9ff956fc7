//! OpenAI's models on Azure: the key has a header of its own, and its schema subset is the older one.

use slm_schema::Dialect;

use super::{KeyHeader, Preset};
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    cap_field: "max_completion_tokens",
    hosts: &[".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"],
    key_header: KeyHeader::Named("api-key"),
    takes_temperature: false,
    strict_tools: true,
    schema_dialect: Dialect::OpenaiStrict,
    ..Preset::PLAIN
};
