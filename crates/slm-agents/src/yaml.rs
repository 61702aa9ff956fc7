//! YAML text as a tree that knows its places. Everything a file can be large in is bounded.

mod build;

use std::ops::RangeInclusive;

pub(crate) use build::parse;

/// A value and where it begins, line and column from 1.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) value: Value,
}

/// A line and a column of a file, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// `null`, `~`, or nothing at all.
    Null,
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    Text(Text),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A text, and how its lines lie in the file.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) layout: Layout,
}

#[derive(Debug, Clone)]
pub(crate) enum Layout {
    /// Line for line, the first one here: a block scalar with `|`.
    Literal(usize),
    /// Folded somehow within these lines.
    Folded(RangeInclusive<usize>),
}

/// A key of a mapping.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) place: Place,
}

/// Why a text is not read, and where.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    pub(crate) message: String,
}

impl Value {
    /// What it is, for a message.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}
