//! `coerce`: values are made to fit the schema where nothing is lost, and every change is recorded.
//!
//! The changes are edits to the JSON text, like those of every other rung: digits and order stay as they were written.

use std::ops::Range;

use serde::Serialize;
use serde_json::Value;
use slm_schema::{ArrayShape, ObjectShape, Pointer, Property, Schema, Shape};

use crate::edit::Edits;
use crate::parse;
use crate::tree::{self, Member, Node, NodeKind};

mod spelling;

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

/// Bytes that are read to see whether a change helped, for each byte of the document: what unions of unions of arrays would
/// have tried is given up.
const TRIALS: usize = 32;

/// Changes what the schema lets change without loss; `None` where there is nothing of the kind.
pub(crate) fn coerce(text: &str, schema: &Schema) -> Option<Coerced> {
    let root = tree::read(text)?;
    let mut coercer = Coercer::new(text, text.len().saturating_mul(TRIALS).saturating_add(4096));
    coercer.visit(&root, schema, &Pointer::root());
    if coercer.coercions.is_empty() {
        return None;
    }
    let text = coercer.edits.apply(text);
    let value = parse::value(&text).ok()?;
    Some(Coerced { value, text, coercions: coercer.coercions })
}

/// Walks the document and the schema side by side. How deep it recurses is bounded by the document's nesting: a schema that
/// refers to itself without going down in the document is none.
struct Coercer<'a> {
    text: &'a str,
    edits: Edits,
    coercions: Vec<Coercion>,
    /// Bytes that may still be read for trials.
    fuel: usize,
    /// The value that is being tried as the one item of an array: it is wrapped once, or lists of lists would have no end.
    wrapped: Option<Range<usize>>,
}

/// What one schema makes of a value.
struct Attempt<'a> {
    coercer: Coercer<'a>,
    to: String,
}

impl<'a> Coercer<'a> {
    fn new(text: &'a str, fuel: usize) -> Self {
        Self { text, edits: Edits::default(), coercions: Vec::new(), fuel, wrapped: None }
    }

    fn visit(&mut self, node: &Node, schema: &Schema, pointer: &Pointer) {
        match (&schema.shape, &node.kind) {
            (Shape::Reference(reference), _) => {
                reference.with(|target| self.visit(node, target, pointer));
            }
            (Shape::Union(members), _) => self.visit_union(node, members, schema, pointer),
            (Shape::Object(object), NodeKind::Object(members)) => self.visit_object(members, object, pointer),
            (Shape::Array(array), NodeKind::Array(items)) => {
                for (i, item) in items.iter().enumerate() {
                    self.visit(item, item_schema(array, i), &pointer.index(i));
                }
            }
            (Shape::Array(array), _) if node.text(self.text) != "null" => {
                if !self.replace_scalar(node, schema, pointer) {
                    self.wrap(node, array, schema, pointer);
                }
            }
            _ => {
                self.replace_scalar(node, schema, pointer);
            }
        }
    }

    /// The member that takes the value with the fewest changes, if that is one.
    fn visit_union(&mut self, node: &Node, members: &[Schema], union: &Schema, pointer: &Pointer) {
        if self.conforms(node.text(self.text), union) || self.fuel == 0 {
            return;
        }
        let mut best: Option<Attempt<'a>> = None;
        let mut is_tied = false;
        for member in members {
            let Some(attempt) = self.attempt(node, member, pointer) else { continue };
            let changes = attempt.coercer.coercions.len();
            match best.as_ref().map(|best| (best.coercer.coercions.len(), best.to == attempt.to)) {
                Some((fewest, is_same)) if fewest < changes || is_same => {}
                Some((fewest, _)) if fewest == changes => is_tied = true,
                _ => {
                    best = Some(attempt);
                    is_tied = false;
                }
            }
        }
        match best {
            Some(best) if !is_tied => self.adopt(best.coercer),
            Some(_) => {}
            None => {
                // What is wrong elsewhere in it is the validator's part.
                let mut fitting = members.iter().filter(|member| takes(member, &node.kind));
                if let (Some(member), None) = (fitting.next(), fitting.next()) {
                    self.visit(node, member, pointer);
                }
            }
        }
    }

