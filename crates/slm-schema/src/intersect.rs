//! What two schemas allow together: `allOf`, and keywords beside `$ref`, `anyOf` or `oneOf`.

use crate::pattern::Within;
use crate::schema::{Additional, ArrayShape, EnumValue, ObjectShape, Property, Schema, Shape, Size, Undeclared};

/// What two schemas allow together.
#[derive(Debug)]
pub(crate) enum Both {
    /// Nothing.
    Nothing,
    /// Exactly this.
    Exactly(Schema),
    /// At most this: a validator must hold the rest.
    AtMost(Schema),
}

impl Both {
    fn from(schema: Option<Schema>) -> Self {
        schema.map_or(Self::Nothing, Self::Exactly)
    }
}

/// A product of two unions of so many members is left to the validator.
const LARGEST_PRODUCT: usize = 64;

/// Compared one with another; more are left to the validator.
const MOST_COMPARED: usize = 64;

/// Intersects two schemas. References are not looked into: who calls has put in their place what they refer to.
pub(crate) fn intersect(a: &Schema, b: &Schema) -> Both {
    let mut both = shapes(a, b);
    if let Both::Exactly(schema) | Both::AtMost(schema) = &mut both {
        schema.implied = a.implied && b.implied;
        schema.title = schema.title.take().or_else(|| a.title.clone()).or_else(|| b.title.clone());
        schema.description =
            schema.description.take().or_else(|| a.description.clone()).or_else(|| b.description.clone());
    }
    both
}

fn shapes(a: &Schema, b: &Schema) -> Both {
    let exactly = |shape| Both::Exactly(Schema::of(shape));
    match (&a.shape, &b.shape) {
        (Shape::Any, _) => Both::Exactly(b.clone()),
        (_, Shape::Any) => Both::Exactly(a.clone()),
        (Shape::Union(members), _) => unite(members, b, intersect),
        (_, Shape::Union(members)) => unite(members, a, |member, a| intersect(a, member)),
        (Shape::Reference(one), Shape::Reference(other)) if one == other => Both::Exactly(a.clone()),
        (Shape::Reference(_), _) => Both::AtMost(b.clone()),
        (_, Shape::Reference(_)) => Both::AtMost(a.clone()),
        (Shape::Enum(members), Shape::Pattern(pattern)) | (Shape::Pattern(pattern), Shape::Enum(members))
            if pattern.is_outline =>
        {
            let strings = filter(members, &Schema::of(Shape::String(Size::ANY)));
            strings.map_or(Both::Nothing, Both::AtMost)
        }
        (Shape::Enum(members), _) => Both::from(filter(members, b)),
        (_, Shape::Enum(members)) => Both::from(filter(members, a)),
        (Shape::Object(one), Shape::Object(other)) => objects(one, other),
        (Shape::Array(one), Shape::Array(other)) => arrays(one, other),
        (Shape::String(one), Shape::String(other)) => {
            Both::from(one.and(*other).map(|size| Schema::of(Shape::String(size))))
        }
        (Shape::Pattern(pattern), Shape::String(size)) | (Shape::String(size), Shape::Pattern(pattern)) => {
            let within = |regex| Schema::of(Shape::Pattern(pattern.with(regex, *size)));
            match pattern.regex.within(*size) {
                Within::Exactly(regex) => Both::Exactly(within(regex)),
                // The strings that an outline leaves out may be of such a length.
                Within::Nothing if !pattern.is_outline => Both::Nothing,
                Within::Nothing => Both::AtMost(Schema::of(Shape::String(*size))),
                Within::Unknown => Both::AtMost(within(pattern.regex.clone())),
            }
        }
        (Shape::Pattern(one), Shape::Pattern(other)) => {
            if one == other {
                Both::Exactly(a.clone())
            } else {
                Both::AtMost(a.clone())
            }
        }
        (Shape::Integer(one), Shape::Integer(other)) => {
            Both::from(one.and(*other).map(|range| Schema::of(Shape::Integer(range))))
        }
        (Shape::Integer(range), Shape::Number) | (Shape::Number, Shape::Integer(range)) => {
            exactly(Shape::Integer(*range))
        }
        (Shape::Number, Shape::Number) => exactly(Shape::Number),
        (Shape::Boolean, Shape::Boolean) => exactly(Shape::Boolean),
        (Shape::Null, Shape::Null) => exactly(Shape::Null),
        _ => Both::Nothing,
    }
}

