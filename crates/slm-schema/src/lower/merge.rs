//! Several schemas that must all hold, as one: what stands beside a `$ref`, and the parts of an `allOf`.
//!
//! No endpoint reads these forms reliably, all read the one schema that says the same. Where it cannot be written, because
//! two parts speak of one thing in ways that no keyword joins, there is none.

use std::collections::{HashMap, HashSet};

use super::members::Members;
use super::scope::Scope;
use super::view::{as_list, as_members, as_number, as_str};
use crate::json::Json;
use crate::keywords;

/// Schemas of more parts than this are not merged: each part is compared with each other one.
const MOST_PARTS: usize = 100;

/// The node as one schema; `None` where it is one already, or cannot be.
pub(super) fn merged(node: &Json, scope: &Scope<'_>) -> Option<Json> {
    let Json::Object(members) = node else { return None };
    let is_reference = node.get("$ref").is_some();
    let is_compound = (node.get("allOf").is_some() && !(is_reference && scope.refs_stand_alone))
        || node.get("unevaluatedProperties") == Some(&Json::Bool(false))
        || (is_reference && members.len() > 1);
    if !is_compound {
        return None;
    }
    flattened(node, scope, 0).map(Json::Object)
}

/// The parts that a node is merged from, the node itself first.
pub(super) fn parts<'a>(node: &'a Json, scope: &Scope<'a>) -> Vec<&'a Json> {
    let mut found = vec![node];
    found.extend(scope.target_of(node).map(|(_, target)| target));
    if let Some(Json::Array(parts)) = node.get("allOf") {
        found.extend(parts);
        found.extend(parts.iter().filter_map(|part| scope.target_of(part)).map(|(_, target)| target));
    }
    found
}

/// A node and its parts, keyword by keyword in their order, so that properties keep the order they are written in.
fn flattened(node: &Json, scope: &Scope<'_>, depth: usize) -> Option<Members> {
    // Parts are nested at most as deep as the text, and what is inlined leads to no circle.
    if depth > 128 {
        return None;
    }
    if *node == Json::Bool(true) {
        return Some(Members::new());
    }
    let members = as_members(node)?;
    let stands_alone = scope.refs_stand_alone && node.get("$ref").is_some();
    let mut own = Members::new();
    let mut parts = Vec::new();
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("$ref", _) => {
                let (pointer, target) = scope.target_of(node)?;
                if !scope.may_inline(&pointer) {
                    return None;
                }
                parts.push(flattened(target, scope, depth + 1)?);
            }
            ("allOf", Json::Array(all)) if !stands_alone => {
                for part in all {
                    parts.push(flattened(part, scope, depth + 1)?);
                }
            }
            (name, _) if stands_alone && keywords::is_rule(name) => continue,
            _ => own.push((keyword.clone(), value.clone())),
        }
        if matches!(keyword.as_str(), "$ref" | "allOf") {
            own.push((keyword.clone(), Json::Null));
        }
    }
    joined(&own, parts)
}

/// The parts in the places of the keywords that brought them, which hold nothing else.
fn joined(own: &Members, parts: Vec<Members>) -> Option<Members> {
    if parts.len() > MOST_PARTS {
        return None;
    }
    let sides: Vec<&Members> = std::iter::once(own).chain(&parts).collect();
    let clash =
        sides.iter().enumerate().any(|(i, a)| sides.iter().skip(i + 1).any(|b| closes_out(a, b) || closes_out(b, a)));
    if clash {
        return None;
    }
    let mut sum = Members::new();
    let mut parts = Some(parts);
    for (keyword, value) in own {
        if !matches!(keyword.as_str(), "$ref" | "allOf") {
            join(&mut sum, keyword, value, true)?;
            continue;
        }
        for (keyword, value) in parts.take().unwrap_or_default().iter().flatten() {
            join(&mut sum, keyword, value, false)?;
        }
    }
    close(&mut sum)?;
    Some(sum)
}

/// `unevaluatedProperties: false` sees through the parts, so on their sum it is `additionalProperties: false`.
fn close(sum: &mut Members) -> Option<()> {
    let is_closed = |(name, value): &(String, Json)| name == "unevaluatedProperties" && *value == Json::Bool(false);
    if !sum.iter().any(is_closed) {
        return Some(());
    }
    let looks_further = ["anyOf", "oneOf", "if", "dependentSchemas", "additionalProperties"];
    if sum.iter().any(|(name, _)| looks_further.contains(&name.as_str())) {
        return None;
    }
    sum.retain(|member| !is_closed(member));
    sum.push(("additionalProperties".to_owned(), Json::Bool(false)));
    Some(())
}

