//! Ollama by its own API, `/api/chat`: the schema is the field `format`, and the window can be set, so that a long prompt is
//! not cut without a word. A choice of tools cannot be asked for.

use slm_schema::Dialect;

use super::{ObjectForm, Preset, SchemaForm, ToolForm};
use crate::api::Api;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    api: Api::OllamaChat,
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    schema_dialect: Dialect::Ollama,
    schema_form: SchemaForm::Format,
    object_form: ObjectForm::Format,
    tool_form: ToolForm::FunctionWithoutChoice,
    start: "ollama serve",
    version_path: Some("/api/version"),
    ..Preset::PLAIN
};
