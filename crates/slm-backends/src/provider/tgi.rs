//! text-generation-inference: the schema stands under `value`, not under `json_schema`, and `json_object` needs one too.
//! Format and tools exclude each other.

use slm_schema::Dialect;

use super::{ObjectForm, Preset, SchemaForm};
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    schema_form: SchemaForm::Value,
    object_form: ObjectForm::Value,
    start: "text-generation-launcher --model-id MODEL --port 8080",
    version_path: Some("/info"),
    signs: &["tgi", "text-generation-inference"],
    schema_dialect: Dialect::Tgi,
    ..Preset::PLAIN
};
