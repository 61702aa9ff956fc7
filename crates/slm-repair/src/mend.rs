//! What each rung does to a document, one file a rung, all of one shape: `mend` looks at one place, changes the draft if that
//! place is this rung's business, and says where the document goes on.
//!
//! The reader knows where in the document it is; these know what is to be done there. None looks further ahead than to
//! the next token, or over text that it then passes for good.

use crate::draft::Draft;

pub(crate) mod bad_escapes;
pub(crate) mod close_braces;
pub(crate) mod comments;
pub(crate) mod concatenated_strings;
pub(crate) mod control_chars;
pub(crate) mod ellipsis;
pub(crate) mod inner_quotes;
pub(crate) mod mismatched_closers;
pub(crate) mod missing_colon;
pub(crate) mod missing_comma;
pub(crate) mod missing_quotes;
pub(crate) mod numbers;
pub(crate) mod odd_space;
pub(crate) mod python_bools;
pub(crate) mod quotes;
pub(crate) mod trailing_comma;
pub(crate) mod triple_quotes;
pub(crate) mod tuples;
pub(crate) mod unquoted_keys;
pub(crate) mod unquoted_values;

/// A place in a document.
#[derive(Debug)]
pub(crate) struct Site<'s, 'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    pub(crate) draft: &'s mut Draft<'a>,
    /// Which of two readings is wanted where there are two.
    pub(crate) choice: Choice,
}

/// One of two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Choice {
    #[default]
    First,
    Second,
}

/// A place that can be read in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub(crate) at: usize,
    pub(crate) message: &'static str,
    /// There is one reading only, which is good enough if a schema confirms it.
    pub(crate) confirmable: bool,
}

impl Doubt {
    pub(crate) fn new(at: usize, message: &'static str) -> Self {
        Self { at, message, confirmable: false }
    }
}

/// Where a document goes on, or why it cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mended {
    /// It goes on at this offset.
    On(usize),
    /// It goes on at this offset, but what was passed has two readings.
    Doubtful(usize, Doubt),
    /// It is broken at the first offset, and goes on at the second.
    Broken(usize, usize, &'static str),
}
