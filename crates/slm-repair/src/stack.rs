//! The containers that are open where a document is being read: a vector, so depth costs no call stack.

use std::ops::Range;

/// A kind of container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bracket {
    Object,
    Array,
    /// Parentheses, as Python writes tuples.
    Tuple,
    /// The outer of two braces at the root: `{{ … }}`.
    Brace,
}

/// What may come next in a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expects {
    Key,
    Colon,
    Value,
    /// A value is complete: a comma or a closer.
    Comma,
}

/// An open container.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) bracket: Bracket,
    pub(crate) expects: Expects,
    /// Values that are complete.
    pub(crate) count: usize,
    pub(crate) commas: usize,
    /// The last key, by its place in the repaired text.
    pub(crate) key: Range<usize>,
    /// A tuple's opener: its place in the repaired text, and in the list of changes.
    pub(crate) opener: (usize, usize),
}

impl Frame {
    pub(crate) fn new(bracket: Bracket) -> Self {
        let expects = if bracket == Bracket::Object { Expects::Key } else { Expects::Value };
        Self { bracket, expects, count: 0, commas: 0, key: 0..0, opener: (0, 0) }
    }

    /// Nothing is missing in it but its closer.
    pub(crate) fn is_complete(&self) -> bool {
        self.expects == Expects::Comma
    }

    /// Nothing stands in it.
    pub(crate) fn is_empty(&self) -> bool {
        let expected = if self.bracket == Bracket::Object { Expects::Key } else { Expects::Value };
        self.count == 0 && self.commas == 0 && self.expects == expected
    }

    pub(crate) fn closer(&self) -> &'static str {
        match self.bracket {
            Bracket::Object => "}",
            Bracket::Array | Bracket::Tuple => "]",
            Bracket::Brace => "",
        }
    }
}

/// How a closer fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The innermost container.
    Innermost,
    /// A container further out.
    Outer,
    /// Nothing that is open.
    Nothing,
}

/// Open containers, outermost first.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    frames: Vec<Frame>,
    /// How many there are of each kind: so that a closer which fits nothing is seen without a search.
    counts: [usize; 4],
}

impl Stack {
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    pub(crate) fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    pub(crate) fn top_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    pub(crate) fn has(&self, bracket: Bracket) -> bool {
        self.counts.get(bracket as usize).is_some_and(|count| *count > 0)
    }

    pub(crate) fn push(&mut self, frame: Frame) {
        self.count(frame.bracket, 1);
        self.frames.push(frame);
    }

    pub(crate) fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.count(frame.bracket, -1);
        Some(frame)
    }

    pub(crate) fn fit(&self, bracket: Bracket) -> Fit {
        if self.top().is_some_and(|top| top.bracket == bracket) {
            Fit::Innermost
        } else if self.has(bracket) {
            Fit::Outer
        } else {
            Fit::Nothing
        }
    }

    fn count(&mut self, bracket: Bracket, change: isize) {
        if let Some(count) = self.counts.get_mut(bracket as usize) {
            *count = count.saturating_add_signed(change);
        }
    }
}
