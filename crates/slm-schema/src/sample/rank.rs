//! How far a schema is from a document that ends: schemas may refer to themselves, and a sample must not for ever.

use std::collections::BTreeMap;

use crate::read::Document;
use crate::schema::{Schema, Shape};

/// The number of references that have to be followed, at the least, for each definition.
#[derive(Debug)]
pub(super) struct Ranks(BTreeMap<String, usize>);

impl Ranks {
    pub(super) fn of(document: &Document) -> Self {
        let mut ranks = Self(BTreeMap::new());
        // Each round finds those that need one reference more; a sound document leaves none out.
        for _ in 0..document.slots.len() {
            let found: Vec<(String, usize)> = document
                .slots
                .iter()
                .filter(|(name, _)| !ranks.0.contains_key(*name))
                .filter_map(|(name, slot)| Some((name.clone(), ranks.known(slot.get()?)? + 1)))
                .collect();
            if found.is_empty() {
                break;
            }
            ranks.0.extend(found);
        }
        ranks
    }

    /// The rank of a schema; the largest where none is known.
    pub(super) fn rank(&self, schema: &Schema) -> usize {
        self.known(schema).unwrap_or(usize::MAX)
    }

    fn known(&self, schema: &Schema) -> Option<usize> {
        match &schema.shape {
            Shape::Reference(reference) => self.0.get(reference.name()).copied(),
            Shape::Union(members) => members.iter().filter_map(|member| self.known(member)).min(),
            Shape::Object(object) => {
                let required = object.properties.iter().filter(|property| property.required);
                let rest = object.additional.iter().filter(|_| object.count.min() > object.properties.len());
                let declared = most(required.map(|property| self.known(&property.schema)))?;
                Some(declared.max(most(rest.map(|rest| self.known(&rest.value)))?))
            }
            Shape::Array(array) => {
                let needed = (0..array.size.min()).take(array.prefix.len() + 1);
                most(needed.map(|index| self.known(array.prefix.get(index).unwrap_or(&array.items))))
            }
            Shape::Any
            | Shape::String(_)
            | Shape::Pattern(_)
            | Shape::Integer(_)
            | Shape::Number
            | Shape::Boolean
            | Shape::Null
            | Shape::Enum(_) => Some(0),
        }
    }
}

/// The largest, if all are known.
fn most(mut ranks: impl Iterator<Item = Option<usize>>) -> Option<usize> {
    ranks.try_fold(0, |most: usize, rank| Some(most.max(rank?)))
}
