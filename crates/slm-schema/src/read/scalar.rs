//! What a node says by itself: its types, its values, and the rules of strings and numbers.

use super::node::{Node, whole};
use super::{HELD, Reader, Verdict};
use crate::error::{Error, ErrorKind};
use crate::intersect::{self, Both, intersect};
use crate::json::Json;
use crate::pattern::{self, Pattern};
use crate::report::Tier;
use crate::schema::{Additional, ArrayShape, EnumValue, ObjectShape, Range, Schema, Shape, Size};

/// The types, with the keywords that have a meaning for each.
const TYPES: [(&str, &[&str]); 7] = [
    (
        "object",
        &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "unevaluatedProperties",
        ],
    ),
    (
        "array",
        &[
            "items",
            "prefixItems",
            "additionalItems",
            "minItems",
            "maxItems",
            "uniqueItems",
            "contains",
            "minContains",
            "maxContains",
            "unevaluatedItems",
        ],
    ),
    ("string", &["minLength", "maxLength", "pattern", "format"]),
    ("integer", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ("boolean", &[]),
    ("null", &[]),
];

/// What is said of a node that has rules and no type.
pub(super) const ASSUMED: Verdict =
    (Tier::GrammarStricter, "without a type the one that the rules are about is assumed");

impl<'s> Reader<'s> {
    /// The schema that the node's own rules describe; [`Shape::Any`] where it has none.
    pub(super) fn own(&mut self, node: Node<'s, '_>) -> Result<Option<Schema>, Error> {
        let declared = types(node)?;
        let members = values(node)?;
        let assumed: Vec<&str> = TYPES
            .into_iter()
            .filter(|(name, keywords)| *name != "integer" && keywords.iter().any(|keyword| node.has(keyword)))
            .map(|(name, _)| name)
            .collect();
        for keyword in ["type", "nullable", "enum", "const"].into_iter().filter(|keyword| node.has(keyword)) {
            self.note(node.at, keyword, HELD);
        }
        let typed = match &declared {
            Some(names) => self.typed(node, names)?,
            None if members.is_some() && assumed.is_empty() => Some(Schema::of(Shape::Any)),
            None if assumed.is_empty() => Some(Schema::of(Shape::Any)),
            None => self.assumed(node, &assumed, members.is_none())?,
        };
        self.note_idle(node, declared.as_deref());
        let (Some(mut schema), Some(members)) = (typed.clone(), members) else { return Ok(typed) };
        match intersect(&Schema::of(Shape::Enum(members)), &schema) {
            Both::Nothing if declared.is_some() => Err(node.invalid("enum", "lists no value of the type beside it")),
            Both::Nothing => Ok(None),
            Both::AtMost(both) => {
                let why = "the values that are listed are written, whatever the format says of them";
                self.note(node.at, "format", (Tier::Validator, why));
                schema.shape = both.shape;
                Ok(Some(schema))
            }
            Both::Exactly(both) => {
                schema.shape = both.shape;
                Ok(Some(schema))
            }
        }
    }

    /// Without `type` a rule binds only values of its own type; the others are allowed too, but not meant. Where the node
    /// lists its values, those say their types themselves.
    fn assumed(&mut self, node: Node<'s, '_>, names: &[&str], is_assumed: bool) -> Result<Option<Schema>, Error> {
        let schema = self.typed(node, names)?;
        if is_assumed {
            self.note(node.at, "type", ASSUMED);
        }
        // Every integer is a number.
        let others = TYPES.iter().map(|(name, _)| *name).filter(|name| *name != "integer" && !names.contains(name));
        let others = others.filter_map(plain).map(|shape| Schema { implied: true, ..Schema::of(shape) });
        Ok(intersect::union(schema.into_iter().chain(others).collect()))
    }

    /// Held is made stricter than asked; what is left to the validator stays so.
    fn tighten(&mut self, node: Node<'s, '_>, keyword: &str, why: &'static str) {
        let key = (node.at.as_str().to_owned(), keyword.to_owned());
        if self.notes.get(&key).is_none_or(|(tier, _)| *tier == Tier::Grammar) {
            self.notes.insert(key, (Tier::GrammarStricter, why));
        }
    }

    /// A rule about a type that the node does not allow binds nothing.
    fn note_idle(&mut self, node: Node<'s, '_>, declared: Option<&[&str]>) {
        let Some(declared) = declared else { return };
        let binds =
            |keyword: &str| TYPES.iter().any(|(name, keywords)| declared.contains(name) && keywords.contains(&keyword));
        for (_, keywords) in TYPES {
            for keyword in keywords.iter().filter(|keyword| node.has(keyword) && !binds(keyword)) {
                self.note(node.at, keyword, HELD);
            }
        }
    }

    fn typed(&mut self, node: Node<'s, '_>, names: &[&str]) -> Result<Option<Schema>, Error> {
        let mut members = Vec::new();
        for name in names {
            members.extend(match *name {
                "object" => self.object(node)?,
                "array" => self.array(node)?,
                "string" => self.string(node)?,
                "integer" => Some(self.integer(node)?),
                // Every integer is a number.
                "number" => Some(self.number(node)?),
                other => plain(other).map(Schema::of),
            });
        }
        Ok(intersect::union(members))
    }