/// Does `closed` speak of all properties that it does not declare itself, and `other` declare some of them?
fn closes_out(closed: &Members, other: &Members) -> bool {
    fn get<'m>(members: &'m Members, keyword: &str) -> Option<&'m Json> {
        members.iter().find(|(name, _)| name == keyword).map(|(_, value)| value)
    }
    if matches!(get(closed, "additionalProperties"), None | Some(Json::Bool(true))) {
        return false;
    }
    let declared = get(closed, "properties").and_then(as_members).into_iter().flatten();
    let declared: HashSet<&str> = declared.map(|(name, _)| name.as_str()).collect();
    match get(other, "properties").and_then(as_members) {
        Some(names) => names.iter().any(|(name, _)| !declared.contains(name.as_str())),
        None => get(other, "patternProperties").is_some(),
    }
}

/// Adds one keyword to the sum. The words of the node itself win over those of its parts.
fn join(sum: &mut Members, keyword: &str, value: &Json, wins: bool) -> Option<()> {
    let Some((_, found)) = sum.iter_mut().find(|(name, _)| name == keyword) else {
        sum.push((keyword.to_owned(), value.clone()));
        return Some(());
    };
    if found == value {
        return Some(());
    }
    if !keywords::is_rule(keyword) {
        if wins && keyword != "$defs" && keyword != "definitions" {
            *found = value.clone();
        }
        return Some(());
    }
    let joined = match (keyword, &*found, value) {
        ("properties", Json::Object(a), Json::Object(b)) => Json::Object(joined_properties(a, b)),
        ("required", Json::Array(a), Json::Array(b)) => {
            let known: HashSet<&str> = a.iter().filter_map(as_str).collect();
            let new = b.iter().filter(|name| as_str(name).is_none_or(|name| !known.contains(name)));
            Json::Array(a.iter().chain(new).cloned().collect())
        }
        ("enum", Json::Array(a), Json::Array(b)) => non_empty(a.iter().filter(|item| b.contains(item)))?,
        ("type", a, b) => joined_types(a, b)?,
        ("minLength" | "minItems" | "minProperties" | "minimum", a, b) => larger(a, b)?,
        ("maxLength" | "maxItems" | "maxProperties" | "maximum", a, b) => {
            if larger(a, b)? == *a {
                b.clone()
            } else {
                a.clone()
            }
        }
        ("additionalProperties", Json::Bool(true), b) => b.clone(),
        ("additionalProperties", a, Json::Bool(true)) => a.clone(),
        _ => return None,
    };
    *found = joined;
    Some(())
}

/// A property that both sides declare must look like both.
fn joined_properties(a: &Members, b: &Members) -> Members {
    let mut joined = a.clone();
    let places: HashMap<&str, usize> = a.iter().enumerate().map(|(i, (name, _))| (name.as_str(), i)).collect();
    for (name, schema) in b {
        match places.get(name.as_str()).and_then(|place| joined.get_mut(*place)) {
            None => joined.push((name.clone(), schema.clone())),
            Some((_, known)) if known == schema => {}
            Some((_, known)) => {
                *known = Json::Object(vec![("allOf".to_owned(), Json::Array(vec![known.clone(), schema.clone()]))]);
            }
        }
    }
    joined
}

fn joined_types(a: &Json, b: &Json) -> Option<Json> {
    let list = |json: &Json| as_list(json).cloned().unwrap_or_else(|| vec![json.clone()]);
    let (a, b) = (list(a), list(b));
    let number = Json::String("number".to_owned());
    let allows = |list: &[Json], name: &Json| {
        list.contains(name) || (*name == Json::String("integer".to_owned()) && list.contains(&number))
    };
    let narrower = b.iter().filter(|name| !a.contains(name) && allows(&a, name));
    let common: Vec<Json> = a.iter().filter(|name| allows(&b, name)).chain(narrower).cloned().collect();
    match common.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        _ => Some(Json::Array(common)),
    }
}

fn non_empty<'a>(items: impl Iterator<Item = &'a Json>) -> Option<Json> {
    let items: Vec<Json> = items.cloned().collect();
    (!items.is_empty()).then_some(Json::Array(items))
}

fn larger(a: &Json, b: &Json) -> Option<Json> {
    let (x, y) = (as_number(a)?, as_number(b)?);
    Some(if x >= y { a.clone() } else { b.clone() })
}
