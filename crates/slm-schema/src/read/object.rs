//! Objects: declared properties, and names that are not declared.

use super::node::Node;
use super::{HELD, Reader, Verdict};
use crate::error::Error;
use crate::json::Json;
use crate::pattern::{self, Pattern};
use crate::report::Tier;
use crate::schema::{Additional, ObjectShape, Property, Schema, Shape, Size};

const CLOSED: Verdict = (Tier::GrammarStricter, "properties that the schema does not declare cannot be written");

/// What a node says of names that it does not declare.
enum Rest {
    /// They are valid, and the grammar leaves them out: a model should write what the schema shows.
    Unsaid,
    /// They are not valid.
    Closed,
    /// They are valid with such a value.
    Open(Schema),
}

impl<'s> Reader<'s> {
    pub(super) fn object(&mut self, node: Node<'s, '_>) -> Result<Option<Schema>, Error> {
        let count = node.size("minProperties", "maxProperties")?;
        let rest = self.rest(node)?;
        let Some(mut properties) = self.properties(node)? else { return Ok(None) };
        if !self.require(node, &mut properties, &rest)? {
            return Ok(None);
        }
        let names = self.names(node)?;
        let by_pattern = self.by_pattern(node, &rest)?;
        let free_form = properties.is_empty() && !node.has("properties") && !node.has("patternProperties");
        let additional = match (&rest, by_pattern) {
            (_, Some(additional)) if properties.is_empty() => Some(additional),
            (Rest::Open(value), _) => Some(Additional { name: names, value: value.clone() }),
            // An object of which nothing is said may hold anything; closed it could only be empty.
            (Rest::Unsaid, _) if free_form => Some(Additional { name: names, value: Schema::of(Shape::Any) }),
            _ => None,
        };
        if matches!(rest, Rest::Unsaid) && additional.is_none() {
            self.note(node.at, "additionalProperties", CLOSED);
        }
        self.note_counts(node, &properties, additional.is_some(), count);
        let object = ObjectShape {
            properties,
            open: !matches!(rest, Rest::Closed) || node.has("patternProperties"),
            additional: additional.map(Box::new),
            count,
        };
        Ok(Some(Schema::of(Shape::Object(object))))
    }

