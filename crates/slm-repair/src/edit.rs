//! Edits to a JSON text: what `coerce` did, as data.

use std::ops::Range;

/// One replaced stretch of the text.
#[derive(Debug)]
struct Edit {
    range: Range<usize>,
    with: String,
}

/// Edits in ascending order and without overlap.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<Edit>);

impl Edits {
    pub(crate) fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.0.push(Edit { range, with: with.into() });
    }

    pub(crate) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// Takes a stretch out; an empty one is no edit.
    pub(crate) fn remove(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.replace(range, "");
        }
    }

    pub(crate) fn append(&mut self, mut later: Self) {
        self.0.append(&mut later.0);
    }

    /// The text with the edits made.
    pub(crate) fn apply(&self, text: &str) -> String {
        self.apply_within(text, 0..text.len())
    }

    /// The part `within` of the text with the edits made, all of which lie inside it.
    pub(crate) fn apply_within(&self, text: &str, within: Range<usize>) -> String {
        let mut out = String::with_capacity(within.len());
        let mut done = within.start;
        for Edit { range, with } in &self.0 {
            out.push_str(text.get(done..range.start).unwrap_or_default());
            out.push_str(with);
            done = range.end;
        }
        out.push_str(text.get(done..within.end).unwrap_or_default());
        out
    }
}
