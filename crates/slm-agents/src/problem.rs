//! What is wrong with an agent's files, and where.

use std::fmt;
use std::path::PathBuf;

/// What kind of thing is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A file or folder cannot be read, is no text, or is too large.
    Unreadable,
    /// The text is no YAML, or YAML that means nothing here.
    Syntax,
    /// A key that no agent has.
    UnknownKey,
    /// A key that an agent must have.
    MissingKey,
    /// A value of the wrong type, out of range, or at odds with another key.
    InvalidValue,
    /// Two agents of one id.
    DuplicateId,
    /// No contract of that name is registered.
    UnknownContract,
    /// An own schema that is no contract.
    InvalidSchema,
    /// A tool that nobody declared.
    UnknownTool,
    /// A path that leads out of the agents' folder.
    OutsideFolder,
    /// The prompt promises a field that its contract does not have there.
    UnknownField,
    /// An example in the prompt is no document of the contract.
    InvalidExample,
    /// The prompt never speaks of a field that the contract requires.
    UnmentionedField,
}

/// What a problem means for whoever loads the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Gravity {
    /// The agent cannot be used as it is declared.
    Configuration,
    /// Prompt and contract contradict each other.
    Mismatch,
    /// Worth a look.
    Warning,
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The file, as it was reached.
    pub file: PathBuf,
    /// Its line, from 1; `None` where the file as a whole is meant.
    pub line: Option<usize>,
    /// The line's column, from 1 and in characters, where it is known.
    pub column: Option<usize>,
    /// What kind of thing is wrong.
    pub kind: ProblemKind,
    /// The agent's id, where it has one.
    pub agent: Option<String>,
    /// What is wrong, and the way out.
    pub message: String,
    /// The known name that was probably meant.
    pub nearest: Option<String>,
}

impl ProblemKind {
    /// What it means for whoever loads the agent.
    pub fn gravity(self) -> Gravity {
        match self {
            Self::Unreadable
            | Self::Syntax
            | Self::UnknownKey
            | Self::MissingKey
            | Self::InvalidValue
            | Self::DuplicateId
            | Self::UnknownContract
            | Self::InvalidSchema
            | Self::UnknownTool
            | Self::OutsideFolder => Gravity::Configuration,
            Self::UnknownField | Self::InvalidExample => Gravity::Mismatch,
            Self::UnmentionedField => Gravity::Warning,
        }
    }

    /// Its name for programs: `unknown_key`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Syntax => "syntax",
            Self::UnknownKey => "unknown_key",
            Self::MissingKey => "missing_key",
            Self::InvalidValue => "invalid_value",
            Self::DuplicateId => "duplicate_id",
            Self::UnknownContract => "unknown_contract",
            Self::InvalidSchema => "invalid_schema",
            Self::UnknownTool => "unknown_tool",
            Self::OutsideFolder => "outside_folder",
            Self::UnknownField => "unknown_field",
            Self::InvalidExample => "invalid_example",
            Self::UnmentionedField => "unmentioned_field",
        }
    }
}

impl fmt::Display for Problem {
    /// `FILE:LINE:COLUMN: message; did you mean …?`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        for number in self.line.into_iter().chain(self.column) {
            write!(f, ":{number}")?;
        }
        write!(f, ": {}", self.message)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}
