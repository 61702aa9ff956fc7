//! Groq: constrained decoding on a few models, best effort and a check of the result on the others. It does not stream
//! together with a format, nor take tools beside one.

use slm_schema::Dialect;

use super::{Preset, Streams};
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    streams: Streams::Unconstrained,
    hosts: &["api.groq.com"],
    schema_dialect: Dialect::Groq,
    ..Preset::PLAIN
};
