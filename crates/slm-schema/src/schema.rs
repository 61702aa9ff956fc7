//! The typed schema tree: a closed set of shapes, in source order, with its invariants in the types.
//!
//! A tree is only made by reading a schema ([`crate::Contract::from_json`]), so whoever holds one need not check it again:
//! ranges are not empty, required names are declared, enums have a member, names are unique.

use serde_json::Value;

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
}

/// What a schema node allows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// `type: object`.
    Object(ObjectShape),
    /// `type: array`.
    Array(ArrayShape),
    /// `type: string`; its length is counted in Unicode code points.
    String(Size),
    /// `type: integer`.
    Integer(Range),
    /// `type: number`.
    Number,
    /// `type: boolean`.
    Boolean,
    /// `type: null`.
    Null,
    /// `enum`.
    Enum(Vec<EnumValue>),
}

/// An object: its properties in source order, which is the order a model writes them in.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ObjectShape {
    /// The declared properties.
    pub properties: Vec<Property>,
    /// `additionalProperties: true`, or absent: names that are not declared are valid too.
    pub open: bool,
}

impl ObjectShape {
    /// The declared property of that name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
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

/// An array of like items.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ArrayShape {
    /// What each item must look like.
    pub items: Box<Schema>,
    /// How many there may be.
    pub size: Size,
}

/// How long a string or an array may be; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    min: usize,
    max: Option<usize>,
}

impl Size {
    /// `min ..= max`, or `None` where that is empty. Without `max` there is no upper bound.
    pub fn new(min: usize, max: Option<usize>) -> Option<Self> {
        max.is_none_or(|max| min <= max).then_some(Self { min, max })
    }

    /// The least length.
    pub fn min(self) -> usize {
        self.min
    }

    /// The greatest length, where there is one.
    pub fn max(self) -> Option<usize> {
        self.max
    }

    /// Is `length` inside?
    pub fn contains(self, length: usize) -> bool {
        self.min <= length && self.max.is_none_or(|max| length <= max)
    }
}

/// The bounds of an integer, both inclusive; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    min: Option<i64>,
    max: Option<i64>,
}

impl Range {
    /// `min ..= max`, or `None` where that is empty. A missing bound is no bound.
    pub fn new(min: Option<i64>, max: Option<i64>) -> Option<Self> {
        let empty = matches!((min, max), (Some(min), Some(max)) if min > max);
        (!empty).then_some(Self { min, max })
    }

    /// `minimum`.
    pub fn min(self) -> Option<i64> {
        self.min
    }

    /// `maximum`.
    pub fn max(self) -> Option<i64> {
        self.max
    }

    /// Is `number` inside?
    pub fn contains(self, number: i128) -> bool {
        self.min.is_none_or(|min| i128::from(min) <= number) && self.max.is_none_or(|max| number <= i128::from(max))
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
