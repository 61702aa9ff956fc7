//! A tree that refers to itself: it must write something before it does, and it must be able to end.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, ErrorKind};
use crate::schema::{Schema, Shape, Slot};

/// Checks the definitions.
pub(super) fn check(root: &Schema, slots: &BTreeMap<String, Slot>) -> Result<(), Error> {
    for name in slots.keys() {
        if goes_round(name, slots) {
            let message = "refers to itself with nothing in between, so it says nothing; describe the value";
            return Err(Error::new(ErrorKind::InvalidKeyword, message).at(name).keyword_named("$ref"));
        }
    }
    let mut ending = BTreeSet::new();
    loop {
        let before = ending.len();
        for (name, slot) in slots {
            if slot.get().is_some_and(|schema| can_end(schema, &ending)) {
                ending.insert(name.clone());
            }
        }
        if ending.len() == before {
            break;
        }
    }
    if can_end(root, &ending) {
        return Ok(());
    }
    let endless = slots.keys().find(|name| !ending.contains(*name)).cloned().unwrap_or_default();
    let message = "every value would hold another one without end; make the reference optional somewhere";
    Err(Error::new(ErrorKind::Unsatisfiable, message).at(&endless))
}

/// Does following references and unions from `start` lead back there? llama.cpp would not notice, and run for ever.
fn goes_round(start: &str, slots: &BTreeMap<String, Slot>) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<String> = heads(slots.get(start).and_then(|slot| slot.get()));
    while let Some(name) = waiting.pop() {
        if name == start {
            return true;
        }
        if seen.insert(name.clone()) {
            waiting.extend(heads(slots.get(&name).and_then(|slot| slot.get())));
        }
    }
    false
}

fn heads(schema: Option<&Schema>) -> Vec<String> {
    match schema.map(|schema| &schema.shape) {
        Some(Shape::Reference(reference)) => vec![reference.name().to_owned()],
        Some(Shape::Union(members)) => members.iter().flat_map(|member| heads(Some(member))).collect(),
        _ => Vec::new(),
    }
}

/// Is there a value of this schema that ends, given the definitions that are known to?
fn can_end(schema: &Schema, ending: &BTreeSet<String>) -> bool {
    match &schema.shape {
        Shape::Reference(reference) => ending.contains(reference.name()),
        Shape::Union(members) => members.iter().any(|member| can_end(member, ending)),
        Shape::Object(object) => {
            object.properties.iter().all(|property| !property.required || can_end(&property.schema, ending))
                && (object.count.min() <= object.properties.len()
                    || object.additional.as_ref().is_some_and(|rest| can_end(&rest.value, ending)))
        }
        Shape::Array(array) => {
            let (first, more) = (array.size.min().min(array.prefix.len()), array.size.min() > array.prefix.len());
            array.prefix.iter().take(first).all(|item| can_end(item, ending))
                && (!more || can_end(&array.items, ending))
        }
        Shape::Any
        | Shape::String(_)
        | Shape::Pattern(_)
        | Shape::Integer(_)
        | Shape::Number
        | Shape::Boolean
        | Shape::Null
        | Shape::Enum(_) => true,
    }
}