    fn string(&mut self, node: Node<'s, '_>) -> Result<Option<Schema>, Error> {
        let size = node.size("minLength", "maxLength")?;
        for keyword in ["minLength", "maxLength"].into_iter().filter(|keyword| node.has(keyword)) {
            self.note(node.at, keyword, HELD);
        }
        let pattern = self.pattern(node)?;
        let format = self.format(node, pattern.is_some())?;
        let Some(regular) = pattern.or(format) else { return Ok(Some(Schema::of(Shape::String(size)))) };
        match intersect(&Schema::of(Shape::Pattern(regular)), &Schema::of(Shape::String(size))) {
            Both::Exactly(schema) => Ok(Some(schema)),
            Both::AtMost(schema) if matches!(schema.shape, Shape::String(_)) => {
                self.note(node.at, "format", (Tier::Validator, "its common form has no string of such a length"));
                Ok(Some(schema))
            }
            Both::AtMost(schema) => {
                for keyword in ["minLength", "maxLength"].into_iter().filter(|keyword| node.has(keyword)) {
                    self.note(
                        node.at,
                        keyword,
                        (Tier::Validator, "beside a pattern or format the grammar holds that alone"),
                    );
                }
                Ok(Some(schema))
            }
            Both::Nothing => Ok(None),
        }
    }

    fn pattern(&mut self, node: Node<'s, '_>) -> Result<Option<Pattern>, Error> {
        let source = match node.get("pattern") {
            None => return Ok(None),
            Some(Json::String(source)) => source,
            Some(_) => return Err(node.invalid("pattern", "must be a string")),
        };
        match pattern::parse(source) {
            Ok(regex) => {
                self.note(node.at, "pattern", HELD);
                Ok(Some(Pattern::new(source, regex)))
            }
            Err(why) => {
                self.note(node.at, "pattern", (Tier::Validator, why));
                Ok(None)
            }
        }
    }

    fn format(&mut self, node: Node<'s, '_>, beside_pattern: bool) -> Result<Option<Pattern>, Error> {
        let name = match node.get("format") {
            None => return Ok(None),
            Some(Json::String(name)) => name,
            Some(_) => return Err(node.invalid("format", "must be a string")),
        };
        let (pattern, verdict): (_, Verdict) = match pattern::format(name) {
            _ if beside_pattern => (None, (Tier::Validator, "beside a pattern the grammar holds that alone")),
            Some(format) => {
                (Some(Pattern::of_format(name, format.regex, format.is_outline)), (format.tier, format.why))
            }
            None => (None, (Tier::Validator, "no grammar is known for this format")),
        };
        self.note(node.at, "format", verdict);
        Ok(pattern)
    }

    fn integer(&mut self, node: Node<'s, '_>) -> Result<Schema, Error> {
        let exclusive_min = bound(node, "exclusiveMinimum")?;
        let exclusive_max = bound(node, "exclusiveMaximum")?;
        let mut least = bound(node, "minimum")?.map(|(floor, fraction)| floor + i128::from(fraction));
        let mut most = bound(node, "maximum")?.map(|(floor, _)| floor);
        match node.get("exclusiveMinimum") {
            Some(Json::Bool(true)) => least = least.map(|least| least + 1),
            _ => least = least.max(exclusive_min.map(|(floor, _)| floor + 1)),
        }
        if let Some(Json::Bool(true)) = node.get("exclusiveMaximum") {
            let whole = bound(node, "maximum")?.is_some_and(|(_, fraction)| !fraction);
            most = most.map(|most| most - i128::from(whole));
        } else {
            let below = exclusive_max.map(|(floor, fraction)| floor - i128::from(!fraction));
            most = match (most, below) {
                (Some(most), Some(below)) => Some(most.min(below)),
                (most, below) => most.or(below),
            };
        }
        for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            if node.has(keyword) {
                self.note(node.at, keyword, HELD);
            }
        }
        self.multiple(node, true)?;
        if least.is_none() || most.is_none() {
            self.tighten(node, "type", "without both bounds an integer has at most 18 digits, or as many as its bound");
        }
        let range = Range::new(least, most).ok_or_else(|| {
            let keyword = if node.has("minimum") { "minimum" } else { "exclusiveMinimum" };
            node.unsatisfiable(keyword, "is greater than the maximum allows")
        })?;
        Ok(Schema::of(Shape::Integer(range)))
    }

    fn multiple(&mut self, node: Node<'s, '_>, of_integers: bool) -> Result<(), Error> {
        match node.get("multipleOf") {
            None => {}
            Some(Json::Number(step)) if step.as_f64().is_some_and(|step| step > 0.0) => {
                let every = of_integers && step.as_f64() == Some(1.0);
                let verdict = if every { HELD } else { (Tier::Validator, "multiples are beyond a grammar") };
                self.note(node.at, "multipleOf", verdict);
            }
            Some(_) => return Err(node.invalid("multipleOf", "must be a number above 0")),
        }
        Ok(())
    }

    fn number(&mut self, node: Node<'s, '_>) -> Result<Schema, Error> {
        for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            match node.get(keyword) {
                None => continue,
                Some(Json::Number(_)) => {}
                Some(Json::Bool(_)) if keyword.starts_with("exclusive") => {}
                Some(_) => return Err(node.invalid(keyword, "must be a number")),
            }
            self.note(node.at, keyword, (Tier::Validator, "bounds of numbers with a fraction are beyond the grammar"));
        }
        self.multiple(node, false)?;
        self.tighten(node, "type", "at most 16 digits before and after the point, and no exponent");
        Ok(Schema::of(Shape::Number))
    }
}

