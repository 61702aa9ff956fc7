//! A server that speaks OpenAI's `json_schema` and of which no more is known: the shape is held by all that were
//! measured, bounds are not.

use super::{ENFORCED, Verdict};
use crate::report::Tier;

pub(super) fn judge(keyword: &str) -> Verdict {
    match keyword {
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minimum" | "maximum" => {
            (Tier::Validator, "not every server that takes a schema holds its bounds")
        }
        _ => ENFORCED,
    }
}
