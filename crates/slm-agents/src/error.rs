//! The crate's one error type.

use std::fmt;

use crate::problem::Problem;

/// Why a role, its contract or an agent could not be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No built-in role is meant by that id.
    UnknownRole,
    /// The role's contract is not in the registry it was looked up in.
    UnknownContract,
    /// Agents' files are not sound; [`Error::problems`] says where.
    UnsoundAgents,
}

/// What went wrong, for which role or where, and the way out.
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
    problems: Vec<Problem>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Repr { role, message, .. } = &*self.repr;
        if role.is_empty() {
            return f.write_str(message);
        }
        write!(f, "role \"{}\": {message}", role.escape_debug())
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, role: &str, message: impl Into<String>) -> Self {
        let repr = Repr { kind, role: role.to_owned(), message: message.into(), source: None, problems: Vec::new() };
        Self { repr: Box::new(repr) }
    }

    pub(crate) fn unknown_contract(role: &str, source: slm_schema::Error) -> Self {
        let message = format!("{source}; register the contract, or name another one with `schema_role`");
        let mut error = Self::new(ErrorKind::UnknownContract, role, message);
        error.repr.source = Some(source);
        error
    }

    /// The first problem speaks for all.
    #[cfg(feature = "yaml")]
    pub(crate) fn unsound(problems: Vec<Problem>) -> Self {
        let first = problems.first().map(Problem::to_string).unwrap_or_default();
        let message = match problems.len() {
            0 | 1 => first,
            all => format!("{first} (and {} more)", all - 1),
        };
        let mut error = Self::new(ErrorKind::UnsoundAgents, "", message);
        error.repr.problems = problems;
        error
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        self.repr.kind
    }

    /// The id of the role that was asked for; empty where none was.
    pub fn role(&self) -> &str {
        &self.repr.role
    }

    /// The registry's own words, where the contract was not found.
    pub fn contract_error(&self) -> Option<&slm_schema::Error> {
        self.repr.source.as_ref()
    }

    /// Everything that is wrong with the agents' files, file by file and line by line.
    pub fn problems(&self) -> &[Problem] {
        &self.repr.problems
    }
}
