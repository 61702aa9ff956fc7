//! JSON text to a value: serde_json's parser, and one without recursion for documents nested deeper than it reads.

use serde_json::{Map, Value};

use crate::tree::{Event, Events};

/// Containers may be open inside one another this deep: what serde_json reads.
pub(crate) const MAX_DEPTH: usize = 127;

/// The value of a text that a caller or the reader believes to be JSON.
///
/// # Errors
///
/// serde_json's, where the text is no JSON or a number is out of range.
pub(crate) fn value(text: &str) -> serde_json::Result<Value> {
    match serde_json::from_str(text) {
        Err(error) if error.is_syntax() && text.len() > MAX_DEPTH && depth(text) > MAX_DEPTH => deep(text).ok_or(error),
        result => result,
    }
}

/// How deep brackets are nested in a text, strings left out.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for event in Events::new(text) {
        match event {
            Event::Open { .. } => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            Event::Close { .. } => depth = depth.saturating_sub(1),
            Event::Key(_) | Event::Scalar(_) => {}
        }
    }
    deepest
}

/// As serde_json would read it, with a stack of its own. The text must be what the reader wrote: brackets that match.
fn deep(text: &str) -> Option<Value> {
    let mut open: Vec<(Value, String)> = Vec::new();
    let mut key = String::new();
    for event in Events::new(text) {
        let done = match event {
            Event::Key(range) => {
                key = serde_json::from_str(text.get(range)?).ok()?;
                continue;
            }
            Event::Open { object, .. } => {
                let container = if object { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
                open.push((container, std::mem::take(&mut key)));
                continue;
            }
            Event::Scalar(range) => serde_json::from_str(text.get(range)?).ok()?,
            Event::Close { .. } => {
                let (container, its_key) = open.pop()?;
                key = its_key;
                container
            }
        };
        match open.last_mut() {
            Some((Value::Object(members), _)) => {
                members.insert(std::mem::take(&mut key), done);
            }
            Some((Value::Array(items), _)) => items.push(done),
            Some(_) => return None,
            None => return Some(done),
        }
    }
    None
}
