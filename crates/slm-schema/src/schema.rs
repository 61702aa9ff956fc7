//! The typed schema tree: a closed set of shapes, in source order, with its invariants in the types.
//!
//! A tree is only made by reading a schema ([`crate::Contract::from_json`]), so whoever holds one need not check it again:
//! ranges are not empty, required names are declared, enums have a member, names are unique, and something satisfies every
//! node. A tree may allow more than its source (rules that only a validator can hold) or less; the enforcement report of
//! [`crate::Dialect::Gbnf`] says where.

use std::sync::{Arc, OnceLock, Weak};

use serde_json::Value;

use crate::pattern::Pattern;
pub use crate::size::Size;

/// A schema node: what a document must look like there, and the words a reader is given about it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Schema {
    /// `title`.
    pub title: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// What is allowed.
    pub shape: Shape,
    /// Allowed only because the source says nothing of values of this type.
    pub(crate) implied: bool,
}

impl Schema {
    pub(crate) fn of(shape: Shape) -> Self {
        Self { title: None, description: None, shape, implied: false }
    }
}

/// What a schema node allows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// Any JSON value.
    Any,
    /// `type: object`.
    Object(ObjectShape),
    /// `type: array`.
    Array(ArrayShape),
    /// `type: string`; its length is counted in Unicode code points.
    String(Size),
    /// `type: string` of a regular form: `pattern`, or a `format` that has one.
    Pattern(Pattern),
    /// `type: integer`.
    Integer(Range),
    /// `type: number`.
    Number,
    /// `type: boolean`.
    Boolean,
    /// `type: null`.
    Null,
    /// `enum` and `const`.
    Enum(Vec<EnumValue>),
    /// One of several: `anyOf`, `oneOf`, a list of types, `nullable`.
    Union(Vec<Schema>),
    /// `$ref`.
    Reference(Reference),
}

/// An object: its properties in source order, which is the order a model writes them in.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ObjectShape {
    /// The declared properties.
    pub properties: Vec<Property>,
    /// Are names that are not declared valid too?
    pub open: bool,
    /// What names that are not declared look like, where a grammar may write some.
    pub additional: Option<Box<Additional>>,
    /// How many properties there may be.
    pub count: Size,
    /// Are names valid that neither `properties` nor `additional` speaks of?
    pub(crate) others: bool,
    /// Names that are not valid, whatever is said of others.
    pub(crate) refused: Vec<String>,
}

/// What an object says of a name that it does not declare.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Undeclared<'s> {
    /// It is not valid.
    Refused,
    /// It is valid, whatever its value.
    Anything,
    /// It is valid with such a value.
    Like(&'s Schema),
}

impl ObjectShape {
    /// The declared property of that name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// What it says of a name that is not among the declared ones.
    pub(crate) fn undeclared(&self, name: &str) -> Undeclared<'_> {
        match &self.additional {
            _ if self.refused.iter().any(|refused| refused == name) => Undeclared::Refused,
            Some(rest) if rest.name.conforms(&Value::String(name.to_owned())) => Undeclared::Like(&rest.value),
            _ if self.others => Undeclared::Anything,
            _ => Undeclared::Refused,
        }
    }
}

/// Properties that are not declared one by one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Additional {
    /// What their names look like: a string, a pattern or an enum.
    pub name: Schema,
    /// What their values look like.
    pub value: Schema,
}

impl Additional {
    pub(crate) fn is_any_name(&self) -> bool {
        self.name.shape == Shape::String(Size::ANY)
    }
}

/// A declared property of an object.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Property {
    /// Its name, unescaped.
    pub name: String,
    /// Is it listed in `required`?
    pub required: bool,
    /// What its value must look like.
    pub schema: Schema,
}

/// An array.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ArrayShape {
    /// What the first items must look like, one by one (`prefixItems`).
    pub prefix: Vec<Schema>,
    /// What each further item must look like.
    pub items: Box<Schema>,
    /// How many there may be, the first ones included.
    pub size: Size,
}

/// The bounds of an integer, both inclusive; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    min: Option<i128>,
    max: Option<i128>,
}

impl Range {
    /// Any integer.
    pub const ANY: Self = Self { min: None, max: None };

    /// `min ..= max`, or `None` where that is empty. A missing bound is no bound.
    pub fn new(min: Option<i128>, max: Option<i128>) -> Option<Self> {
        let empty = matches!((min, max), (Some(min), Some(max)) if min > max);
        (!empty).then_some(Self { min, max })
    }

    /// `minimum`.
    pub fn min(self) -> Option<i128> {
        self.min
    }

    /// `maximum`.
    pub fn max(self) -> Option<i128> {
        self.max
    }

    /// Is `number` inside?
    pub fn contains(self, number: i128) -> bool {
        self.min.is_none_or(|min| min <= number) && self.max.is_none_or(|max| number <= max)
    }

    /// What is inside both.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        let min = self.min.max(other.min);
        let max = match (self.max, other.max) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self::new(min, max)
    }
}

/// A member of an `enum`: the value, and its canonical spelling (compact, keys in source order).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EnumValue {
    /// The value.
    pub value: Value,
    /// How it is written.
    pub text: String,
}

/// Where a schema that is referred to will stand once it is read; a reference may stand inside it.
pub(crate) type Slot = Arc<OnceLock<Schema>>;

/// A `$ref`. It is weak, since a schema may refer to itself: the contract that was read holds what it refers to.
#[derive(Debug, Clone)]
pub struct Reference {
    name: String,
    slot: Weak<OnceLock<Schema>>,
}

impl Reference {
    pub(crate) fn new(name: String, slot: &Slot) -> Self {
        Self { name, slot: Arc::downgrade(slot) }
    }

    /// The JSON pointer of what it refers to.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Looks at what it refers to; `None` once the contract is gone.
    pub fn with<R>(&self, look: impl FnOnce(&Schema) -> R) -> Option<R> {
        self.slot.upgrade()?.get().map(look)
    }
}

impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && Weak::ptr_eq(&self.slot, &other.slot)
    }
}