    /// What `schema` makes of a value, if it conforms then.
    fn attempt(&mut self, node: &Node, schema: &Schema, pointer: &Pointer) -> Option<Attempt<'a>> {
        let mut coercer = Self { wrapped: self.wrapped.clone(), ..Self::new(self.text, self.fuel) };
        coercer.visit(node, schema, pointer);
        self.fuel = coercer.fuel;
        let to = coercer.edits.apply_within(self.text, node.range.clone());
        self.conforms(&to, schema).then_some(Attempt { coercer, to })
    }

    fn adopt(&mut self, mut other: Self) {
        self.edits.append(other.edits);
        self.coercions.append(&mut other.coercions);
    }

    fn conforms(&mut self, text: &str, schema: &Schema) -> bool {
        self.fuel = self.fuel.saturating_sub(text.len() + 1);
        self.fuel > 0 && spelling::conforms(text, schema)
    }

    fn visit_object(&mut self, members: &[Member], object: &ObjectShape, pointer: &Pointer) {
        let property_of = |member: &Member| object.property(&self.name(member)?);
        let properties: Vec<_> = members.iter().map(property_of).collect();
        let is_removed = |i: usize| {
            let (Some(member), Some(Some(property))) = (members.get(i), properties.get(i)) else { return false };
            !property.required && member.value.text(self.text) == "null" && !property.schema.conforms(&Value::Null)
        };
        let removed: Vec<bool> = (0..members.len()).map(is_removed).collect();
        let mut kept_end = None;
        let mut run_start = None;
        for ((member, property), removed) in members.iter().zip(properties).zip(removed) {
            if removed {
                run_start.get_or_insert(member.key.start);
                let child = property.map(|property| pointer.key(&property.name));
                self.record(&child.unwrap_or_default(), "null", None);
                continue;
            }
            if let Some(start) = run_start.take() {
                self.edits.remove(start..member.key.start);
            }
            self.visit_member(member, property, object, pointer);
            kept_end = Some(member.value.range.end);
        }
        if let (Some(start), Some(last)) = (run_start, members.last()) {
            // The comma before the first of the removed goes with them.
            self.edits.remove(kept_end.unwrap_or(start)..last.value.range.end);
        }
    }

    fn name(&self, member: &Member) -> Option<String> {
        serde_json::from_str(self.text.get(member.key.clone())?).ok()
    }

    fn visit_member(&mut self, member: &Member, property: Option<&Property>, object: &ObjectShape, pointer: &Pointer) {
        if let Some(property) = property {
            self.visit(&member.value, &property.schema, &pointer.key(&property.name));
        } else if let (Some(additional), Some(name)) = (&object.additional, self.name(member)) {
            self.visit(&member.value, &additional.value, &pointer.key(&name));
        }
    }

    /// Puts another spelling in place of a scalar, if one conforms.
    fn replace_scalar(&mut self, node: &Node, schema: &Schema, pointer: &Pointer) -> bool {
        let from = node.text(self.text);
        let Some(to) = spelling::other(from, schema) else { return false };
        self.edits.replace(node.range.clone(), to.clone());
        self.record(pointer, from, Some(to));
        true
    }

    /// Makes a one-item array of a value, if that conforms then.
    fn wrap(&mut self, node: &Node, array: &ArrayShape, schema: &Schema, pointer: &Pointer) {
        if self.fuel == 0 || self.wrapped.as_ref() == Some(&node.range) {
            return;
        }
        let outer = self.wrapped.replace(node.range.clone());
        let attempt = self.attempt(node, item_schema(array, 0), pointer);
        self.wrapped = outer;
        let Some(Attempt { coercer, to }) = attempt else { return };
        let to = format!("[{to}]");
        if !self.conforms(&to, schema) {
            return;
        }
        self.edits.insert(node.range.start, "[");
        self.adopt(coercer);
        self.edits.insert(node.range.end, "]");
        self.record(pointer, node.text(self.text), Some(to));
    }

    fn record(&mut self, pointer: &Pointer, from: &str, to: Option<String>) {
        self.coercions.push(Coercion { pointer: pointer.to_string(), from: from.to_owned(), to });
    }
}

fn item_schema(array: &ArrayShape, index: usize) -> &Schema {
    array.prefix.get(index).unwrap_or(&array.items)
}

/// Is this container of the kind that the schema asks for?
fn takes(schema: &Schema, kind: &NodeKind) -> bool {
    match (&schema.shape, kind) {
        (Shape::Reference(reference), _) => reference.with(|target| takes(target, kind)).unwrap_or(false),
        (Shape::Union(members), _) => members.iter().any(|member| takes(member, kind)),
        (Shape::Object(_), NodeKind::Object(_)) | (Shape::Array(_), NodeKind::Array(_)) => true,
        _ => false,
    }
}
