//! DeepSeek: no schema, but `json_object`, for which the prompt has to say JSON; it may answer with nothing at all.

use super::Preset;
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset =
    Preset { prior: &[Mechanism::JsonObject], hosts: &["api.deepseek.com"], ..Preset::PLAIN };
