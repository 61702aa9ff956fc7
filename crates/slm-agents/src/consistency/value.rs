//! Values of an example: would the contract take them?
//!
//! An example is often a form: `"…"`, `"<reason>"`, `"approve | reject"`, `"how bad it is"` stand for values. Only what can
//! be meant as a value is judged, and a document that holds such places need not be complete.

use serde_json::{Map, Value};
use slm_schema::{ArrayShape, ObjectShape, Schema, Shape};

use super::Fault;
use super::fields::{Child, Place};
use super::scan::{Example, Key};
use super::text::{Block, is_one_of};
use crate::nearest::nearest;

/// Is an example a whole document, so that what the contract requires must be there?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    Surely,
    /// If it has at least half of it.
    Mostly,
    Hardly,
}

/// Words that name a type in place of a value.
const TYPES: &str = "\
    any array bool boolean date enum float int integer json list null number object optional path str string text url";

/// What is wrong with the values of an example whose keys all exist.
pub(super) fn faults(example: &Example<'_>, anchor: &Place<'_>, block: &Block<'_>, whole: Whole) -> Vec<Fault> {
    let document: Option<Value> = serde_json::from_str(example.text).ok();
    let is_form = document.as_ref().is_none_or(holds_placeholder);
    let mut faults = Vec::new();
    for key in &example.keys {
        let Some(place) = place_of(key, anchor) else { continue };
        let Some((schema, value)) = place.field(key.name).zip(value(key)) else { continue };
        if let Err(wrong) = check(schema, &value, is_form) {
            let Wrong { message, known, nearest } = wrong;
            let detail = format!("the example's `{}` {message}", key.name);
            let fault = Fault::example(block.line_at(key.offset), key.name, &place.path, known, detail);
            faults.push(Fault { nearest, ..fault });
        }
    }
    if let Some(Value::Object(members)) = &document
        && !is_form
        && faults.is_empty()
    {
        faults.extend(
            incomplete(members, anchor, whole)
                .map(|detail| Fault::example(block.line_at(example.offset), "", &anchor.path, anchor.names(), detail)),
        );
    }
    faults
}

/// The object that a key stands in.
fn place_of<'a>(key: &Key<'_>, anchor: &Place<'a>) -> Option<Place<'a>> {
    let mut place = anchor.clone();
    for step in &key.path {
        let Child::Object(inner) = place.child(step) else { return None };
        place = inner;
    }
    Some(place)
}

/// The value behind a key, where it is JSON and all that stands there: not `"a" | "b"`.
fn value(key: &Key<'_>) -> Option<Value> {
    let mut values = serde_json::Deserializer::from_str(key.rest).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let after = key.rest.get(values.byte_offset()..)?.trim_start_matches([' ', '\t', '\r']);
    let ends = after.is_empty() || after.starts_with([',', '}', '\n', '`']) || after.starts_with("//");
    ends.then_some(value)
}

/// Why a value does not fit.
struct Wrong {
    message: String,
    /// The values that would.
    known: Vec<String>,
    /// The one that was probably meant.
    nearest: Option<String>,
}

impl Wrong {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), known: Vec::new(), nearest: None }
    }
}

/// Objects are judged by their keys, one by one, so here only by what they lack.
fn check(schema: &Schema, value: &Value, is_form: bool) -> Result<(), Wrong> {
    if matches!(value, Value::String(text) if text.is_empty() || is_placeholder(text)) {
        return Ok(());
    }
    match (&schema.shape, value) {
        (Shape::Enum(members), Value::String(text)) => {
            let known: Vec<&str> = members.iter().filter_map(|member| member.value.as_str()).collect();
            // Several words describe the value, unless they misspell it.
            let described = text.contains(' ') && nearest(text, known.iter().copied()).is_none();
            let names_all = text.split(['/', ',']).all(|value| known.contains(&value.trim()));
            if names_all || described {
                return Ok(());
            }
            let nearest = nearest(text, known.iter().copied()).map(str::to_owned);
            let message = format!("is {}, which must be one of: {}", shown(value), known.join(", "));
            Err(Wrong { message, known: known.into_iter().map(str::to_owned).collect(), nearest })
        }
        (Shape::Array(array), Value::Array(items)) => items_fit(array, items, is_form),
        (Shape::Object(object), Value::Object(members)) if !is_form => required(object, members),
        (Shape::Object(_), Value::Object(_)) => Ok(()),
        // The number of a form.
        (Shape::Integer(_) | Shape::Number, Value::Number(number)) if is_form && number.as_u64() == Some(0) => Ok(()),
        // Described in words.
        (shape, Value::String(text)) if !takes_text(shape) && text.contains(' ') => Ok(()),
        (Shape::String(_) | Shape::Pattern(_), Value::String(_)) if is_form => Ok(()),
        _ if schema.conforms(value) => Ok(()),
        (shape, _) => Err(Wrong::new(format!("is {}, which must be {}", shown(value), wanted(shape)))),
    }
}