/// Each member of a union with the other schema; what is left is a union again.
fn unite(members: &[Schema], other: &Schema, with: impl Fn(&Schema, &Schema) -> Both) -> Both {
    if let Shape::Union(others) = &other.shape
        && members.len().saturating_mul(others.len()) > LARGEST_PRODUCT
    {
        return Both::AtMost(Schema::of(Shape::Union(members.to_vec())));
    }
    let mut left = Vec::new();
    let mut exact = true;
    for member in members {
        match with(member, other) {
            Both::Nothing => {}
            Both::Exactly(schema) => left.push(schema),
            Both::AtMost(schema) => {
                exact = false;
                left.push(schema);
            }
        }
    }
    match (union(left), exact) {
        (None, _) => Both::Nothing,
        (Some(schema), true) => Both::Exactly(schema),
        (Some(schema), false) => Both::AtMost(schema),
    }
}

/// A union of what is left: none, the only one, or several, nested unions opened up and equal ones joined.
pub(crate) fn union(members: Vec<Schema>) -> Option<Schema> {
    let mut flat: Vec<Schema> = Vec::with_capacity(members.len());
    for member in members {
        if let Shape::Union(inner) = member.shape {
            flat.extend(inner);
        } else {
            flat.push(member);
        }
    }
    if flat.iter().any(|member| member.shape == Shape::Any) {
        return Some(Schema::of(Shape::Any));
    }
    let mut different: Vec<Schema> = Vec::with_capacity(flat.len());
    for member in flat {
        // Joined only while that is cheap: a thousand members are compared with a thousand.
        let is_cheap = different.len() <= LARGEST_PRODUCT;
        match different.iter_mut().find(|known| is_cheap && known.shape == member.shape) {
            Some(known) => known.implied &= member.implied,
            None => different.push(member),
        }
    }
    match different.pop() {
        Some(only) if different.is_empty() => Some(only),
        Some(last) => {
            different.push(last);
            Some(Schema::of(Shape::Union(different)))
        }
        None => None,
    }
}

fn filter(members: &[EnumValue], schema: &Schema) -> Option<Schema> {
    let fitting: Vec<EnumValue> = members.iter().filter(|member| schema.conforms(&member.value)).cloned().collect();
    (!fitting.is_empty()).then(|| Schema::of(Shape::Enum(fitting)))
}

fn arrays(one: &ArrayShape, other: &ArrayShape) -> Both {
    let Some(mut size) = one.size.and(other.size) else { return Both::Nothing };
    let mut exact = true;
    let at = |array: &ArrayShape, index: usize| array.prefix.get(index).unwrap_or(&array.items).clone();
    let mut prefix = Vec::new();
    let keep = |both: Both, exact: &mut bool| match both {
        Both::Nothing => None,
        Both::Exactly(schema) => Some(schema),
        Both::AtMost(schema) => {
            *exact = false;
            Some(schema)
        }
    };
    let known = one.prefix.len().max(other.prefix.len());
    for index in 0..known {
        match keep(intersect(&at(one, index), &at(other, index)), &mut exact) {
            Some(schema) => prefix.push(schema),
            // Nothing can stand here, so the array ends before.
            None => match size.and_at_most(index) {
                Some(shorter) => {
                    size = shorter;
                    break;
                }
                None => return Both::Nothing,
            },
        }
    }
    let items = match keep(intersect(&one.items, &other.items), &mut exact) {
        Some(schema) => schema,
        None => match size.and_at_most(prefix.len()) {
            Some(shorter) => {
                size = shorter;
                Schema::of(Shape::Any)
            }
            None => return Both::Nothing,
        },
    };
    let schema = Schema::of(Shape::Array(ArrayShape { prefix, items: Box::new(items), size }));
    if exact { Both::Exactly(schema) } else { Both::AtMost(schema) }
}

impl Size {
    /// What is inside, and no longer than `max`.
    pub(crate) fn and_at_most(self, max: usize) -> Option<Self> {
        Self::new(0, Some(max)).and_then(|limit| self.and(limit))
    }
}

fn objects(one: &ObjectShape, other: &ObjectShape) -> Both {
    let Some(count) = one.count.and(other.count) else { return Both::Nothing };
    let mut exact = true;
    let mut properties = Vec::new();
    let mut refused = [one.refused.as_slice(), &other.refused].concat();
    let names = one.properties.iter().chain(other.properties.iter().filter(|p| one.property(&p.name).is_none()));
    for Property { name, .. } in names {
        let sides = [(one, one.property(name)), (other, other.property(name))];
        let required = sides.iter().any(|(_, property)| property.is_some_and(|property| property.required));
        let schemas = sides.map(|(object, property)| match property {
            Some(property) => Some(property.schema.clone()),
            None => match object.undeclared(name) {
                Undeclared::Refused => None,
                Undeclared::Anything => Some(Schema::of(Shape::Any)),
                Undeclared::Like(schema) => Some(schema.clone()),
            },
        });
        let both = match &schemas {
            [Some(a), Some(b)] => intersect(a, b),
            _ => Both::Nothing,
        };
        let schema = match both {
            Both::Nothing if required => return Both::Nothing,
            // It may be left out, and must be.
            Both::Nothing => {
                refused.push(name.clone());
                continue;
            }
            Both::Exactly(schema) => schema,
            Both::AtMost(schema) => {
                exact = false;
                schema
            }
        };
        properties.push(Property { name: name.clone(), required, schema });
    }
    let additional = undeclared(one, other);
    exact &= additional.is_some();
    let (additional, others) = additional.unwrap_or((None, one.open && other.open));
    let open = others || additional.is_some();
    let schema = Schema::of(Shape::Object(ObjectShape { properties, open, additional, count, others, refused }));
    if exact { Both::Exactly(schema) } else { Both::AtMost(schema) }
}

