//! llama.cpp's `json_schema`, by whichever engine the build uses: its own converter to GBNF, or llguidance.
//!
//! A client cannot see which one runs, so a rule counts as enforced only where both hold it.

use super::{ENFORCED, Verdict};
use crate::json::Json;
use crate::report::Tier;
use crate::schema::{Range, Schema, Shape};

/// Its converter prints a repetition with max < min for a one-sided bound of 17 digits or more, and reading that takes
/// all the server's memory.
const DEADLY: u64 = 9_999_999_999_999_999;
/// Beyond this a repetition silently loses its maximum.
const REPETITION_LIMIT: u64 = 2000;

pub(super) fn judge(keyword: &str, value: &Json, schema: &Schema) -> Verdict {
    match (keyword, &schema.shape) {
        ("additionalProperties", _) if *value == Json::Bool(true) => {
            (Tier::GrammarStricter, "the converter closes an object that does not ask to be open")
        }
        ("minimum" | "maximum", Shape::Integer(range)) if is_deadly(*range) => {
            (Tier::Validator, "not sent: a one-sided bound of 17 digits takes the server down")
        }
        ("minimum" | "maximum", Shape::Integer(range)) if is_one_sided(*range) => {
            (Tier::Validator, "the converter gets one-sided bounds wrong")
        }
        ("type", Shape::Number) => (Tier::GrammarStricter, "the number of digits is capped"),
        ("maxLength" | "maxItems", _) if exceeds(value, REPETITION_LIMIT) => {
            (Tier::Validator, "a maximum over 2000 is dropped without a word")
        }
        ("minLength" | "minItems", _) if exceeds(value, REPETITION_LIMIT) => {
            (Tier::Validator, "a minimum over 2000 may be refused")
        }
        _ => ENFORCED,
    }
}

/// Takes out what would kill the server.
pub(super) fn remove_deadly_bounds(json: &mut Json) {
    let Json::Object(members) = json else { return };
    let bounds: Vec<&str> =
        members.iter().map(|(name, _)| name.as_str()).filter(|name| matches!(*name, "minimum" | "maximum")).collect();
    if let [_] = bounds.as_slice() {
        members.retain(|(name, value)| !matches!(name.as_str(), "minimum" | "maximum") || !exceeds(value, DEADLY));
    }
    for (name, value) in members {
        match (name.as_str(), value) {
            ("properties", Json::Object(properties)) => {
                for (_, schema) in properties {
                    remove_deadly_bounds(schema);
                }
            }
            ("items", schema) => remove_deadly_bounds(schema),
            _ => {}
        }
    }
}

fn is_one_sided(range: Range) -> bool {
    range.min().is_some() != range.max().is_some()
}

fn is_deadly(range: Range) -> bool {
    is_one_sided(range) && range.min().or(range.max()).is_some_and(|bound| bound.unsigned_abs() > DEADLY)
}

fn exceeds(value: &Json, limit: u64) -> bool {
    match value {
        Json::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() > limit),
        Json::Null | Json::Bool(_) | Json::String(_) | Json::Array(_) | Json::Object(_) => false,
    }
}
