//! llama.cpp's `json_schema`, by whichever engine the build uses: its own converter to GBNF, or llguidance.
//!
//! A client cannot see which one runs, so a rule counts as enforced only where both hold it. The schema is not shown to
//! the model, so what is not held is left out without words.

use std::collections::HashSet;

use super::pattern::Pattern;
use super::rules::{
    ENFORCED, Node, Objects, Root, Rules, Tuples, UNLIMITED, Verdict, Vocabulary, checked, stricter, withheld,
};
use super::union;
use super::view::{as_list, as_members, as_number, as_str, strings};
use crate::json::Json;

/// Its converter prints a repetition with max < min for a one-sided bound of 17 digits or more, and reading that takes
/// all the server's memory.
const DEADLY: f64 = 9_999_999_999_999_999.0;
/// Beyond this a repetition silently loses its maximum.
const REPETITION_LIMIT: f64 = 2000.0;

pub(super) const RULES: Rules = Rules {
    judge,
    objects: Objects::AsWritten,
    root: Root::Any,
    tuples: Tuples::Places,
    vocabulary: Vocabulary::Full,
    limits: &UNLIMITED,
};

pub(super) fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    let is_union = matches!(keyword, "anyOf" | "oneOf");
    match keyword {
        _ if node.has("$ref") && !matches!(keyword, "$ref" | "type" | "additionalProperties") => {
            withheld("what stands beside a `$ref` is not read")
        }
        "$ref" | "nullable" => ENFORCED,
        "type" => judge_type(node),
        _ if node.has_any(&["anyOf", "oneOf"]) && !is_union && node.has(keyword) => {
            checked("the converter does not read what stands beside `anyOf` or `oneOf`")
        }
        "anyOf" if node.has("oneOf") => withheld("the converter does not read `anyOf` beside `oneOf`"),
        "oneOf" if node.get("oneOf").is_some_and(|branches| !union::are_disjoint(branches, node.scope)) => {
            checked("read as `anyOf`: more than one branch may hold")
        }
        "anyOf" | "oneOf" | "enum" | "const" => ENFORCED,
        _ if node.has_any(&["enum", "const"]) && node.has(keyword) => {
            checked("the converter does not read what stands beside `enum` or `const`")
        }
        "allOf" => checked("the converter joins properties and enums of the parts, and nothing else"),
        "properties" | "required" | "additionalProperties" => judge_object(node, keyword),
        "items" | "prefixItems" | "minItems" | "maxItems" => judge_array(node, keyword),
        "minLength" | "maxLength" | "pattern" | "format" => judge_string(node, keyword),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => judge_bound(node),
        _ => withheld("the converter does not read it"),
    }
}

fn judge_type(node: &Node<'_>) -> Verdict {
    let is_silent = !node.has_any(&["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"]);
    if !node.has("type") {
        return match node.assumed_type() {
            Some(_) => stricter("a type is read into the keywords"),
            None if is_silent && node.is_root => stricter("a root without a type is taken for an object"),
            None => ENFORCED,
        };
    }
    if node.has("$ref") {
        return withheld("what stands beside a `$ref` is not read");
    }
    if node.has_any(&["anyOf", "oneOf"]) {
        return checked("the converter does not read what stands beside `anyOf` or `oneOf`");
    }
    if node.has_any(&["enum", "const"]) {
        return if has_only_members_of_type(node) {
            ENFORCED
        } else {
            checked("the converter does not read what stands beside `enum` or `const`")
        };
    }
    if node.may_be("number") {
        return stricter("the number of digits is capped");
    }
    if node.may_be("integer") && range(node).is_open() {
        return stricter("without both bounds an integer has at most 16 digits");
    }
    ENFORCED
}

/// Does the list of values say by itself what `type` says?
fn has_only_members_of_type(node: &Node<'_>) -> bool {
    let types = node.types();
    let fits = |value: &Json| match union::type_of(value) {
        "integer" => types.iter().any(|name| matches!(*name, "integer" | "number")),
        name => types.contains(&name),
    };
    let listed = match node.get("enum") {
        Some(Json::Array(values)) => values.iter().all(fits),
        _ => true,
    };
    listed && node.get("const").is_none_or(fits)
}

fn judge_object(node: &Node<'_>, keyword: &str) -> Verdict {
    if !node.types().is_empty() && !node.may_be("object") {
        return ENFORCED;
    }
    match keyword {
        "required" if !declares_required(node) => checked("the converter does not read names that `properties` lacks"),
        "additionalProperties" => match node.get(keyword) {
            None => stricter("the converter closes an object that does not ask to be open"),
            Some(Json::Bool(false)) => ENFORCED,
            Some(_) => checked("another spelling of a declared name passes as a further property"),
        },
        _ => ENFORCED,
    }
}

