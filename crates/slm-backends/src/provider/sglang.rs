//! SGLang: `owned_by: sglang`. Its grammar field is `ebnf`, in llama.cpp's dialect.

use slm_schema::Dialect;

use super::{GrammarForm, Preset};
use crate::mechanism::Mechanism;

pub(super) const PRESET: Preset = Preset {
    prior: &[Mechanism::JsonSchema, Mechanism::GbnfGrammar, Mechanism::JsonObject],
    grammar_form: GrammarForm::Ebnf,
    local_port: Some(30000),
    start: "python -m sglang.launch_server --model-path MODEL --port 30000",
    signs: &["sglang"],
    schema_dialect: Dialect::Sglang,
    ..Preset::PLAIN
};
