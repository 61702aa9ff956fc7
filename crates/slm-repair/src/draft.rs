//! A document as it is being repaired: the text so far, and what was changed on the way.
//!
//! The text is copied in long pieces from change to change; changes are made in the order of the input, so nothing is
//! ever moved. Where marks are exchanged for others of their size, a piece is copied ahead, and the marks are set in it.

use std::borrow::Cow;
use std::ops::Range;

use crate::change::Change;
use crate::rung::{Rung, RungSet};

/// So many changes are listed; the others are counted. A megabyte of single quotes would list more than it holds.
pub(crate) const LISTED: usize = 1000;

/// So many bytes are copied ahead; they are dropped where the next change is of another kind.
const AHEAD: usize = 256;

/// A document under repair.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    text: &'a str,
    /// Bytes, so that marks can be exchanged in place; whole characters all the same.
    out: Vec<u8>,
    /// Up to here the input has been copied or replaced.
    copied: usize,
    /// The end of the last change; what was copied behind it was copied ahead.
    changed: usize,
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
    changed: usize,
    listed: usize,
    unlisted: usize,
    rungs: RungSet,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(text: &'a str, start: usize) -> Self {
        Self {
            text,
            out: Vec::new(),
            copied: start,
            changed: start,
            changes: Vec::new(),
            unlisted: 0,
            rungs: RungSet::default(),
        }
    }

    /// Puts `with` in place of `range`, which does not begin before the end of the last change.
    pub(crate) fn replace(&mut self, rung: Rung, range: Range<usize>, with: impl Into<Cow<'static, str>>) {
        let with = with.into();
        self.reserve();
        self.copy_to(range.start);
        self.out.extend_from_slice(with.as_bytes());
        self.changed = self.changed.max(range.end);
        self.copied = self.changed;
        self.list(rung, range, with);
    }

    /// Puts double quotes in place of the marks, one byte each, around the string at `range`.
    pub(crate) fn requote(&mut self, rung: Rung, range: Range<usize>) {
        if self.changes.capacity() == 0 {
            // Where one string has such marks, all have, and a string and its comma are hardly shorter than this.
            self.changes.reserve(((self.text.len() - self.copied) / 6).clamp(4, LISTED));
        }
        self.reserve();
        if self.copied < range.end {
            self.copy_to((range.end + AHEAD).min(self.text.len()));
        }
        for at in [range.start, range.end - 1] {
            self.put(self.position(at), b'"');
            self.list(rung, at..at + 1, Cow::Borrowed("\""));
        }
        self.changed = range.end;
    }

    /// Puts one ASCII character in place of another.
    fn put(&mut self, position: usize, with: u8) {
        if let Some(byte) = self.out.get_mut(position).filter(|byte| byte.is_ascii()) {
            *byte = with;
        }
    }

    /// Makes room before the first change.
    fn reserve(&mut self) {
        if self.out.capacity() == 0 {
            // Most changes keep the length, so one allocation is enough.
            let left = self.text.len() - self.copied;
            self.out.reserve(left + left / 16 + 32);
        }
    }

    /// Copies the input up to `end`, or drops what was copied ahead of it.
    pub(crate) fn copy_to(&mut self, end: usize) {
        let end = end.max(self.changed);
        match self.copied.checked_sub(end) {
            Some(ahead) => self.out.truncate(self.out.len().saturating_sub(ahead)),
            None => self.out.extend_from_slice(self.text.as_bytes().get(self.copied..end).unwrap_or_default()),
        }
        self.copied = end;
    }

    #[inline]
    fn list(&mut self, rung: Rung, range: Range<usize>, with: Cow<'static, str>) {
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
        (self.out.len() + at.max(self.changed)).saturating_sub(self.copied)
    }

    /// Puts one ASCII character in place of another that was written at `position`, and in the change `listed`.
    pub(crate) fn amend(&mut self, position: usize, listed: usize, with: &'static str) {
        if let [mark] = with.as_bytes() {
            self.put(position, *mark);
        }
        if let Some(change) = self.changes.get_mut(listed) {
            change.to = Cow::Borrowed(with);
        }
    }

    /// The state before any change from `at` on.
    pub(crate) fn mark(&mut self, at: usize) -> Mark {
        if self.copied > at {
            self.copy_to(at);
        }
        Mark {
            length: self.out.len(),
            copied: self.copied,
            changed: self.changed,
            listed: self.changes.len(),
            unlisted: self.unlisted,
            rungs: self.rungs,
        }
    }

    /// Forgets what was changed since `mark`.
    pub(crate) fn go_back(&mut self, mark: Mark) {
        self.out.truncate(mark.length);
        self.copied = mark.copied;
        self.changed = mark.changed;
        self.changes.truncate(mark.listed);
        self.unlisted = mark.unlisted;
        self.rungs = mark.rungs;
    }

    /// A part of the repaired text so far.
    pub(crate) fn written(&self, range: Range<usize>) -> &str {
        self.out.get(range).and_then(|part| std::str::from_utf8(part).ok()).unwrap_or_default()
    }

    pub(crate) fn into_text(self) -> (String, Vec<Change>, usize, RungSet) {
        // It never fails: what was written were texts.
        (String::from_utf8(self.out).unwrap_or_default(), self.changes, self.unlisted, self.rungs)
    }
}
