//! Shapes that strict endpoints insist on: every schema says its type, every property is required, and one that was
//! optional may be null instead.

use std::collections::HashMap;

use super::fits;
use super::members::{Members, set};
use super::rules::Node;
use super::union::type_of;
use super::view::{as_list, as_members, as_str};
use crate::json::Json;
use serde_json::Value;

/// A `type` that allows null too.
pub(super) fn with_null_type(types: &Json) -> Json {
    with(types, Json::String("null".to_owned()))
}

/// An `enum` that lists null too.
pub(super) fn with_null_value(values: &Json) -> Json {
    with(values, Json::Null)
}

fn with(list: &Json, null: Json) -> Json {
    match as_list(list) {
        Some(items) if items.contains(&null) => list.clone(),
        Some(items) => Json::Array(items.iter().cloned().chain([null]).collect()),
        None if *list == null => null,
        None => Json::Array(vec![list.clone(), null]),
    }
}

/// Writes the type that the schema's keywords or values imply, where it says none.
pub(super) fn say_type(sent: &mut Members, node: &Node<'_>) {
    let speaks = ["type", "$ref", "anyOf", "allOf"].iter().any(|keyword| sent.iter().any(|(name, _)| name == keyword));
    if speaks {
        return;
    }
    let values = match (node.get("enum"), node.get("const")) {
        (Some(Json::Array(values)), _) => values.iter().collect(),
        (_, Some(value)) => vec![value],
        _ => Vec::new(),
    };
    let mut names: Vec<&str> = Vec::new();
    for name in values.into_iter().map(type_of).chain(node.assumed_type()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let text = |name: &&str| Json::String((*name).to_owned());
    match names.as_slice() {
        [] => {}
        [one] => sent.insert(0, ("type".to_owned(), text(one))),
        names => sent.insert(0, ("type".to_owned(), Json::Array(names.iter().map(text).collect()))),
    }
}

/// Requires every declared property; one that was optional may be null.
pub(super) fn require_all(sent: &mut Members, node: &Node<'_>) {
    let mut names = Vec::new();
    let mut properties = Members::new();
    if let Some((_, Json::Object(declared))) = sent.iter_mut().find(|(name, _)| name == "properties") {
        properties = std::mem::take(declared);
    }
    let required = fits::names(node.get("required"));
    let sources: HashMap<&str, &Json> = node
        .get("properties")
        .and_then(as_members)
        .into_iter()
        .flatten()
        .map(|(name, source)| (name.as_str(), source))
        .collect();
    for (name, schema) in &mut properties {
        let takes_null = sources.get(name.as_str()).is_some_and(|source| fits::fits(source, node.scope, &Value::Null));
        if !required.contains(name.as_str()) && !takes_null {
            *schema = nullable(std::mem::replace(schema, Json::Null));
        }
        names.push(Json::String(name.clone()));
    }
    set(sent, "properties", Json::Object(properties));
    set(sent, "required", Json::Array(names));
}

/// The schema, or null.
fn nullable(schema: Json) -> Json {
    let Json::Object(mut members) = schema else { return schema };
    let null = || Json::Object(vec![("type".to_owned(), Json::String("null".to_owned()))]);
    if let Some((_, Json::Array(branches))) = members.iter_mut().find(|(name, _)| name == "anyOf") {
        branches.push(null());
        return Json::Object(members);
    }
    if members.iter().any(|(name, _)| name == "type") {
        for (name, value) in &mut members {
            match name.as_str() {
                "type" => *value = with_null_type(value),
                "enum" => *value = with_null_value(value),
                "const" => {
                    "enum".clone_into(name);
                    *value = Json::Array(vec![std::mem::replace(value, Json::Null), Json::Null]);
                }
                _ => {}
            }
        }
        return Json::Object(members);
    }
    Json::Object(vec![("anyOf".to_owned(), Json::Array(vec![Json::Object(members), null()]))])
}

/// Was an object closed that has no properties of its own, though it might have had others?
pub(super) fn is_emptied(sent: &Members, node: &Node<'_>) -> bool {
    let declares = sent
        .iter()
        .any(|(name, value)| name == "properties" && matches!(value, Json::Object(found) if !found.is_empty()));
    !declares && (node.get("additionalProperties") != Some(&Json::Bool(false)) || node.has("patternProperties"))
}

/// A list of types as a union: what else the schema says goes to each branch that is not null.
pub(super) fn without_type_list(members: Members) -> Members {
    let Some((_, Json::Array(types))) = members.iter().find(|(name, _)| name == "type") else { return members };
    let types = types.clone();
    let is_outer = |name: &str| matches!(name, "description" | "anyOf");
    let (outer, inner): (Members, Members) = members.into_iter().partition(|(name, _)| is_outer(name));
    let holds_schemas = inner.iter().any(|(name, _)| matches!(name.as_str(), "properties" | "items"));
    let null = Json::String("null".to_owned());
    let others = types.iter().filter(|name| **name != null).count();
    // Copies of schemas below would grow with each level.
    if outer.iter().any(|(name, _)| name == "anyOf") || (holds_schemas && others > 1) {
        return outer.into_iter().chain(inner).collect();
    }
    let branch = |name: &Json| {
        if *name == null {
            return Json::Object(vec![("type".to_owned(), null.clone())]);
        }
        let mut members = inner.clone();
        for (keyword, value) in &mut members {
            match (keyword.as_str(), &*value) {
                ("type", _) => *value = name.clone(),
                ("enum", Json::Array(values)) => *value = Json::Array(of_type(values, name)),
                _ => {}
            }
        }
        Json::Object(members)
    };
    // A list of values without null forbids it, whatever `type` says.
    let forbids_null = matches!(inner.iter().find(|(name, _)| name == "enum"), Some((_, Json::Array(values))) if !values.contains(&Json::Null));
    let branches = types.iter().filter(|name| !(forbids_null && **name == null)).map(branch);
    let branches = branches.filter(|branch| branch.get("enum") != Some(&Json::Array(Vec::new())));
    outer.into_iter().chain([("anyOf".to_owned(), Json::Array(branches.collect()))]).collect()
}

/// The values of one type.
fn of_type(values: &[Json], name: &Json) -> Vec<Json> {
    let name = as_str(name).unwrap_or_default();
    let fits = |value: &&Json| type_of(value) == name || (name == "number" && type_of(value) == "integer");
    values.iter().filter(fits).cloned().collect()
}
