//! Fireworks AI: the grammar is a `response_format`; a tool that must be called is `any`.

use super::{GrammarForm, Preset};
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::GbnfGrammar, Mechanism::JsonObject],
    grammar_form: GrammarForm::ResponseFormat,
    hosts: &["api.fireworks.ai"],
    required_tool: "any",
    ..Preset::PLAIN
};
