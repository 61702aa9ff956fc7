//! `coerce`: values are made to fit the schema where nothing is lost, and every change is recorded.
//!
//! The changes are edits to the JSON text, like those of every other rung: digits and order stay as they were written.

use serde::Serialize;
use serde_json::Value;
use slm_schema::{EnumValue, ObjectShape, Pointer, Schema, Shape};

use crate::edit::Edits;
use crate::scan::is_number;
use crate::tree::{self, Member, Node, NodeKind};

/// One value that was changed to fit the schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Coercion {
    /// JSON pointer to the value in the document as it was before any coercion.
    pub pointer: String,
    /// The value as it was, as JSON text.
    pub from: String,
    /// The value as it is now, as JSON text; `None` where the property was removed.
    pub to: Option<String>,
}

/// A document after its coercions.
#[derive(Debug)]
pub(crate) struct Coerced {
    pub(crate) value: Value,
    pub(crate) text: String,
    pub(crate) coercions: Vec<Coercion>,
}

/// Changes what the schema lets change without loss; `None` where there is nothing of the kind.
pub(crate) fn coerce(text: &str, schema: &Schema) -> Option<Coerced> {
    let root = tree::read(text)?;
    let mut coercer = Coercer { text, edits: Edits::default(), coercions: Vec::new() };
    coercer.visit(&root, schema, &Pointer::root());
    if coercer.coercions.is_empty() {
        return None;
    }
    let text = coercer.edits.apply(text);
    let value = serde_json::from_str(&text).ok()?;
    Some(Coerced { value, text, coercions: coercer.coercions })
}

struct Coercer<'a> {
    text: &'a str,
    edits: Edits,
    coercions: Vec<Coercion>,
}

impl Coercer<'_> {
    fn visit(&mut self, node: &Node, schema: &Schema, pointer: &Pointer) {
        match (&schema.shape, &node.kind) {
            (Shape::Object(object), NodeKind::Object(members)) => self.visit_object(members, object, pointer),
            (Shape::Array(array), NodeKind::Array(items)) => {
                for (i, item) in items.iter().enumerate() {
                    self.visit(item, &array.items, &pointer.index(i));
                }
            }
            (Shape::Array(array), _) if node.text(self.text) != "null" => {
                if !self.replace_scalar(node, schema, pointer) {
                    self.wrap(node, &array.items, schema, pointer);
                }
            }
            _ => {
                self.replace_scalar(node, schema, pointer);
            }
        }
    }

    fn visit_object(&mut self, members: &[Member], object: &ObjectShape, pointer: &Pointer) {
        let property_of = |member: &Member| {
            let name: String = serde_json::from_str(self.text.get(member.key.clone())?).ok()?;
            object.property(&name)
        };
        let properties: Vec<_> = members.iter().map(property_of).collect();
        let is_removed = |i: usize| {
            let (Some(member), Some(Some(property))) = (members.get(i), properties.get(i)) else { return false };
            !property.required && member.value.text(self.text) == "null" && !property.schema.conforms(&Value::Null)
        };
        let removed: Vec<bool> = (0..members.len()).map(is_removed).collect();
        let mut kept_end = None;
        let mut run_start = None;
        for ((member, property), removed) in members.iter().zip(properties).zip(removed) {
            let child = property.map(|property| pointer.key(&property.name));
            if removed {
                run_start.get_or_insert(member.key.start);
                self.record(&child.unwrap_or_default(), "null", None);
                continue;
            }
            if let Some(start) = run_start.take() {
                self.edits.remove(start..member.key.start);
            }
            if let (Some(property), Some(child)) = (property, child) {
                self.visit(&member.value, &property.schema, &child);
            }
            kept_end = Some(member.value.range.end);
        }
        if let (Some(start), Some(last)) = (run_start, members.last()) {
            // The comma before the first of the removed goes with them.
            self.edits.remove(kept_end.unwrap_or(start)..last.value.range.end);
        }
    }

    /// Puts another spelling in place of a scalar, if one conforms.
    fn replace_scalar(&mut self, node: &Node, schema: &Schema, pointer: &Pointer) -> bool {
        let from = node.text(self.text);
        let Some(to) = respelt(from, schema) else { return false };
        self.edits.replace(node.range.clone(), to.clone());
        self.record(pointer, from, Some(to));
        true
    }

    /// Makes a one-item array of a value, if the item conforms then.
    fn wrap(&mut self, node: &Node, items: &Schema, array: &Schema, pointer: &Pointer) {
        let mut inner = Coercer { text: self.text, edits: Edits::default(), coercions: Vec::new() };
        inner.visit(node, items, pointer);
        let to = format!("[{}]", inner.edits.apply_within(self.text, node.range.clone()));
        if !conforms(&to, array) {
            return;
        }
        self.edits.insert(node.range.start, "[");
        self.edits.append(inner.edits);
        self.edits.insert(node.range.end, "]");
        self.coercions.append(&mut inner.coercions);
        self.record(pointer, node.text(self.text), Some(to));
    }

    fn record(&mut self, pointer: &Pointer, from: &str, to: Option<String>) {
        self.coercions.push(Coercion { pointer: pointer.to_string(), from: from.to_owned(), to });
    }
}

/// Another spelling of a scalar, that says the same and conforms where the one given does not.
fn respelt(text: &str, schema: &Schema) -> Option<String> {
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
        // Small models send nested documents as strings.
        (Shape::Object(_), Some(inner)) => Some(inner).filter(|inner| inner.trim_start().starts_with('{'))?,
        (Shape::Array(_), Some(inner)) => Some(inner).filter(|inner| inner.trim_start().starts_with('['))?,
        (Shape::String(_), None) if is_number(text) => format!("\"{text}\""),
        (Shape::Enum(members), string) => enum_spelling(string.as_deref(), text, members)?,
        _ => return None,
    };
    conforms(&to, schema).then_some(to)
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

fn conforms(text: &str, schema: &Schema) -> bool {
    serde_json::from_str(text).is_ok_and(|value: Value| schema.conforms(&value))
}
