//! TGI: the schema becomes one regular expression. Its root needs `properties`, its objects take no other names.

use super::rules::{
    ENFORCED, Form, Limits, Node, Objects, Root, Rules, Tuples, UNLIMITED, Verdict, Vocabulary, checked, stricter,
    withheld,
};
use super::vllm;
use crate::json::Json;

const LIMITS: Limits = Limits { forms: &[Form::RootProperties, Form::NoRecursion], ..UNLIMITED };

pub(super) const RULES: Rules = Rules {
    judge,
    objects: Objects::AsWritten,
    root: Root::Object,
    tuples: Tuples::Places,
    vocabulary: Vocabulary::Full,
    limits: &LIMITS,
};

fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    match keyword {
        _ if node.has("$ref") && node.has(keyword) && keyword != "$ref" => {
            withheld("what stands beside a `$ref` may not be read")
        }
        "type" if node.assumed_type().is_some() => stricter("a type is read into the keywords"),
        "type" | "$ref" | "nullable" | "enum" | "const" | "properties" | "required" | "items" | "minItems"
        | "maxItems" | "minLength" | "maxLength" => ENFORCED,
        "additionalProperties" => match node.get(keyword) {
            Some(Json::Bool(false)) => ENFORCED,
            None | Some(Json::Bool(true)) => stricter("only declared properties can be written"),
            Some(_) => checked("not all of it reaches the regular expression"),
        },
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => checked("only simple forms reach the regular expression"),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "format" => {
            checked("not all of it reaches the regular expression")
        }
        "pattern" => vllm::judge_pattern(node),
        _ => withheld("it is ignored"),
    }
}
