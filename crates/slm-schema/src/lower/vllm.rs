//! vLLM, by `response_format` or `structured_outputs`: its engines hold the whole portable profile.

use super::{ENFORCED, Verdict};
use crate::json::Json;
use crate::report::Tier;

pub(super) fn judge(keyword: &str, value: &Json) -> Verdict {
    match keyword {
        "additionalProperties" if *value == Json::Bool(true) => {
            (Tier::Validator, "whether an open object may be extended depends on the engine")
        }
        _ => ENFORCED,
    }
}
