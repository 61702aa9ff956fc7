//! What telling the faults of a nested document apart can cost.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::circles::circles;
use crate::json::Json;
use crate::keywords;
use crate::pointer::Pointer;

/// How many times a part of `value` may be judged.
pub(super) fn judgements(schema: &Json, value: &Value) -> u64 {
    (branching(schema) as u64).saturating_pow(depth(value))
}

/// The most members of one union that go on with other definitions, where definitions come back to themselves; else 0.
///
/// To say why a union refuses a value, the faults of each member are gathered, at every level of the value anew.
fn branching(schema: &Json) -> usize {
    let mut unions = 0;
    keywords::walk(schema, &Pointer::root(), &mut |_, node| {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            if let Some(Json::Array(members)) = node.get(keyword) {
                unions = unions.max(members.iter().filter(|member| !references(member).is_empty()).count());
            }
        }
    });
    if unions > 1 && comes_back(schema) { unions } else { 0 }
}

/// Does a definition lead back to itself?
fn comes_back(schema: &Json) -> bool {
    let mut graph: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut waiting = references(schema);
    while let Some(reference) = waiting.pop() {
        graph.entry(reference).or_insert_with_key(|reference| {
            let leads = reference.strip_prefix('#').and_then(|place| schema.at(place)).map(references);
            // What cannot be looked up (`$dynamicRef`) may lead anywhere.
            let leads = leads.unwrap_or_else(|| vec![reference.clone()]);
            waiting.extend(leads.iter().cloned());
            leads
        });
    }
    !circles(graph.iter()).is_empty()
}

/// Every reference in `schema`.
fn references(schema: &Json) -> Vec<String> {
    let mut found = Vec::new();
    keywords::walk(schema, &Pointer::root(), &mut |_, node| {
        let Json::Object(members) = node else { return };
        for (keyword, value) in members {
            if let Json::String(reference) = value
                && keywords::is_reference(keyword)
            {
                found.push(reference.clone());
            }
        }
    });
    found
}

/// How deep `value` is nested: 0 for a scalar.
fn depth(value: &Value) -> u32 {
    let below = match value {
        Value::Array(items) => items.iter().map(depth).max(),
        Value::Object(members) => members.values().map(depth).max(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return 0,
    };
    below.unwrap_or(0) + 1
}
