//! A server that speaks OpenAI's `json_schema` and of which no more is known: the shape is held by all that were
//! measured, bounds are not, and some refuse what they do not know. Hosted ones show the schema to the model, so there
//! words help.

use super::rules::{
    ENFORCED, Node, Objects, Root, Rules, Tuples, UNLIMITED, Verdict, Vocabulary, checked, refused, stricter,
};
use super::vllm;
use crate::json::Json;

pub(super) const RULES: Rules = Rules {
    judge,
    objects: Objects::AsWritten,
    root: Root::Any,
    tuples: Tuples::Places,
    vocabulary: Vocabulary::Full,
    limits: &UNLIMITED,
};

fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    match keyword {
        _ if node.has("$ref") && node.has(keyword) && keyword != "$ref" => {
            checked("what stands beside a `$ref` may not be read")
        }
        "type" if node.assumed_type().is_some() => stricter("a server may read a type into the keywords"),
        "type" if !node.has("type") => ENFORCED,
        "anyOf" | "$ref" => ENFORCED,
        "oneOf" if node.has("anyOf") => refused("a server may not read `oneOf` beside `anyOf`"),
        "oneOf" => vllm::judge_one_of(node),
        "additionalProperties" => match node.get(keyword) {
            Some(Json::Bool(false)) if !node.has_any(&["anyOf", "oneOf"]) => ENFORCED,
            None => stricter("a server may close an object that does not ask to be open"),
            Some(_) => checked("whether an open object may be extended depends on the server"),
        },
        _ if node.has_any(&["anyOf", "oneOf"]) => checked("what stands beside a union may not be read"),
        "type" | "nullable" | "enum" | "const" | "properties" | "required" | "items" => ENFORCED,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minimum" | "maximum" | "exclusiveMinimum"
        | "exclusiveMaximum" | "pattern" | "format" | "prefixItems" | "additionalItems" | "allOf" => {
            checked("not every server that takes a schema holds its bounds")
        }
        _ => refused("some servers refuse it"),
    }
}
