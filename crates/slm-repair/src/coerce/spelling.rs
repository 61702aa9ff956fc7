//! Other spellings of a value: those that say the same, and that a schema asks for.

use serde_json::Value;
use slm_schema::{EnumValue, Schema, Shape};

use crate::parse;
use crate::scan::is_number;

/// Another spelling of a scalar, that says the same and conforms where the one given does not.
pub(super) fn other(text: &str, schema: &Schema) -> Option<String> {
    if conforms(text, schema) {
        return None;
    }
    let string = text.starts_with('"').then(|| serde_json::from_str::<String>(text).ok()).flatten();
    let to = match (&schema.shape, string) {
        (Shape::Boolean, Some(word)) => match word.as_str() {
            "true" | "True" | "TRUE" => "true".to_owned(),
            "false" | "False" | "FALSE" => "false".to_owned(),
            _ => return None,
        },
        (Shape::Integer(_) | Shape::Number, Some(word)) => Some(word).filter(|word| is_number(word))?,
        (Shape::Object(_), Some(inner)) => document(inner, '{', schema)?,
        (Shape::Array(_), Some(inner)) => document(inner, '[', schema)?,
        (Shape::String(_) | Shape::Pattern(_), None) if is_number(text) => format!("\"{text}\""),
        (Shape::Enum(members), string) => enum_spelling(string.as_deref(), text, members)?,
        _ => return None,
    };
    conforms(&to, schema).then_some(to)
}

/// Small models send nested documents as strings; what stands in one is made to fit as well. A string in a string is shorter
/// than what it stands in, so this comes to an end.
fn document(inner: String, opener: char, schema: &Schema) -> Option<String> {
    if !inner.trim_start().starts_with(opener) {
        return None;
    }
    match super::coerce(&inner, schema) {
        Some(coerced) => Some(coerced.text),
        None => Some(inner),
    }
}

/// The one member of an enum that is spelt like this, but for case, spaces, dashes and underscores.
fn enum_spelling(string: Option<&str>, text: &str, members: &[EnumValue]) -> Option<String> {
    let plain = |word: &str| -> String {
        word.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).flat_map(char::to_lowercase).collect()
    };
    let written = string.unwrap_or(text);
    if written.trim() != written {
        return None;
    }
    let mut fitting = members.iter().filter(|member| match &member.value {
        Value::String(name) => plain(name) == plain(written),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            string.is_some_and(|string| member.text == string)
        }
    });
    match (fitting.next(), fitting.next()) {
        (Some(member), None) => Some(member.text.clone()),
        _ => None,
    }
}

pub(super) fn conforms(text: &str, schema: &Schema) -> bool {
    parse::value(text).is_ok_and(|value: Value| schema.conforms(&value))
}