    fn rest(&mut self, node: Node<'s, '_>) -> Result<Rest, Error> {
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            let Some(json) = node.get(keyword) else { continue };
            let alone = keyword == "additionalProperties" || !combines(node);
            let held = if alone { HELD } else { (Tier::Validator, "what counts as evaluated is beyond a grammar") };
            self.note(node.at, keyword, held);
            if !alone {
                continue;
            }
            return Ok(match self.schema(json, &node.at.key(keyword))? {
                None => Rest::Closed,
                Some(schema) => Rest::Open(schema),
            });
        }
        Ok(Rest::Unsaid)
    }

    /// The declared properties; one that nothing satisfies is left out.
    fn properties(&mut self, node: Node<'s, '_>) -> Result<Option<Vec<Property>>, Error> {
        let declared = node.map("properties")?;
        if node.has("properties") {
            self.note(node.at, "properties", HELD);
        }
        let below = node.at.key("properties");
        let required = required(node)?;
        let mut properties = Vec::with_capacity(declared.len());
        for (name, json) in declared {
            let is_required = required.contains(name.as_str());
            match self.schema(json, &below.key(name))? {
                Some(schema) => properties.push(Property { name: name.clone(), required: is_required, schema }),
                None if is_required => return Ok(None),
                None => {}
            }
        }
        Ok(Some(properties))
    }

    /// Names that are required and not declared become properties, if names may be undeclared at all.
    fn require(&mut self, node: Node<'s, '_>, properties: &mut Vec<Property>, rest: &Rest) -> Result<bool, Error> {
        if node.has("required") {
            self.note(node.at, "required", HELD);
        }
        if node.has("dependentRequired") {
            self.note(
                node.at,
                "dependentRequired",
                (Tier::Validator, "a grammar cannot look back for another property"),
            );
        }
        let declared: std::collections::HashSet<&str> =
            node.map("properties")?.iter().map(|(name, _)| name.as_str()).collect();
        for name in node.list("required")?.unwrap_or_default() {
            let Json::String(name) = name else { continue };
            if declared.contains(name.as_str()) {
                continue;
            }
            let schema = match rest {
                Rest::Closed if !node.has("patternProperties") => return Ok(false),
                Rest::Open(schema) => schema.clone(),
                Rest::Closed | Rest::Unsaid => Schema::of(Shape::Any),
            };
            properties.push(Property { name: name.clone(), required: true, schema });
        }
        Ok(true)
    }

    /// `propertyNames`: held for names that are not declared.
    fn names(&mut self, node: Node<'s, '_>) -> Result<Schema, Error> {
        let any = Schema::of(Shape::String(Size::ANY));
        let Some(json) = node.get("propertyNames") else { return Ok(any) };
        let names = self.schema(json, &node.at.key("propertyNames"))?;
        let is_plain = node.map("properties")?.is_empty();
        match names {
            Some(names) if is_plain && matches!(names.shape, Shape::String(_) | Shape::Pattern(_) | Shape::Enum(_)) => {
                self.note(node.at, "propertyNames", HELD);
                Ok(names)
            }
            _ => {
                self.note(
                    node.at,
                    "propertyNames",
                    (Tier::Validator, "the grammar does not hold rules for these names"),
                );
                Ok(any)
            }
        }
    }

    /// One pattern of names in an object that is closed otherwise is a grammar; more is the validator's.
    fn by_pattern(&mut self, node: Node<'s, '_>, rest: &Rest) -> Result<Option<Additional>, Error> {
        let patterns = node.map("patternProperties")?;
        let below = node.at.key("patternProperties");
        let mut found = None;
        for (source, json) in patterns {
            let value = self.schema(json, &below.key(source))?;
            let name = pattern::parse(source).ok().map(|regex| Schema::of(Shape::Pattern(Pattern::new(source, regex))));
            if let (Some(name), Some(value), 1, Rest::Closed) = (name, value, patterns.len(), rest) {
                found = Some(Additional { name, value });
            }
        }
        if node.has("patternProperties") {
            let is_held = found.is_some() && node.map("properties")?.is_empty();
            let verdict = match rest {
                _ if is_held => HELD,
                Rest::Open(_) => (Tier::Validator, "the grammar does not tell these names from others"),
                Rest::Closed | Rest::Unsaid => {
                    (Tier::GrammarStricter, "names that only a pattern allows cannot be written")
                }
            };
            self.note(node.at, "patternProperties", verdict);
        }
        Ok(found)
    }

    /// How many properties there are is held where all are of one kind.
    fn note_counts(&mut self, node: Node<'s, '_>, properties: &[Property], has_rest: bool, count: Size) {
        let required = properties.iter().filter(|property| property.required).count();
        for (keyword, is_met) in [
            ("minProperties", count.min() <= required),
            ("maxProperties", !has_rest && count.max().is_none_or(|max| properties.len() <= max)),
        ] {
            if node.has(keyword) {
                let is_held = is_met || (properties.is_empty() && has_rest);
                let verdict =
                    if is_held { HELD } else { (Tier::Validator, "the grammar does not count these properties") };
                self.note(node.at, keyword, verdict);
            }
        }
    }
}

/// Does the node combine schemas, any of which may evaluate properties?
fn combines(node: Node<'_, '_>) -> bool {
    ["$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"]
        .iter()
        .any(|keyword| node.has(keyword))
}

fn required<'s>(node: Node<'s, '_>) -> Result<std::collections::HashSet<&'s str>, Error> {
    let mut names = std::collections::HashSet::new();
    // Draft 3 had a boolean here; nobody means that today.
    for name in node.list("required")?.unwrap_or_default() {
        let Json::String(name) = name else {
            return Err(node.invalid("required", "must be an array of property names"));
        };
        if !names.insert(name.as_str()) {
            return Err(node.invalid("required", format!("names \"{name}\" twice")));
        }
    }
    Ok(names)
}
