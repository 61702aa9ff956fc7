//! oMLX: xgrammar behind `response_format`, white space unbounded. Other MLX servers only put the schema into the prompt:
//! the probe tells.

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::JsonObject],
    start: "omlx serve --port 8000",
    signs: &["omlx", "mlx"],
    ..Preset::PLAIN
};
