//! Strings of a regular form: `pattern`, and the `format`s that have one.

mod format;
mod lengths;
mod matches;
mod parse;

pub(crate) use format::format;
pub(crate) use lengths::Within;
pub(crate) use parse::parse;

use crate::size::Size;

/// The strings that a regular expression matches, as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    source: String,
    pub(crate) regex: Regex,
    /// Are there valid strings that it does not match?
    pub(crate) is_outline: bool,
    /// The lengths that were asked for beside it.
    pub(crate) size: Size,
}

/// A regular expression without anchors: it matches from the first character to the last.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Regex {
    /// One character of these ranges, both ends inclusive, sorted and apart.
    Class(Vec<(char, char)>),
    /// One after the other; empty for the empty string.
    Sequence(Vec<Self>),
    /// One of several; never empty.
    Choice(Vec<Self>),
    /// `{min,max}`.
    Repeat(Box<Self>, usize, Option<usize>),
}

impl Pattern {
    pub(crate) fn new(source: &str, regex: Regex) -> Self {
        Self { source: source.to_owned(), regex, is_outline: false, size: Size::ANY }
    }

    /// The form of a format, which may leave some of its strings out.
    pub(crate) fn of_format(name: &str, regex: Regex, is_outline: bool) -> Self {
        Self { is_outline, ..Self::new(name, regex) }
    }

    /// The same source with lengths beside it; `regex` is what is left of the expression.
    pub(crate) fn with(&self, regex: Regex, size: Size) -> Self {
        let size = self.size.and(size).unwrap_or(size);
        Self { source: self.source.clone(), regex, is_outline: self.is_outline, size }
    }

    /// The expression as it was written, or the name of the format.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Does it match `text`, from the first character to the last?
    pub fn matches(&self, text: &str) -> bool {
        matches::matches(&self.regex, text)
    }

    /// The lengths that its strings have, in code points: no shorter, and no longer.
    pub fn lengths(&self) -> (usize, Option<usize>) {
        (self.regex.shortest(), self.regex.longest())
    }
}

impl Regex {
    pub(crate) fn any_char() -> Self {
        Self::Class(vec![('\0', char::MAX)])
    }

    /// Any characters, any number of them.
    pub(crate) fn anything() -> Self {
        Self::Repeat(Box::new(Self::any_char()), 0, None)
    }

    pub(crate) fn is_nullable(&self) -> bool {
        self.shortest() == 0
    }

    /// How many classes it has if every count is written out.
    fn written_out(&self) -> usize {
        match self {
            Self::Class(_) => 1,
            Self::Sequence(parts) | Self::Choice(parts) => {
                parts.iter().map(Self::written_out).fold(0, usize::saturating_add)
            }
            Self::Repeat(unit, min, max) => unit.written_out().saturating_mul((*min).max(max.unwrap_or(0)).max(1)),
        }
    }

    pub(crate) fn shortest(&self) -> usize {
        match self {
            Self::Class(_) => 1,
            Self::Sequence(parts) => parts.iter().map(Self::shortest).fold(0, usize::saturating_add),
            Self::Choice(options) => options.iter().map(Self::shortest).min().unwrap_or(0),
            Self::Repeat(unit, min, _) => unit.shortest().saturating_mul(*min),
        }
    }

    pub(crate) fn longest(&self) -> Option<usize> {
        match self {
            Self::Class(_) => Some(1),
            Self::Sequence(parts) => {
                parts.iter().try_fold(0_usize, |sum, part| Some(sum.saturating_add(part.longest()?)))
            }
            Self::Choice(options) => {
                options.iter().try_fold(0, |most: usize, option| Some(most.max(option.longest()?)))
            }
            Self::Repeat(unit, _, max) => match (unit.longest()?, max) {
                (0, _) => Some(0),
                (length, max) => Some(length.saturating_mul((*max)?)),
            },
        }
    }

    /// The same without the empty string; `None` where that leaves nothing. A repetition of what may be empty has more
    /// than one reading of every text, and llama.cpp takes it for left recursion.
    pub(crate) fn without_empty(&self) -> Option<Self> {
        if !self.is_nullable() {
            return Some(self.clone());
        }
        match self {
            Self::Class(_) => Some(self.clone()),
            Self::Sequence(parts) => {
                let (first, rest) = parts.split_first()?;
                let rest = Self::Sequence(rest.to_vec());
                let started = first.without_empty().map(|first| Self::Sequence(vec![first, rest.clone()]));
                let options: Vec<Self> = started.into_iter().chain(rest.without_empty()).collect();
                (!options.is_empty()).then_some(Self::Choice(options))
            }
            Self::Choice(options) => {
                let options: Vec<Self> = options.iter().filter_map(Self::without_empty).collect();
                (!options.is_empty()).then_some(Self::Choice(options))
            }
            Self::Repeat(_, _, Some(0)) => None,
            Self::Repeat(unit, min, max) => {
                // What may be empty need not come `min` times.
                let min = if unit.is_nullable() { 1 } else { (*min).max(1) };
                Some(Self::Repeat(Box::new(unit.without_empty()?), min, *max))
            }
        }
    }
}
