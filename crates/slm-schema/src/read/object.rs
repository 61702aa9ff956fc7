//! Objects: declared properties, and names that are not declared.

use super::node::Node;
use super::{HELD, Reader, Verdict};
use crate::error::Error;
use crate::json::Json;
use crate::pattern::{self, Pattern};
use crate::report::Tier;
use crate::schema::{Additional, ObjectShape, Property, Schema, Shape, Size};

const CLOSED: Verdict = (Tier::GrammarStricter, "properties that the schema does not declare cannot be written");

/// Any name at all.
const ANY_NAME: Shape = Shape::String(Size::ANY);

/// Names by pattern, where it is regular, and their schemas, where something satisfies them.
type ByPattern = Vec<(Option<Pattern>, Option<Schema>)>;

/// The declared properties, and the names of those that nothing satisfies.
type Declared = (Vec<Property>, Vec<String>);

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
        let by_pattern = self.by_pattern(node)?;
        let has_patterns = by_pattern.iter().any(|(_, value)| value.is_some());
        let Some((mut properties, refused)) = self.properties(node, &by_pattern)? else { return Ok(None) };
        let names = self.names(node)?;
        if !self.require(node, &mut properties, &rest, &by_pattern, &names)? {
            return Ok(None);
        }
        let free_form = properties.is_empty() && !node.has("properties") && !node.has("patternProperties");
        let additional = match (&rest, self.judge_patterns(node, &rest, by_pattern)) {
            (_, Some(additional)) if properties.is_empty() && names.shape == ANY_NAME => Some(additional),
            (Rest::Open(value), _) => Some(Additional { name: names, value: value.clone() }),
            // An object of which nothing is said may hold anything; closed it could only be empty, or too small.
            (Rest::Unsaid, _) if free_form || count.min() > properties.len() => {
                Some(Additional { name: names, value: Schema::of(Shape::Any) })
            }
            _ => None,
        };
        if matches!(rest, Rest::Unsaid) && !additional.as_ref().is_some_and(Additional::is_any_name) {
            self.note(node.at, "additionalProperties", CLOSED);
        }
        self.note_counts(node, &properties, additional.is_some(), count);
        let others = match rest {
            Rest::Unsaid => true,
            Rest::Open(_) => false,
            // Names that a pattern allows, and the grammar does not write.
            Rest::Closed => has_patterns && additional.is_none(),
        };
        let object = ObjectShape {
            properties,
            open: others || additional.is_some(),
            additional: additional.map(Box::new),
            count,
            others,
            refused,
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

    /// The declared properties, and the names of those that nothing satisfies.
    fn properties(&mut self, node: Node<'s, '_>, by_pattern: &ByPattern) -> Result<Option<Declared>, Error> {
        let declared = node.map("properties")?;
        if node.has("properties") {
            self.note(node.at, "properties", HELD);
        }
        let below = node.at.key("properties");
        let required = required(node)?;
        let (mut properties, mut refused) = (Vec::with_capacity(declared.len()), Vec::new());
        for (name, json) in declared {
            let is_required = required.contains(name.as_str());
            let schema = match self.schema(json, &below.key(name))? {
                Some(schema) => self.matching(node, by_pattern, name, schema)?,
                None => None,
            };
            match schema {
                Some(schema) => properties.push(Property { name: name.clone(), required: is_required, schema }),
                None if is_required => return Ok(None),
                None => refused.push(name.clone()),
            }
        }
        Ok(Some((properties, refused)))
    }

    /// Names that are required and not declared become properties, if names may be undeclared at all.
    fn require(
        &mut self,
        node: Node<'s, '_>,
        properties: &mut Vec<Property>,
        rest: &Rest,
        by_pattern: &ByPattern,
        names: &Schema,
    ) -> Result<bool, Error> {
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
            let matched = by_pattern.iter().any(|(name_is, _)| name_is.as_ref().is_none_or(|it| it.matches(name)));
            let schema = match rest {
                Rest::Closed if !matched => return Ok(false),
                Rest::Open(schema) if !matched => schema.clone(),
                Rest::Open(_) | Rest::Closed | Rest::Unsaid => Schema::of(Shape::Any),
            };
            let is_allowed = names.conforms(&serde_json::Value::String(name.clone()));
            let Some(schema) = self.matching(node, by_pattern, name, schema)?.filter(|_| is_allowed) else {
                return Ok(false);
            };
            properties.push(Property { name: name.clone(), required: true, schema });
        }
        Ok(true)
    }

    /// `propertyNames`: held for names that are not declared.
    fn names(&mut self, node: Node<'s, '_>) -> Result<Schema, Error> {
        let any = Schema::of(Shape::String(Size::ANY));
        let Some(json) = node.get("propertyNames") else { return Ok(any) };
        let names = match self.schema(json, &node.at.key("propertyNames"))? {
            Some(names) => self.in_place(names)?,
            None => None,
        };
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
                self.aside.push(node.at.key("propertyNames").as_str().to_owned());
                Ok(any)
            }
        }
    }

    /// `patternProperties`.
    fn by_pattern(&mut self, node: Node<'s, '_>) -> Result<ByPattern, Error> {
        let below = node.at.key("patternProperties");
        let mut found = Vec::new();
        for (source, json) in node.map("patternProperties")? {
            let value = self.schema(json, &below.key(source))?;
            found.push((pattern::parse(source).ok().map(|regex| Pattern::new(source, regex)), value));
        }
        Ok(found)
    }

    /// `schema` together with those of the patterns that `name` matches.
    fn matching(
        &mut self,
        node: Node<'s, '_>,
        by_pattern: &ByPattern,
        name: &str,
        schema: Schema,
    ) -> Result<Option<Schema>, Error> {
        let mut schema = schema;
        let matched = by_pattern.iter().filter(|(pattern, _)| pattern.as_ref().is_some_and(|it| it.matches(name)));
        for (_, value) in matched {
            let Some(value) = value else { return Ok(None) };
            match self.both(node, "patternProperties", schema, value.clone())? {
                Some(both) => schema = both,
                None => return Ok(None),
            }
        }
        Ok(Some(schema))
    }

    /// Undeclared names of one pattern are a grammar, where others are not valid or not spoken of; more is the validator's.
    /// The schemas of `patternProperties` are not in the tree.
    fn leave_patterns(&mut self, node: Node<'s, '_>) {
        let below = node.at.key("patternProperties");
        let names = node.map("patternProperties").unwrap_or_default();
        self.aside.extend(names.iter().map(|(name, _)| below.key(name).as_str().to_owned()));
    }

    fn note_if(&mut self, node: Node<'s, '_>, keyword: &str, verdict: Verdict) {
        let key = (node.at.as_str().to_owned(), keyword.to_owned());
        let is_left = self.notes.get(&key).is_some_and(|(tier, _)| *tier == Tier::Validator);
        if node.has(keyword) && !is_left {
            self.notes.insert(key, verdict);
        }
    }

    fn judge_patterns(&mut self, node: Node<'s, '_>, rest: &Rest, by_pattern: ByPattern) -> Option<Additional> {
        if by_pattern.is_empty() {
            self.note_if(node, "patternProperties", HELD);
            return None;
        }
        let is_plain = node.map("properties").is_ok_and(<[_]>::is_empty) && !node.has("propertyNames");
        let are_regular = by_pattern.iter().all(|(name, _)| name.is_some());
        let mut by_pattern = by_pattern.into_iter();
        match (rest, by_pattern.next(), by_pattern.next()) {
            (Rest::Closed | Rest::Unsaid, Some((Some(name), value)), None) if is_plain => {
                self.note_if(node, "patternProperties", HELD);
                let name = Schema::of(Shape::Pattern(name));
                return value.map(|value| Additional { name, value });
            }
            (Rest::Closed | Rest::Unsaid, ..) if are_regular => {
                self.leave_patterns(node);
                self.note_if(node, "additionalProperties", CLOSED);
                self.note_if(
                    node,
                    "patternProperties",
                    (Tier::Validator, "the grammar writes no name that only a pattern allows"),
                );
            }
            _ => {
                self.leave_patterns(node);
                self.note_if(
                    node,
                    "patternProperties",
                    (Tier::Validator, "the grammar does not tell these names from others"),
                );
            }
        }
        None
    }

    /// How many properties there are is held where all are of one kind.
    fn note_counts(&mut self, node: Node<'s, '_>, properties: &[Property], has_rest: bool, count: Size) {
        let required = properties.iter().filter(|property| property.required).count();
        for (keyword, is_met) in [
            // Two names that are not declared may be the same one.
            ("minProperties", count.min() <= required.max(usize::from(properties.is_empty() && has_rest))),
            (
                "maxProperties",
                count.max().is_none_or(|max| properties.len() <= max) && (!has_rest || properties.is_empty()),
            ),
        ] {
            if node.has(keyword) {
                let verdict =
                    if is_met { HELD } else { (Tier::Validator, "the grammar does not count these properties") };
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
