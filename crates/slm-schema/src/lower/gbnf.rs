//! Our own grammar: exact, but for what a finite pattern must leave out.

use super::{ENFORCED, Verdict};
use crate::json::Json;
use crate::report::Tier;
use crate::schema::{Schema, Shape};

pub(super) fn judge(keyword: &str, value: &Json, schema: &Schema) -> Verdict {
    match (keyword, &schema.shape) {
        ("additionalProperties", _) if *value == Json::Bool(true) => {
            (Tier::GrammarStricter, "properties that the schema does not declare cannot be written")
        }
        ("type", Shape::Integer(range)) if range.min().is_none() || range.max().is_none() => {
            (Tier::GrammarStricter, "without both bounds an integer has at most 18 digits")
        }
        ("type", Shape::Number) => {
            (Tier::GrammarStricter, "at most 16 digits before and after the point, and no exponent")
        }
        _ => ENFORCED,
    }
}
