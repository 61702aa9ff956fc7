//! OpenAI with `strict: true`: objects closed and complete, a list of keywords, everything else a 400.
//!
//! Bounds of numbers are put into words: newer models take them, older ones and Azure refuse them.

use super::pattern::Pattern;
use super::rules::{
    ENFORCED, Form, Limits, Node, Objects, Root, Rules, Tuples, Verdict, Vocabulary, checked, refused, stricter,
};
use super::view::as_str;
use super::vllm;
use super::{llama_cpp, rules};
use crate::json::Json;

const LIMITS: Limits = Limits {
    levels: Some(10),
    properties: Some(5000),
    enum_values: Some(1000),
    characters: Some(120_000),
    forms: &[Form::Typed],
    ..rules::UNLIMITED
};

pub(super) const RULES: Rules = Rules {
    judge,
    objects: Objects::Complete,
    root: Root::Object,
    tuples: Tuples::Union,
    vocabulary: Vocabulary::Full,
    limits: &LIMITS,
};

const REFUSED: Verdict = refused("strict mode refuses it");

pub(super) fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    match keyword {
        _ if node.has("$ref") && node.has(keyword) && keyword != "$ref" => {
            rules::withheld("nothing may stand beside a `$ref`")
        }
        "type" if node.assumed_type().is_some() => stricter("a type is written where the schema has none"),
        "type" if !node.has("type") => ENFORCED,
        "$ref" | "anyOf" => ENFORCED,
        "oneOf" if node.has("anyOf") => refused("strict mode knows one union a schema"),
        "oneOf" => vllm::judge_one_of(node),
        "additionalProperties" => judge_rest(node),
        _ if node.has_any(&["anyOf", "oneOf"]) && node.has(keyword) => {
            refused("what stands beside a union may be refused")
        }
        "required" if !llama_cpp::declares_required(node) => refused("a closed object takes only declared names"),
        "type" | "nullable" | "enum" | "const" | "properties" | "required" | "items" | "minItems" | "maxItems" => {
            ENFORCED
        }
        "prefixItems" => checked("items may look like any of the places"),
        "pattern" => judge_pattern(node),
        "format" => judge_format(node, FORMATS),
        _ => REFUSED,
    }
}

/// The formats that OpenAI lists.
const FORMATS: &[&str] = &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// An object is closed, whatever it says; that excludes what it would allow beyond its properties.
pub(super) fn judge_rest(node: &Node<'_>) -> Verdict {
    match node.get("additionalProperties") {
        Some(Json::Bool(false)) if !node.has("patternProperties") => ENFORCED,
        _ => stricter("every object is closed: only declared properties can be written"),
    }
}

pub(super) fn judge_pattern(node: &Node<'_>) -> Verdict {
    let traits = Pattern::read(node.get("pattern").and_then(as_str).unwrap_or_default());
    if traits.looks_around {
        return refused("patterns that look around are refused");
    }
    if traits.is_anchored { ENFORCED } else { stricter("a pattern may be read as bound to both ends") }
}

pub(super) fn judge_format(node: &Node<'_>, known: &[&str]) -> Verdict {
    match node.get("format").and_then(as_str) {
        Some("uuid") => ENFORCED,
        Some(format) if known.contains(&format) => checked("its shape is held, its meaning is not"),
        _ => refused("this format is refused"),
    }
}
