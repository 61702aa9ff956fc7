//! Can two branches of a union hold for one value? Where they cannot, `oneOf` says no more than `anyOf`.

use super::scope::Scope;
use super::view::as_str;
use crate::json::Json;

/// Branches beyond this many are not compared with each other.
const MOST_BRANCHES: usize = 100;

/// Are the branches of a `oneOf` sure to exclude each other?
pub(super) fn are_disjoint(branches: &Json, scope: &Scope<'_>) -> bool {
    let Json::Array(branches) = branches else { return false };
    if branches.len() > MOST_BRANCHES {
        return false;
    }
    let branches: Vec<&Json> = branches.iter().map(|branch| followed(branch, scope)).collect();
    branches.iter().enumerate().all(|(i, a)| branches.iter().skip(i + 1).all(|b| exclude(a, b, scope, 0)))
}

/// What a chain of bare references leads to.
fn followed<'a>(mut branch: &'a Json, scope: &Scope<'a>) -> &'a Json {
    for _step in 0..16 {
        match scope.target_of(branch) {
            Some((_, target)) => branch = target,
            None => break,
        }
    }
    branch
}

fn exclude(a: &Json, b: &Json, scope: &Scope<'_>, depth: usize) -> bool {
    if let (Some(a), Some(b)) = (values(a), values(b)) {
        return !a.iter().any(|value| b.contains(value)) && !has_like_numbers(&a, &b);
    }
    if let (Some(a), Some(b)) = (types(a), types(b)) {
        let number = |name: &str| matches!(name, "integer" | "number");
        let meet = |x: &str, y: &str| x == y || (number(x) && number(y));
        if !a.iter().any(|x| b.iter().any(|y| meet(x, y))) {
            return true;
        }
    }
    // One shared property that both require and that tells them apart.
    let requires = |schema: &Json, name: &str| match schema.get("required") {
        Some(Json::Array(names)) => names.iter().filter_map(as_str).any(|found| found == name),
        _ => false,
    };
    let is_object = |schema: &Json| schema.get("type").and_then(as_str) == Some("object");
    let (Some(Json::Object(left)), Some(right)) = (a.get("properties"), b.get("properties")) else { return false };
    depth == 0
        && is_object(a)
        && is_object(b)
        && left.iter().any(|(name, tag)| {
            requires(a, name)
                && requires(b, name)
                && right.get(name).is_some_and(|other| exclude(followed(tag, scope), followed(other, scope), scope, 1))
        })
}

/// Numbers that are written differently may be the same value.
fn has_like_numbers(a: &[&Json], b: &[&Json]) -> bool {
    let has_number =
        |values: &[&Json]| values.iter().any(|value| !matches!(value, Json::String(_) | Json::Bool(_) | Json::Null));
    has_number(a) && has_number(b)
}

/// The values that a schema lists.
fn values(schema: &Json) -> Option<Vec<&Json>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Json::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

/// The types that a schema allows, or that its values have.
fn types(schema: &Json) -> Option<Vec<&str>> {
    match schema.get("type") {
        Some(Json::String(name)) => Some(vec![name]),
        Some(Json::Array(names)) => Some(names.iter().filter_map(as_str).collect()),
        _ => values(schema).map(|values| values.into_iter().map(type_of).collect()),
    }
}

/// The name of a value's type.
pub(super) fn type_of(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_f64() => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}
