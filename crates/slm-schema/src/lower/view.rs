//! A JSON value seen as one kind of value.

use crate::json::Json;

pub(super) fn as_str(json: &Json) -> Option<&str> {
    if let Json::String(text) = json { Some(text) } else { None }
}

pub(super) fn as_list(json: &Json) -> Option<&Vec<Json>> {
    if let Json::Array(items) = json { Some(items) } else { None }
}

pub(super) fn as_members(json: &Json) -> Option<&Vec<(String, Json)>> {
    if let Json::Object(members) = json { Some(members) } else { None }
}

pub(super) fn as_number(json: &Json) -> Option<f64> {
    if let Json::Number(number) = json { number.as_f64() } else { None }
}

/// The strings in a list, or the one string: how `type` and `required` are written.
pub(super) fn strings(json: &Json) -> Vec<&str> {
    as_list(json).map_or_else(|| as_str(json).into_iter().collect(), |items| items.iter().filter_map(as_str).collect())
}
