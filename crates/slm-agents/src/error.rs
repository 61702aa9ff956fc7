//! The crate's one error type.

use std::fmt;

/// Why a role or its contract could not be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No built-in role is meant by that id.
    UnknownRole,
    /// The role's contract is not in the registry it was looked up in.
    UnknownContract,
}

/// What went wrong, for which role, and the way out.
#[derive(Debug, Clone, thiserror::Error)]
pub struct Error {
    repr: Box<Repr>,
}

#[derive(Debug, Clone)]
struct Repr {
    kind: ErrorKind,
    role: String,
    message: String,
    source: Option<slm_schema::Error>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "role \"{}\": {}", self.repr.role.escape_debug(), self.repr.message)
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, role: &str, message: impl Into<String>) -> Self {
        Self { repr: Box::new(Repr { kind, role: role.to_owned(), message: message.into(), source: None }) }
    }

    pub(crate) fn unknown_contract(role: &str, source: slm_schema::Error) -> Self {
        let message = format!("{source}; register the contract, or name another one with `schema_role`");
        let repr = Repr { kind: ErrorKind::UnknownContract, role: role.to_owned(), message, source: Some(source) };
        Self { repr: Box::new(repr) }
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        self.repr.kind
    }

    /// The id of the role that was asked for.
    pub fn role(&self) -> &str {
        &self.repr.role
    }

    /// The registry's own words, where the contract was not found.
    pub fn contract_error(&self) -> Option<&slm_schema::Error> {
        self.repr.source.as_ref()
    }
}