/// Names that neither declares: what both say of them, and whether others are valid; `None` where that cannot be said.
fn undeclared(one: &ObjectShape, other: &ObjectShape) -> Option<(Option<Box<Additional>>, bool)> {
    let others = one.others && other.others;
    match (&one.additional, &other.additional) {
        (None, None) => Some((None, others)),
        (Some(rest), None) | (None, Some(rest)) => {
            let silent = if one.additional.is_none() { one } else { other };
            match (silent.others, &rest.value.shape) {
                (false, _) => Some((None, false)),
                // What one leaves open and the other does not speak of, a model need not write.
                (true, Shape::Any) if rest.is_any_name() => Some((None, true)),
                (true, _) => Some((Some(rest.clone()), others)),
            }
        }
        (Some(a), Some(b)) => {
            let name = if a.name == b.name || (b.is_any_name() && !one.others) {
                a.name.clone()
            } else if a.is_any_name() && !other.others {
                b.name.clone()
            } else {
                return None;
            };
            match intersect(&a.value, &b.value) {
                Both::Nothing => Some((None, others)),
                Both::Exactly(value) => Some((Some(Box::new(Additional { name, value })), others)),
                Both::AtMost(_) => None,
            }
        }
    }
}

/// Is it certain that no value fits two of them?
pub(crate) fn are_apart(members: &[Schema]) -> bool {
    members.len() <= MOST_COMPARED
        && members
            .iter()
            .enumerate()
            .all(|(index, member)| members.iter().skip(index + 1).all(|other| are_disjoint(member, other)))
}

/// Can no value fit both? A conservative answer: `false` where it is not certain.
pub(crate) fn are_disjoint(a: &Schema, b: &Schema) -> bool {
    match (&a.shape, &b.shape) {
        (Shape::Any, _) | (_, Shape::Any) => false,
        (Shape::Reference(reference), _) => reference.with(|target| are_disjoint(target, b)).unwrap_or(false),
        (_, Shape::Reference(reference)) => reference.with(|target| are_disjoint(a, target)).unwrap_or(false),
        (Shape::Union(members), _) => members.iter().all(|member| are_disjoint(member, b)),
        (_, Shape::Union(members)) => members.iter().all(|member| are_disjoint(a, member)),
        (Shape::Object(one), Shape::Object(other)) => objects_are_disjoint(one, other),
        (Shape::Array(one), Shape::Array(other)) => one.size.and(other.size).is_none(),
        // What the form of a format leaves out may fit.
        (Shape::Pattern(pattern), _) | (_, Shape::Pattern(pattern)) if pattern.is_outline => {
            let is_text =
                |schema: &Schema| matches!(schema.shape, Shape::String(_) | Shape::Pattern(_) | Shape::Enum(_));
            !is_text(a) || !is_text(b)
        }
        _ => matches!(intersect(a, b), Both::Nothing),
    }
}

/// A property that one requires, and the other forbids or wants otherwise.
fn objects_are_disjoint(one: &ObjectShape, other: &ObjectShape) -> bool {
    let excluded = |property: &Property, object: &ObjectShape| {
        property.required
            && match object.property(&property.name) {
                Some(rival) => are_disjoint_here(&property.schema, &rival.schema),
                None => matches!(object.undeclared(&property.name), Undeclared::Refused),
            }
    };
    one.properties.iter().any(|property| excluded(property, other))
        || other.properties.iter().any(|property| excluded(property, one))
}

/// Below a property only plain shapes are compared: objects in objects could go round in circles.
fn are_disjoint_here(a: &Schema, b: &Schema) -> bool {
    let is_plain = |schema: &Schema| {
        !matches!(schema.shape, Shape::Any | Shape::Reference(_) | Shape::Union(_) | Shape::Object(_) | Shape::Array(_))
    };
    is_plain(a) && is_plain(b) && matches!(intersect(a, b), Both::Nothing)
}
