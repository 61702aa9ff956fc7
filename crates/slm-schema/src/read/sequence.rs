//! Arrays: tuples, lists, and tuples that go on as lists.

use super::node::Node;
use super::{HELD, Reader};
use crate::error::Error;
use crate::json::Json;
use crate::pointer::Pointer;
use crate::report::Tier;
use crate::schema::{ArrayShape, Schema, Shape, Size};

impl<'s> Reader<'s> {
    pub(super) fn array(&mut self, node: Node<'s, '_>) -> Result<Option<Schema>, Error> {
        let mut size = node.size("minItems", "maxItems")?;
        for keyword in ["minItems", "maxItems", "items", "prefixItems", "additionalItems"] {
            if node.has(keyword) {
                self.note(node.at, keyword, HELD);
            }
        }
        // Up to 2019-09 a list of schemas stands in `items`, and what follows it in `additionalItems`.
        let (tuple, rest) = match node.get("items") {
            Some(Json::Array(list)) => (Some(("items", list.as_slice())), "additionalItems"),
            _ => (node.list("prefixItems")?.map(|list| ("prefixItems", list)), "items"),
        };
        let mut prefix = Vec::new();
        if let Some((keyword, list)) = tuple {
            let below = node.at.key(keyword);
            for (index, json) in list.iter().enumerate() {
                if let Some(schema) = self.schema(json, &below.index(index))? {
                    prefix.push(schema);
                } else {
                    // No item can stand here, so the array ends before.
                    let Some(shorter) = size.and_at_most(index) else { return Ok(None) };
                    size = shorter;
                    break;
                }
            }
        }
        let items = match node.get(rest).map(|json| self.schema(json, &node.at.key(rest))).transpose()? {
            None => Schema::of(Shape::Any),
            Some(Some(schema)) => schema,
            Some(None) => {
                let Some(shorter) = size.and_at_most(prefix.len()) else { return Ok(None) };
                size = shorter;
                Schema::of(Shape::Any)
            }
        };
        self.note_unheld(node, size)?;
        Ok(Some(Schema::of(Shape::Array(ArrayShape { prefix, items: Box::new(items), size }))))
    }

    /// Rules about all items together.
    fn note_unheld(&mut self, node: Node<'s, '_>, size: Size) -> Result<(), Error> {
        if node.has("uniqueItems") {
            let is_idle = !node.flag("uniqueItems")? || size.max().is_some_and(|max| max < 2);
            let verdict = if is_idle { HELD } else { (Tier::Validator, "a grammar cannot compare items") };
            self.note(node.at, "uniqueItems", verdict);
        }
        for keyword in ["contains", "minContains", "maxContains", "unevaluatedItems"] {
            if node.has(keyword) {
                self.note(node.at, keyword, (Tier::Validator, "a grammar cannot count items that fit"));
            }
        }
        for keyword in ["contains", "unevaluatedItems"] {
            if let Some(json) = node.get(keyword) {
                self.read_aside(json, &node.at.key(keyword))?;
            }
        }
        Ok(())
    }

    /// Reads a schema for its mistakes alone: the tree does not hold it.
    pub(super) fn read_aside(&mut self, json: &'s Json, at: &Pointer) -> Result<(), Error> {
        self.schema(json, at)?;
        self.aside.push(at.as_str().to_owned());
        Ok(())
    }
}
