//! A document as it is being repaired: the text so far, and what was changed on the way.
//!
//! The text is copied in long pieces from change to change; changes are made in the order of the input, so nothing is
//! ever moved.

use std::borrow::Cow;
use std::ops::Range;

use crate::change::Change;
use crate::rung::{Rung, RungSet};

/// So many changes are listed; the others are counted. A megabyte of single quotes would list more than it holds.
pub(crate) const LISTED: usize = 1000;

/// A document under repair.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    text: &'a str,
    out: String,
    /// Up to here the input has been copied or replaced.
    copied: usize,
    pub(crate) changes: Vec<Change>,
    /// Changes that are not listed.
    pub(crate) unlisted: usize,
    pub(crate) rungs: RungSet,
}

/// A state that a draft can go back to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    length: usize,
    copied: usize,
    listed: usize,
    unlisted: usize,
    rungs: RungSet,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(text: &'a str, start: usize) -> Self {
        Self { text, out: String::new(), copied: start, changes: Vec::new(), unlisted: 0, rungs: RungSet::default() }
    }

    /// Puts `with` in place of `range`, which does not begin before the end of the last change.
    pub(crate) fn replace(&mut self, rung: Rung, range: Range<usize>, with: impl Into<Cow<'static, str>>) {
        let with = with.into();
        if self.out.capacity() == 0 {
            // Most changes keep the length, so one allocation is enough.
            self.out.reserve(self.text.len() - self.copied + self.text.len() / 16 + 32);
            self.changes.reserve(16);
        }
        self.out.push_str(self.text.get(self.copied..range.start).unwrap_or_default());
        self.out.push_str(&with);
        self.copied = range.end;
        self.rungs.insert(rung);
        if self.changes.len() < LISTED {
            self.changes.push(Change::edit(rung, range, with));
        } else {
            self.unlisted += 1;
        }
    }

    pub(crate) fn insert(&mut self, rung: Rung, at: usize, text: impl Into<Cow<'static, str>>) {
        self.replace(rung, at..at, text);
    }

    pub(crate) fn remove(&mut self, rung: Rung, range: Range<usize>) {
        self.replace(rung, range, "");
    }

    /// Where the input's offset `at`, which no change has passed, comes to stand in the repaired text.
    pub(crate) fn position(&self, at: usize) -> usize {
        self.out.len() + at.saturating_sub(self.copied)
    }

    /// Puts one ASCII character in place of another that was written at `position`, and in the change `listed`.
    pub(crate) fn amend(&mut self, position: usize, listed: usize, with: &'static str) {
        if self.out.is_char_boundary(position) && self.out.is_char_boundary(position + with.len()) {
            self.out.replace_range(position..position + with.len(), with);
        }
        if let Some(change) = self.changes.get_mut(listed) {
            change.to = Cow::Borrowed(with);
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            length: self.out.len(),
            copied: self.copied,
            listed: self.changes.len(),
            unlisted: self.unlisted,
            rungs: self.rungs,
        }
    }

    /// Forgets what was changed since `mark`.
    pub(crate) fn go_back(&mut self, mark: Mark) {
        self.out.truncate(mark.length);
        self.copied = mark.copied;
        self.changes.truncate(mark.listed);
        self.unlisted = mark.unlisted;
        self.rungs = mark.rungs;
    }

    /// Copies what is left before `end`.
    pub(crate) fn finish(&mut self, end: usize) {
        self.out.push_str(self.text.get(self.copied..end).unwrap_or_default());
        self.copied = self.copied.max(end);
    }

    /// The repaired text so far.
    pub(crate) fn written(&self) -> &str {
        &self.out
    }

    pub(crate) fn into_text(self) -> (String, Vec<Change>, usize, RungSet) {
        (self.out, self.changes, self.unlisted, self.rungs)
    }
}
