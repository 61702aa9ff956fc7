//! Keywords that combine schemas: `$ref`, `anyOf`, `oneOf`, `allOf`; and those that no grammar can hold.

use super::judge::{BEYOND_GRAMMARS, IN_PART};
use super::node::Node;
use super::{HELD, Reader};
use crate::error::Error;
use crate::intersect::{self, Both};
use crate::pointer::Pointer;
use crate::report::Tier;
use crate::schema::{Schema, Shape};

/// Definitions put in the place of references, in all: schemas that multiply themselves are left to the validator.
const MOST_EXPANSIONS: usize = 256;

impl<'s> Reader<'s> {
    /// `own` together with everything that the node combines it with; `None` where nothing satisfies all of it.
    pub(super) fn combined(&mut self, node: Node<'s, '_>, own: Schema) -> Result<Option<Schema>, Error> {
        let mut schema = own;
        if node.has("$ref") {
            let referred = self.reference(node)?;
            match self.both(node, "$ref", schema, referred)? {
                Some(both) => schema = both,
                None => return Ok(None),
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(members) = self.members(node, keyword)? else { continue };
            self.unions.push((node.at.clone(), keyword, if keyword == "oneOf" { members.clone() } else { Vec::new() }));
            let Some(union) = intersect::union(members) else { return Ok(None) };
            match self.both(node, keyword, schema, union)? {
                Some(both) => schema = both,
                None => return Ok(None),
            }
        }
        if let Some(list) = node.list("allOf")? {
            self.note(node.at, "allOf", HELD);
            for (index, json) in list.iter().enumerate() {
                let Some(part) = self.part(json, &node.at.key("allOf").index(index))? else { return Ok(None) };
                match self.both(node, "allOf", schema, part)? {
                    Some(both) => schema = both,
                    None => return Ok(None),
                }
            }
        }
        for keyword in ["$dynamicRef", "$recursiveRef"].into_iter().filter(|keyword| node.has(keyword)) {
            self.note(node.at, keyword, (Tier::Validator, "where it leads depends on the way there"));
            // It may lead anywhere, so what any rule says may be broken by way of it.
            self.aside.push(String::new());
        }
        for keyword in BEYOND_GRAMMARS.into_iter().filter(|keyword| node.has(keyword)) {
            self.note(node.at, keyword, (Tier::Validator, "a grammar cannot hold it"));
        }
        Ok(Some(schema))
    }

    /// The members of a union that something satisfies.
    fn members(&mut self, node: Node<'s, '_>, keyword: &str) -> Result<Option<Vec<Schema>>, Error> {
        let Some(list) = node.list(keyword)? else { return Ok(None) };
        if list.is_empty() {
            return Err(node.invalid(keyword, "must hold at least one schema"));
        }
        self.note(node.at, keyword, HELD);
        let below = node.at.key(keyword);
        let mut members = Vec::with_capacity(list.len());
        for (index, json) in list.iter().enumerate() {
            members.extend(self.part(json, &below.index(index))?);
        }
        Ok(Some(members))
    }

    /// Both schemas together. Where that cannot be said exactly, the keyword that asks for it is the validator's.
    pub(super) fn both(
        &mut self,
        node: Node<'s, '_>,
        keyword: &str,
        one: Schema,
        other: Schema,
    ) -> Result<Option<Schema>, Error> {
        if one.shape == Shape::Any {
            return Ok(Some(other));
        }
        let referred = |schema: &Schema| {
            let Shape::Reference(reference) = &schema.shape else { return None };
            Some(reference.name().to_owned())
        };
        let references = [referred(&one), referred(&other)];
        let (Some(one), Some(other)) = (self.in_place(one)?, self.in_place(other)?) else { return Ok(None) };
        Ok(match intersect::intersect(&one, &other) {
            Both::Nothing => None,
            Both::Exactly(schema) => Some(schema),
            Both::AtMost(schema) => {
                self.note(node.at, keyword, IN_PART);
                self.aside.push(node.at.as_str().to_owned());
                self.aside.extend(references.into_iter().flatten());
                Some(schema)
            }
        })
    }

    /// The schema itself, or what it refers to: two schemas are taken together by what they say. A reference stays one where
    /// that goes round in circles, or too far.
    pub(super) fn in_place(&mut self, schema: Schema) -> Result<Option<Schema>, Error> {
        let Shape::Reference(reference) = &schema.shape else { return Ok(Some(schema)) };
        let name = reference.name().to_owned();
        match self.source.at(&name) {
            Some(json) if self.expansions < MOST_EXPANSIONS && !self.expanding.contains(&name) => {
                self.expansions += 1;
                self.expanding.push(name.clone());
                let expanded = self.part(json, &Pointer::from(&*name));
                self.expanding.pop();
                expanded
            }
            _ => Ok(Some(schema)),
        }
    }
}
