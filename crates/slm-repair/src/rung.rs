//! The rungs of the ladder, in the order they are tried.

use std::fmt;

use serde::Serialize;

use crate::edit::Edits;
use crate::error::Fault;

mod close_braces;
mod control_chars;
mod extract;
mod fence;
mod python_bools;
mod quotes;
mod trailing_comma;

/// One step of the repair ladder; ordered as they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Rung {
    /// The text was JSON as it came.
    None,
    /// The document was taken out of a Markdown fence.
    Fence,
    /// The document was taken out of the text around it: reasoning, prose, tags, comments.
    Extract,
    /// Commas with nothing behind them were removed.
    TrailingComma,
    /// Strings and keys got the double quotes of JSON.
    Quotes,
    /// Literals were spelt as in another language: `True`, `None`, `NULL`.
    PythonBools,
    /// Control characters, odd white space and bad escapes were replaced.
    ControlChars,
    /// Closers were appended or put right, where nothing else was missing.
    CloseBraces,
    /// Values were made to fit the schema, without loss.
    Coerce,
}

/// What a syntactic rung does: lists its edits to a text; none where it has nothing to do.
pub(crate) type Pass = fn(&str) -> Result<Edits, Fault>;

impl Rung {
    /// The rungs that work on text, in order, and what each does.
    pub(crate) const PASSES: [(Self, Pass); 7] = [
        (Self::Fence, fence::edits),
        (Self::Extract, extract::edits),
        (Self::TrailingComma, |text| Ok(trailing_comma::edits(text))),
        (Self::Quotes, quotes::edits),
        (Self::PythonBools, |text| Ok(python_bools::edits(text))),
        (Self::ControlChars, |text| Ok(control_chars::edits(text))),
        (Self::CloseBraces, close_braces::edits),
    ];

    /// Its name, as it is reported and counted.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Fence => "fence",
            Self::Extract => "extract",
            Self::TrailingComma => "trailing_comma",
            Self::Quotes => "quotes",
            Self::PythonBools => "python_bools",
            Self::ControlChars => "control_chars",
            Self::CloseBraces => "close_braces",
            Self::Coerce => "coerce",
        }
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
