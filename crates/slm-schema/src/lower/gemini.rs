//! Gemini, by its OpenAI endpoint: a keyword that it does not know is a 400 that names it.

use super::rules::{
    ENFORCED, Node, Objects, Root, Rules, Tuples, UNLIMITED, Verdict, Vocabulary, checked, refused, stricter, withheld,
};
use super::vllm;
use crate::json::Json;

pub(super) const RULES: Rules = Rules {
    judge,
    objects: Objects::AsWritten,
    root: Root::Object,
    tuples: Tuples::Union,
    vocabulary: Vocabulary::Lean,
    limits: &UNLIMITED,
};

fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    match keyword {
        _ if node.has("$ref") && node.has(keyword) && keyword != "$ref" => {
            withheld("nothing may stand beside a `$ref`")
        }
        "type" if node.assumed_type().is_some() => stricter("a type is read into the keywords"),
        "type" if !node.has("type") => ENFORCED,
        "$ref" => judge_reference(node),
        "anyOf" => ENFORCED,
        "oneOf" if node.has("anyOf") => refused("there is one union a schema"),
        "oneOf" => vllm::judge_one_of(node),
        "additionalProperties" if matches!(node.get(keyword), None | Some(Json::Bool(true))) => {
            stricter("only declared properties can be written")
        }
        "additionalProperties" => refused("one of its two forms of schema refuses it"),
        _ if node.has_any(&["anyOf", "oneOf"]) && node.has(keyword) => {
            checked("what stands beside a union may not be read")
        }
        "type" | "nullable" | "enum" | "const" | "properties" | "required" | "items" | "minItems" | "maxItems" => {
            ENFORCED
        }
        "minimum" | "maximum" if !is_exclusive(node, keyword) => ENFORCED,
        "prefixItems" => checked("items may look like any of the places"),
        _ => refused("its documents do not list it"),
    }
}

/// Draft 4 says with a flag that a bound is excluded.
fn is_exclusive(node: &Node<'_>, keyword: &str) -> bool {
    let flag = if keyword == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
    node.get(flag) == Some(&Json::Bool(true))
}

fn judge_reference(node: &Node<'_>) -> Verdict {
    match node.scope.target_of(node.json) {
        Some((pointer, _)) if node.scope.is_recursive(&pointer) => {
            checked("circles of references are cut at some depth")
        }
        _ => ENFORCED,
    }
}