/// The values of `enum` and `const`.
fn values(node: Node<'_, '_>) -> Result<Option<Vec<EnumValue>>, Error> {
    let values: Vec<&Json> = match (node.list("enum")?, node.get("const")) {
        (None, None) => return Ok(None),
        (Some([]), _) => return Err(node.unsatisfiable("enum", "is empty, so no value is valid")),
        (Some(values), None) => values.iter().collect(),
        (None, Some(value)) => vec![value],
        (Some(values), Some(value)) if values.contains(value) => vec![value],
        (Some(_), Some(_)) => return Err(node.unsatisfiable("const", "is not among the values of `enum`")),
    };
    let mut seen = std::collections::HashSet::new();
    let mut members = Vec::with_capacity(values.len());
    for json in values {
        let text = json.canonical().compact();
        if !seen.insert(text.clone()) {
            return Err(node.invalid("enum", format!("lists {text} twice")));
        }
        members.push(EnumValue { value: json.to_value(), text });
    }
    Ok(Some(members))
}

/// The types a node allows; `None` where it does not say.
fn types<'s>(node: Node<'s, '_>) -> Result<Option<Vec<&'s str>>, Error> {
    let name = |json: &'s Json| match json {
        Json::String(name) if TYPES.iter().any(|(known, _)| known == name) => Ok(name.as_str()),
        Json::String(name) => {
            let known: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
            Err(node.invalid("type", format!("unknown type \"{name}\"; the types are {}", known.join(", "))))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => {
            Err(node.invalid("type", "must be the name of a type, or a list of names"))
        }
    };
    let mut names = match node.get("type") {
        None => return Ok(None),
        Some(Json::Array(list)) if list.is_empty() => return Err(node.unsatisfiable("type", "lists no type")),
        Some(Json::Array(list)) => list.iter().map(name).collect::<Result<Vec<_>, _>>()?,
        Some(json) => vec![name(json)?],
    };
    if node.flag("nullable")? && !names.contains(&"null") {
        names.push("null");
    }
    if names.contains(&"number") {
        names.retain(|name| *name != "integer");
    }
    Ok(Some(names))
}

/// A model is better served by a schema that means what it shows: of the types that a node does not speak of, none is
/// written, unless nothing else is left.
pub(super) fn narrowed(mut schema: Schema) -> Schema {
    let Shape::Union(members) = &mut schema.shape else { return schema };
    if members.iter().any(|member| !member.implied) {
        members.retain(|member| !member.implied);
    }
    match (members.len(), members.pop()) {
        (1, Some(only)) => {
            Schema { title: schema.title.or(only.title), description: schema.description.or(only.description), ..only }
        }
        (_, last) => {
            members.extend(last);
            schema
        }
    }
}

/// The shape of a type without rules.
fn plain(name: &str) -> Option<Shape> {
    let any = || Box::new(Schema::of(Shape::Any));
    match name {
        "object" => Some(Shape::Object(ObjectShape {
            properties: Vec::new(),
            open: true,
            additional: Some(Box::new(Additional { name: Schema::of(Shape::String(Size::ANY)), value: *any() })),
            count: Size::ANY,
            others: false,
            refused: Vec::new(),
        })),
        "array" => Some(Shape::Array(ArrayShape { prefix: Vec::new(), items: any(), size: Size::ANY })),
        "string" => Some(Shape::String(Size::ANY)),
        "integer" => Some(Shape::Integer(Range::ANY)),
        "number" => Some(Shape::Number),
        "boolean" => Some(Shape::Boolean),
        "null" => Some(Shape::Null),
        _ => None,
    }
}

/// A bound, rounded down, and whether a fraction was cut off. Draft 4 has booleans for the exclusive ones.
fn bound(node: Node<'_, '_>, keyword: &str) -> Result<Option<(i128, bool)>, Error> {
    match node.get(keyword) {
        None => Ok(None),
        Some(Json::Bool(_)) if keyword.starts_with("exclusive") => Ok(None),
        Some(Json::Number(number)) => whole(number).map(Some).ok_or_else(|| {
            node.error(
                ErrorKind::UnsupportedKeyword,
                keyword,
                format!("{number} has too many digits; use a smaller bound"),
            )
        }),
        Some(_) => Err(node.invalid(keyword, "must be a number")),
    }
}
