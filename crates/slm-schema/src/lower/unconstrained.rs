//! `json_object` and `prompt_only`: no rule of the schema reaches the decoder.

use super::Verdict;
use crate::report::Tier;

pub(super) fn judge() -> Verdict {
    (Tier::Validator, "the schema is described in the prompt only")
}
