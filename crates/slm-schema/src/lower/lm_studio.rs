//! LM Studio: llama.cpp's converter for GGUF models, another engine for MLX models. A client cannot see which one runs,
//! and what the other one does with bounds was not measured, so bounds are the validator's.

use super::llama_cpp;
use super::rules::{Node, Rules, Verdict, checked};
use crate::report::Tier;

pub(super) const RULES: Rules = Rules { judge, ..llama_cpp::RULES };

fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    let verdict = llama_cpp::judge(node, keyword);
    let is_shape = matches!(
        keyword,
        "$ref"
            | "type"
            | "nullable"
            | "enum"
            | "const"
            | "anyOf"
            | "oneOf"
            | "properties"
            | "required"
            | "additionalProperties"
            | "items"
    );
    if is_shape || verdict.tier != Tier::Grammar {
        return verdict;
    }
    checked("MLX models are run by another engine, which may not hold it")
}
