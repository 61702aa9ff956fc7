//! `$ref`: inside the document only, and to itself as well. Names are places by now ([`crate::resources`]).

use super::node::Node;
use super::{HELD, Reader};
use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::schema::{Reference, Schema, Shape};

impl<'s> Reader<'s> {
    /// A reference, whose definition is read later if it was not yet.
    pub(super) fn reference(&mut self, node: Node<'s, '_>) -> Result<Schema, Error> {
        let (name, json) = self.target(node)?;
        self.note(node.at, "$ref", HELD);
        if !self.slots.contains_key(&name) {
            self.slots.insert(name.clone(), std::sync::Arc::default());
            self.pending.push((name.clone(), json));
        }
        let slot = self.slots.entry(name.clone()).or_default();
        Ok(Schema::of(Shape::Reference(Reference::new(name, slot))))
    }

    /// The place in this document that the `$ref` of a node leads to.
    pub(super) fn place_of(node: &Json) -> Option<String> {
        match node.get("$ref") {
            Some(Json::String(text)) => text.strip_prefix('#').map(percent_decoded),
            _ => None,
        }
    }

    fn target(&self, node: Node<'s, '_>) -> Result<(String, &'s Json), Error> {
        let Some(Json::String(text)) = node.get("$ref") else {
            return Err(node.invalid("$ref", "must be a string"));
        };
        let Some(pointer) = text.strip_prefix('#') else {
            let message = format!("\"{text}\" lies outside this document; copy it into $defs and refer to it there");
            return Err(node.error(ErrorKind::UnsupportedKeyword, "$ref", message));
        };
        if !pointer.is_empty() && !pointer.starts_with('/') {
            let message = format!("no schema in this document has the anchor of \"{text}\"");
            return Err(node.invalid("$ref", message));
        }
        let pointer = percent_decoded(pointer);
        let found = self
            .source
            .at(&pointer)
            .ok_or_else(|| node.invalid("$ref", format!("\"{text}\" leads nowhere in this document")))?;
        Ok((pointer, found))
    }
}

/// `%7B` and its like, as URI fragments may hold; what is no such escape stays.
fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        let code = behind
            .get(..2)
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(code) if *byte == b'%' => {
                bytes.push(code);
                rest = behind.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*byte);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
