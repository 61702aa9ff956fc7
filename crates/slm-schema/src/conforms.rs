//! The structural check: does a value fit the typed tree? No dependency, no report; the validator has the last word.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::schema::{ObjectShape, Range, Schema, Shape, Undeclared};

impl Schema {
    /// Does `value` fit? For choosing between readings of a text; a verdict is the validator's.
    pub fn conforms(&self, value: &Value) -> bool {
        Check::default().conforms(self, value)
    }
}

/// One check, and what it has found out on its way.
#[derive(Default)]
struct Check {
    /// Whether a value fits the target of a reference, by their addresses, which stand still while both are borrowed. Two
    /// members of a union that refer to one target would ask twice at each level of the value: 2^depth times in all.
    known: HashMap<(usize, usize), bool>,
}

impl Check {
    fn conforms(&mut self, schema: &Schema, value: &Value) -> bool {
        match (&schema.shape, value) {
            (Shape::Union(members), value) => members.iter().any(|member| self.conforms(member, value)),
            (Shape::Reference(reference), value) => {
                reference.with(|target| self.target_conforms(target, value)).unwrap_or(false)
            }
            (Shape::Object(object), Value::Object(members)) => self.object_conforms(object, members),
            (Shape::Array(array), Value::Array(items)) => {
                let (first, rest) = items.split_at(items.len().min(array.prefix.len()));
                array.size.contains(items.len())
                    && array.prefix.iter().zip(first).all(|(schema, item)| self.conforms(schema, item))
                    && rest.iter().all(|item| self.conforms(&array.items, item))
            }
            (Shape::String(size), Value::String(text)) => size.contains(text.chars().count()),
            (Shape::Pattern(pattern), Value::String(text)) => pattern.matches(text),
            (Shape::Integer(range), Value::Number(number)) => is_integer_within(number, *range),
            (Shape::Any, _)
            | (Shape::Number, Value::Number(_))
            | (Shape::Boolean, Value::Bool(_))
            | (Shape::Null, Value::Null) => true,
            (Shape::Enum(members), value) => members.iter().any(|member| equal(&member.value, value)),
            (
                Shape::Object(_)
                | Shape::Array(_)
                | Shape::String(_)
                | Shape::Pattern(_)
                | Shape::Integer(_)
                | Shape::Number
                | Shape::Boolean
                | Shape::Null,
                _,
            ) => false,
        }
    }

    fn target_conforms(&mut self, target: &Schema, value: &Value) -> bool {
        let key = (std::ptr::from_ref(target).addr(), std::ptr::from_ref(value).addr());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let conforms = self.conforms(target, value);
        self.known.insert(key, conforms);
        conforms
    }

    fn object_conforms(&mut self, object: &ObjectShape, members: &Map<String, Value>) -> bool {
        object.count.contains(members.len())
            && object.properties.iter().all(|property| match members.get(&property.name) {
                Some(member) => self.conforms(&property.schema, member),
                None => !property.required,
            })
            && members
                .iter()
                .all(|(name, member)| object.property(name).is_some() || self.undeclared_conforms(object, name, member))
    }

    fn undeclared_conforms(&mut self, object: &ObjectShape, name: &str, member: &Value) -> bool {
        match object.undeclared(name) {
            Undeclared::Refused => false,
            Undeclared::Anything => true,
            Undeclared::Like(schema) => self.conforms(schema, member),
        }
    }
}

/// The draft counts `1.0` as an integer.
fn is_integer_within(number: &serde_json::Number, range: Range) -> bool {
    if let Some(whole) = number.as_i128() {
        return range.contains(whole);
    }
    #[expect(clippy::cast_precision_loss, reason = "a double is compared with the nearest double of the bound")]
    let inside = |float: f64| {
        range.min().is_none_or(|min| min as f64 <= float) && range.max().is_none_or(|max| float <= max as f64)
    };
    number.as_f64().is_some_and(|float| float.fract() == 0.0 && inside(float))
}

/// Equality as the draft has it: numbers by value, so `1` equals `1.0`.
pub(crate) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}