/// Does `properties` declare every name of `required`?
pub(super) fn declares_required(node: &Node<'_>) -> bool {
    let declared = node.get("properties").and_then(as_members).into_iter().flatten();
    let declared: HashSet<&str> = declared.map(|(name, _)| name.as_str()).collect();
    node.get("required").map(strings).unwrap_or_default().into_iter().all(|name| declared.contains(name))
}

fn judge_array(node: &Node<'_>, keyword: &str) -> Verdict {
    let places = [node.get("prefixItems"), node.get("items")].into_iter().flatten().find_map(as_list).map(Vec::len);
    let typed = node.may_be("array") || (node.types().is_empty() && node.has_any(&["items", "prefixItems"]));
    match (keyword, places) {
        _ if !typed && !node.types().is_empty() => ENFORCED,
        _ if !typed => checked("the converter reads it only beside `type: array`"),
        ("items" | "prefixItems", Some(_)) => stricter("exactly as many items as there are places can be written"),
        ("minItems" | "maxItems", Some(_)) => checked("the converter does not read it beside a tuple"),
        ("minItems" | "maxItems", None) => judge_count(node, keyword, "minItems", "maxItems"),
        _ => ENFORCED,
    }
}

fn judge_string(node: &Node<'_>, keyword: &str) -> Verdict {
    let assumes = node.types().is_empty() && node.has_any(&["pattern", "format"]);
    if !node.may_be("string") && !assumes {
        return if node.types().is_empty() {
            checked("the converter reads it only beside `type: string`")
        } else {
            ENFORCED
        };
    }
    match keyword {
        "pattern" => judge_pattern(node.get("pattern").and_then(as_str).unwrap_or_default()),
        _ if node.has("pattern") => checked("the converter does not read it beside `pattern`"),
        "format" => match node.get("format").and_then(as_str) {
            Some("uuid") => ENFORCED,
            Some("date" | "time" | "date-time") => checked("its shape is held, the calendar is not"),
            _ => withheld("the converter does not know this format"),
        },
        _ if matches!(node.get("format").and_then(as_str), Some("uuid" | "date" | "time" | "date-time")) => {
            checked("the converter does not read it beside `format`")
        }
        _ => {
            let verdict = judge_count(node, keyword, "minLength", "maxLength");
            let is_long = node.get("minLength").and_then(as_number).is_some_and(|least| least > 1.0);
            if keyword == "minLength" && is_long && verdict == ENFORCED {
                return checked("a character written as two escapes counts twice");
            }
            verdict
        }
    }
}

/// A pattern that its converter cannot read turns the grammar off in some builds, so that nothing would be held.
fn judge_pattern(pattern: &str) -> Verdict {
    let traits = Pattern::read(pattern);
    if traits.is_rich {
        return withheld("the converter does not read escapes like `\\d`, nor special groups");
    }
    if traits.is_anchored { ENFORCED } else { checked("the converter reads only patterns bound to both ends") }
}

fn judge_count(node: &Node<'_>, keyword: &str, min: &str, max: &str) -> Verdict {
    let (least, most) = (node.get(min).and_then(as_number), node.get(max).and_then(as_number));
    if matches!((least, most), (Some(least), Some(most)) if least > most) {
        return withheld("a minimum above the maximum takes the server down");
    }
    match node.get(keyword).and_then(as_number) {
        Some(count) if count > REPETITION_LIMIT && keyword == max => {
            checked("a maximum over 2000 is dropped without a word")
        }
        Some(count) if count > REPETITION_LIMIT => withheld("a minimum over 2000 may be refused"),
        _ => ENFORCED,
    }
}

/// The bounds of a number, whichever keywords say them.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    min: Option<f64>,
    max: Option<f64>,
}

impl Bounds {
    fn is_open(self) -> bool {
        self.min.is_none() || self.max.is_none()
    }

    fn is_deadly(self) -> bool {
        let too_large = |bound: f64| bound.abs() > DEADLY;
        match (self.min, self.max) {
            (Some(min), Some(max)) => min > max || min.abs() > 1e18 || max.abs() > 1e18,
            (bound, other) => bound.or(other).is_some_and(too_large),
        }
    }
}

fn range(node: &Node<'_>) -> Bounds {
    let bound = |inclusive: &str, exclusive: &str| {
        node.get(exclusive).and_then(as_number).or(node.get(inclusive).and_then(as_number))
    };
    Bounds { min: bound("minimum", "exclusiveMinimum"), max: bound("maximum", "exclusiveMaximum") }
}

fn judge_bound(node: &Node<'_>) -> Verdict {
    let bounds = range(node);
    if bounds.is_deadly() {
        return withheld("not sent: a one-sided bound of 17 digits takes the server down");
    }
    if !node.is_only("integer") {
        return checked("the converter reads bounds of integers only");
    }
    if bounds.is_open() { checked("the converter gets one-sided bounds wrong") } else { ENFORCED }
}
