//! `json_object`: some JSON object, where the server keeps even that; no rule of the schema reaches the decoder.

use super::prompt_only;
use super::rules::Rules;

pub(super) const RULES: Rules = prompt_only::RULES;
