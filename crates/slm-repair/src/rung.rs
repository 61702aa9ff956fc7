//! The rungs of the ladder, by name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One step of the repair ladder; ordered as the ladder is.
///
/// Nine rungs are the frame: `none`, `fence`, `extract`, `trailing_comma`, `quotes`, `python_bools`, `control_chars`,
/// `close_braces`, `coerce`. The others stand where what they mend belongs: around the document before `extract`, between
/// its tokens before and after `trailing_comma`, in strings and keys behind `quotes`, in words and numbers behind
/// `python_bools`, in characters behind `control_chars`, in closers before `close_braces`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
#[non_exhaustive]
pub enum Rung {
    /// The text was JSON as it came.
    None,
    /// A block of reasoning before the answer was left out, with whatever it drafted.
    Reasoning,
    /// The document was taken out of a Markdown fence.
    Fence,
    /// Tags around the document were left out: `<tool_call>`, `[TOOL_CALLS]`, `<|python_tag|>`, doubled braces.
    Wrapper,
    /// A call or an assignment around the document was left out: `callback(…);`, `const x = …;`.
    Jsonp,
    /// The document was taken out of the prose around it.
    Extract,
    /// The document was escaped as if it stood in a string: `{\"a\": 1}`.
    DoubleEncoded,
    /// Comments were removed.
    Comments,
    /// `...` in place of further items was removed: the writer left them out.
    Ellipsis,
    /// Commas with nothing behind them were removed.
    TrailingComma,
    /// Commas between complete values were put in, or in place of another separator.
    MissingComma,
    /// Colons between a key and its value were put in, or in place of another separator.
    MissingColon,
    /// Strings and keys in single quotes, backticks or triple quotes got the double quotes of JSON.
    Quotes,
    /// Typographic and fullwidth quotes, and other fullwidth marks, were replaced.
    SmartQuotes,
    /// Quotes inside a string were escaped.
    InnerQuotes,
    /// A quote that was missing, or was another than the one at the string's other end, was put in.
    MissingQuotes,
    /// Keys without quotes got them.
    UnquotedKeys,
    /// Words without quotes became strings.
    UnquotedValues,
    /// Strings joined with `+` became one.
    ConcatenatedStrings,
    /// Literals were spelt as in another language: `True`, `None`, `NULL`.
    PythonBools,
    /// Tuples became arrays.
    Tuples,
    /// Numbers were spelt as in another language: `+1`, `.5`, `0x1f`, `1_000`.
    Numbers,
    /// Control characters in strings were escaped.
    ControlChars,
    /// Escapes that JSON does not know were mended.
    BadEscapes,
    /// Byte order marks, odd white space and control characters between tokens were replaced.
    OddSpace,
    /// Closers of the wrong kind, or too many, were put right.
    MismatchedClosers,
    /// Closers were appended, where nothing else was missing.
    CloseBraces,
    /// Values were made to fit the schema, without loss.
    Coerce,
}

impl Rung {
    /// All rungs, in the order of the ladder.
    pub const ALL: [Self; 28] = [
        Self::None,
        Self::Reasoning,
        Self::Fence,
        Self::Wrapper,
        Self::Jsonp,
        Self::Extract,
        Self::DoubleEncoded,
        Self::Comments,
        Self::Ellipsis,
        Self::TrailingComma,
        Self::MissingComma,
        Self::MissingColon,
        Self::Quotes,
        Self::SmartQuotes,
        Self::InnerQuotes,
        Self::MissingQuotes,
        Self::UnquotedKeys,
        Self::UnquotedValues,
        Self::ConcatenatedStrings,
        Self::PythonBools,
        Self::Tuples,
        Self::Numbers,
        Self::ControlChars,
        Self::BadEscapes,
        Self::OddSpace,
        Self::MismatchedClosers,
        Self::CloseBraces,
        Self::Coerce,
    ];

    /// Its name, as it is reported and counted.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Reasoning => "reasoning",
            Self::Fence => "fence",
            Self::Wrapper => "wrapper",
            Self::Jsonp => "jsonp",
            Self::Extract => "extract",
            Self::DoubleEncoded => "double_encoded",
            Self::Comments => "comments",
            Self::Ellipsis => "ellipsis",
            Self::TrailingComma => "trailing_comma",
            Self::MissingComma => "missing_comma",
            Self::MissingColon => "missing_colon",
            Self::Quotes => "quotes",
            Self::SmartQuotes => "smart_quotes",
            Self::InnerQuotes => "inner_quotes",
            Self::MissingQuotes => "missing_quotes",
            Self::UnquotedKeys => "unquoted_keys",
            Self::UnquotedValues => "unquoted_values",
            Self::ConcatenatedStrings => "concatenated_strings",
            Self::PythonBools => "python_bools",
            Self::Tuples => "tuples",
            Self::Numbers => "numbers",
            Self::ControlChars => "control_chars",
            Self::BadEscapes => "bad_escapes",
            Self::OddSpace => "odd_space",
            Self::MismatchedClosers => "mismatched_closers",
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

/// The rungs that took part in a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RungSet(u32);

impl RungSet {
    pub(crate) fn insert(&mut self, rung: Rung) {
        self.0 |= 1 << rung as u8;
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) fn contains(self, rung: Rung) -> bool {
        self.0 & (1 << rung as u8) != 0
    }

    /// In the order of the ladder.
    pub(crate) fn to_vec(self) -> Vec<Rung> {
        if self.0 == 0 { Vec::new() } else { Rung::ALL.into_iter().filter(|rung| self.contains(*rung)).collect() }
    }
}
