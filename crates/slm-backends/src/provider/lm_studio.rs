//! LM Studio: `owned_by: organization_owner`. `json_schema` is the only JSON type that it knows; it answers `json_object`
//! with a 400, so that one is sent as the schema of any object. A wrong path it answers with a 200.

use slm_schema::Dialect;

use super::{ObjectForm, Preset};
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    schema_dialect: Dialect::LmStudio,
    object_form: ObjectForm::AnyObjectSchema,
    local_port: Some(1234),
    start: "lms server start --port 1234",
    signs: &["organization_owner", "lm studio"],
    ..Preset::PLAIN
};
