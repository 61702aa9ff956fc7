//! Anthropic's `output_config`: objects closed, optional properties as they are, bounds a 400.

use super::openai_strict::{judge_format, judge_pattern, judge_rest};
use super::rules::{
    ENFORCED, Form, Limits, Node, Objects, Root, Rules, Tuples, UNLIMITED, Verdict, Vocabulary, checked, refused,
    stricter,
};
use super::view::as_number;
use super::{llama_cpp, rules, vllm};

const LIMITS: Limits = Limits { optional: Some(24), unions: Some(16), forms: &[Form::NoRecursion], ..UNLIMITED };

pub(super) const RULES: Rules = Rules {
    judge,
    objects: Objects::Closed,
    root: Root::Object,
    tuples: Tuples::Union,
    vocabulary: Vocabulary::Full,
    limits: &LIMITS,
};

fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    match keyword {
        _ if node.has("$ref") && node.has(keyword) && keyword != "$ref" => {
            rules::withheld("nothing may stand beside a `$ref`")
        }
        "type" if node.assumed_type().is_some() => stricter("a type is written where the schema has none"),
        "type" if !node.has("type") => ENFORCED,
        "$ref" | "anyOf" => ENFORCED,
        "oneOf" if node.has("anyOf") => refused("there is one union a schema"),
        "oneOf" => vllm::judge_one_of(node),
        "additionalProperties" => judge_rest(node),
        _ if node.has_any(&["anyOf", "oneOf"]) && node.has(keyword) => {
            refused("what stands beside a union may be refused")
        }
        "required" if !llama_cpp::declares_required(node) => refused("a closed object takes only declared names"),
        "type" | "nullable" | "enum" | "const" | "properties" | "required" | "items" => ENFORCED,
        "minItems" if node.get(keyword).and_then(as_number).is_some_and(|least| least <= 1.0) => ENFORCED,
        "prefixItems" => checked("items may look like any of the places"),
        "pattern" => judge_pattern(node),
        "format" => judge_format(node, FORMATS),
        _ => refused("the endpoint answers 400"),
    }
}

/// The formats that Anthropic lists.
const FORMATS: &[&str] = &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