fn items_fit(array: &ArrayShape, items: &[Value], is_form: bool) -> Result<(), Wrong> {
    if !is_form && !array.size.contains(items.len()) {
        let most = array.size.max().map(|max| format!(" to {max}")).unwrap_or_default();
        return Err(Wrong::new(format!("has {} items, which must be {}{most}", items.len(), array.size.min())));
    }
    for (index, item) in items.iter().enumerate() {
        let schema = array.prefix.get(index).unwrap_or(&array.items);
        check(schema, item, is_form)
            .map_err(|wrong| Wrong { message: format!("has an item that {}", wrong.message), ..wrong })?;
    }
    Ok(())
}

fn required(object: &ObjectShape, members: &Map<String, Value>) -> Result<(), Wrong> {
    let lacking: Vec<&str> = object
        .properties
        .iter()
        .filter(|property| property.required && !members.contains_key(&property.name))
        .map(|property| property.name.as_str())
        .collect();
    if lacking.is_empty() { Ok(()) } else { Err(Wrong::new(format!("lacks: {}", lacking.join(", ")))) }
}

/// What an example lacks that a document must have.
fn incomplete(members: &Map<String, Value>, anchor: &Place<'_>, whole: Whole) -> Option<String> {
    let all = anchor.required().count();
    let there = anchor.required().filter(|name| members.contains_key(*name)).count();
    let judged = match whole {
        Whole::Surely => true,
        Whole::Mostly => there * 2 >= all,
        Whole::Hardly => false,
    };
    let wrong = required(anchor.object(), members).err().filter(|_| judged)?;
    Some(format!("the example {}", wrong.message))
}

fn holds_placeholder(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty() || is_placeholder(text),
        Value::Array(items) => items.iter().any(holds_placeholder),
        Value::Object(members) => members.values().any(holds_placeholder),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// `…`, `<reason>`, `{name}`, `a|b`, `STRING`, `string`.
fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let in_brackets = [('<', '>'), ('{', '}'), ('[', ']'), ('(', ')')]
        .iter()
        .any(|(open, close)| text.starts_with(*open) && text.ends_with(*close));
    let is_loud = text.len() > 1 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    text.contains('…')
        || text.contains("...")
        || text.contains('|')
        || in_brackets
        || is_loud
        || is_one_of(&text.to_lowercase(), TYPES)
}

fn takes_text(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::String(_) | Shape::Pattern(_) | Shape::Any | Shape::Union(_) | Shape::Reference(_) | Shape::Enum(_)
    )
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > 40 => "a text of that length".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

fn wanted(shape: &Shape) -> String {
    if let Shape::Object(_) = shape {
        return "an object".to_owned();
    }
    if let Shape::Array(_) = shape {
        return "a list".to_owned();
    }
    if let Shape::String(size) = shape {
        return match size.max() {
            Some(max) => format!("a text of {} to {max} characters", size.min()),
            None => format!("a text of {} characters or more", size.min()),
        };
    }
    if let Shape::Integer(range) = shape {
        return match (range.min(), range.max()) {
            (Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
            (Some(min), None) => format!("a whole number from {min}"),
            (None, Some(max)) => format!("a whole number up to {max}"),
            (None, None) => "a whole number".to_owned(),
        };
    }
    if let Shape::Enum(members) = shape {
        let values: Vec<&str> = members.iter().map(|member| member.text.as_str()).collect();
        return format!("one of: {}", values.join(", "));
    }
    let name = [(Shape::Number, "a number"), (Shape::Boolean, "true or false"), (Shape::Null, "null")];
    let name = name.iter().find(|(known, _)| known == shape).map(|(_, name)| *name);
    name.unwrap_or("what the contract has there").to_owned()
}
