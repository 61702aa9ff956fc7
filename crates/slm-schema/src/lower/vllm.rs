//! vLLM, by `response_format` or `structured_outputs`, with the engine left on auto: llguidance or xgrammar, by build and
//! by schema. What one of them refuses with a 400 is not sent; the schema is not shown to the model.

use super::pattern::Pattern;
use super::rules::{
    ENFORCED, Node, Objects, Root, Rules, Tuples, UNLIMITED, Verdict, Vocabulary, checked, stricter, withheld,
};
use super::union;
use super::view::as_str;
use crate::json::Json;

pub(super) const RULES: Rules = Rules {
    judge,
    objects: Objects::AsWritten,
    root: Root::Any,
    tuples: Tuples::Places,
    vocabulary: Vocabulary::Full,
    limits: &UNLIMITED,
};

pub(super) fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    match keyword {
        _ if node.has("$ref") && node.has(keyword) && keyword != "$ref" => {
            withheld("what stands beside a `$ref` may not be read")
        }
        "type" if !node.has("type") => ENFORCED,
        "additionalProperties" => match node.get(keyword) {
            Some(Json::Bool(false)) => ENFORCED,
            None => stricter("an engine may close an object that does not ask to be open"),
            Some(_) => checked("whether an open object may be extended depends on the engine"),
        },
        "oneOf" if node.has("anyOf") => withheld("the engines do not read `oneOf` beside `anyOf`"),
        "oneOf" => judge_one_of(node),
        "allOf" => checked("the engines join only simple parts"),
        "$ref" | "type" | "nullable" | "enum" | "const" | "anyOf" | "properties" | "required" | "items"
        | "prefixItems" | "minItems" | "maxItems" | "minLength" | "maxLength" | "additionalItems" => ENFORCED,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            if node.is_only("integer") {
                ENFORCED
            } else {
                checked("not every engine holds the bounds of fractions")
            }
        }
        "multipleOf" => checked("not every engine holds it"),
        "pattern" => judge_pattern(node),
        "format" => checked("which formats are held depends on the engine"),
        "patternProperties" => checked("held by one engine, ignored by another"),
        _ => withheld("the engines refuse or ignore it"),
    }
}

pub(super) fn judge_one_of(node: &Node<'_>) -> Verdict {
    if node.get("oneOf").is_some_and(|branches| union::are_disjoint(branches, node.scope)) {
        return ENFORCED;
    }
    checked("read as `anyOf`: more than one branch may hold")
}

pub(super) fn judge_pattern(node: &Node<'_>) -> Verdict {
    let traits = Pattern::read(node.get("pattern").and_then(as_str).unwrap_or_default());
    if traits.looks_around {
        return withheld("what looks around is dropped from a pattern");
    }
    if traits.is_anchored { ENFORCED } else { stricter("a pattern may be read as bound to both ends") }
}
