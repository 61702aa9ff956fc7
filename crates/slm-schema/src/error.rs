//! The crate's one error type.

use std::fmt;

/// Why a schema or a contract name was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is no JSON document, or an object names a key twice.
    Syntax,
    /// A keyword (or a type) lies outside the profile.
    UnsupportedKeyword,
    /// A keyword is known, but its value is not one the draft allows.
    InvalidKeyword,
    /// No document can satisfy the schema.
    Unsatisfiable,
    /// No contract of that name is registered.
    UnknownContract,
    /// A contract of that name is registered already.
    DuplicateContract,
    /// A name that a provider or a file system would refuse.
    InvalidName,
    /// No dialect has that name.
    UnknownDialect,
    /// The schema breaks a limit of the endpoint that it is lowered for.
    DialectLimit,
}

/// What went wrong, where, and the way out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    repr: Box<Repr>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Repr {
    kind: ErrorKind,
    pointer: Option<String>,
    keyword: Option<String>,
    message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Repr { pointer, keyword, message, .. } = &*self.repr;
        if let Some(pointer) = pointer {
            write!(f, "at \"{pointer}\": ")?;
        }
        if let Some(keyword) = keyword {
            write!(f, "`{keyword}`: ")?;
        }
        f.write_str(message)
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let repr = Repr { kind, pointer: None, keyword: None, message: message.into() };
        Self { repr: Box::new(repr) }
    }

    pub(crate) fn at(mut self, pointer: &str) -> Self {
        self.repr.pointer = Some(pointer.to_owned());
        self
    }

    pub(crate) fn keyword_named(mut self, keyword: &str) -> Self {
        self.repr.keyword = Some(keyword.to_owned());
        self
    }

    /// What kind of refusal this is.
    pub fn kind(&self) -> ErrorKind {
        self.repr.kind
    }

    /// JSON pointer into the schema text, where the fault has a place there (`""` is the root).
    pub fn pointer(&self) -> Option<&str> {
        self.repr.pointer.as_deref()
    }

    /// The schema keyword at fault.
    pub fn keyword(&self) -> Option<&str> {
        self.repr.keyword.as_deref()
    }
}
