//! Edits to a text: what a rung did, as data.
//!
//! A rung never rewrites a document by itself: it lists its edits. So an offset in the repaired text can be traced back
//! to the input, whatever stands between the two.

use std::borrow::Cow;
use std::ops::Range;

use crate::scan::is_space;

/// One replaced stretch of the text.
#[derive(Debug)]
struct Edit {
    range: Range<usize>,
    with: Cow<'static, str>,
}

/// The edits of one pass, in ascending order and without overlap.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<Edit>);

impl Edits {
    pub(crate) fn replace(&mut self, range: Range<usize>, with: impl Into<Cow<'static, str>>) {
        self.0.push(Edit { range, with: with.into() });
    }

    pub(crate) fn insert(&mut self, at: usize, text: impl Into<Cow<'static, str>>) {
        self.replace(at..at, text);
    }

    /// Takes a stretch out; an empty one is no edit.
    pub(crate) fn remove(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.replace(range, "");
        }
    }

    /// Takes out what stands before `start`, unless it is white space only.
    pub(crate) fn trim_before(&mut self, start: usize, text: &str) {
        if !text.get(..start).unwrap_or_default().chars().all(is_space) {
            self.remove(0..start);
        }
    }

    /// Takes out what stands behind `end`, unless it is white space only.
    pub(crate) fn trim_behind(&mut self, end: usize, text: &str) {
        if !text.get(end..).unwrap_or_default().chars().all(is_space) {
            self.remove(end..text.len());
        }
    }

    pub(crate) fn append(&mut self, mut later: Self) {
        self.0.append(&mut later.0);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
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

    /// Where an offset of the edited text stood before. Inside a replacement: where what was replaced began.
    pub(crate) fn origin(&self, offset: usize) -> usize {
        let mut before = 0;
        let mut after = 0;
        for Edit { range, with } in &self.0 {
            let kept = range.start.saturating_sub(before);
            if offset < after + kept {
                break;
            }
            after += kept;
            if offset < after + with.len() {
                return range.start;
            }
            after += with.len();
            before = range.end;
        }
        before + offset.saturating_sub(after)
    }
}

#[cfg(test)]
mod tests {
    use super::Edits;

    #[test]
    fn offsets_are_traced_back() {
        let mut edits = Edits::default();
        edits.remove(0..4);
        edits.replace(5..6, "\\n");
        edits.insert(7, "}");
        assert_eq!(edits.apply("abc {\n1"), "{\\n1}");
        assert_eq!([0, 1, 2, 3, 4].map(|offset| edits.origin(offset)), [4, 5, 5, 6, 7]);
    }
}
