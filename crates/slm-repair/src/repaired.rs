//! What a repair gives: the value, its text, and everything that was done to get it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;
use serde_json::Value;

use crate::change::{Change, What};
use crate::coerce::Coercion;
use crate::rung::Rung;
use crate::tree::{Event, Events};

/// A value, and how it was got out of the text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Repaired {
    /// The value.
    pub value: Value,
    /// The JSON text of the value: digits, key order and white space are those of the input.
    pub text: String,
    /// The rung that fixed it: the last that changed something.
    pub rung: Rung,
    /// All rungs that took part, in the order of the ladder; empty for [`Rung::None`].
    pub rungs: Vec<Rung>,
    /// What was changed to fit the schema.
    pub coercions: Vec<Coercion>,
    #[serde(skip)]
    pub(crate) edits: Vec<Change>,
    /// What `value` loses stands among the `edits` already.
    #[serde(skip)]
    pub(crate) losses_listed: bool,
    #[serde(skip)]
    pub(crate) unlisted: usize,
    /// Where the repaired document, without its coercions, began in the input.
    #[serde(skip)]
    pub(crate) start: usize,
}

impl Repaired {
    pub(crate) fn unchanged(value: Value, text: String) -> Self {
        Self {
            value,
            text,
            rung: Rung::None,
            rungs: Vec::new(),
            coercions: Vec::new(),
            edits: Vec::new(),
            losses_listed: false,
            unlisted: 0,
            start: 0,
        }
    }

    /// Each change that was made to the input, in its order, so that a caller can refuse; then what `value` loses against
    /// `text` by itself: numbers it cannot hold exactly, and keys that stand twice.
    ///
    /// At most a thousand changes to the input are listed; [`unlisted`](Self::unlisted) counts the others. What `value` loses
    /// is looked for when this is called, and not before; its places are those of the input as long as all changes are
    /// listed and nothing was coerced.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        let mut changes = self.edits.clone();
        if self.losses_listed {
            return changes;
        }
        let mut losses = losses(&self.text);
        losses.sort_by_key(|change| change.range.start);
        let mut place = Place { edits: &self.edits, start: self.start, before: 0, after: 0 };
        for loss in &mut losses {
            loss.range = place.origin(loss.range.start)..place.origin(loss.range.end);
        }
        changes.append(&mut losses);
        changes
    }

    /// Looks for what `value` loses now: later its place in the input could not be told.
    pub(crate) fn list_losses(&mut self) {
        self.edits = self.changes();
        self.losses_listed = true;
    }

    /// How many changes to the input are not listed.
    #[must_use]
    pub fn unlisted(&self) -> usize {
        self.unlisted
    }
}

/// The way back from offsets of the repaired text, in ascending order, to the input's.
struct Place<'a> {
    edits: &'a [Change],
    start: usize,
    before: usize,
    after: usize,
}

impl Place<'_> {
    fn origin(&mut self, offset: usize) -> usize {
        self.before = self.before.max(self.start);
        while let Some((edit, rest)) = self.edits.split_first() {
            if edit.range.start < self.before {
                // What was taken away before the document.
                self.edits = rest;
                continue;
            }
            let kept = edit.range.start - self.before;
            if offset < self.after + kept + edit.to.len() {
                break;
            }
            self.after += kept + edit.to.len();
            self.before = edit.range.end;
            self.edits = rest;
        }
        self.before + offset.saturating_sub(self.after)
    }
}

/// What serde_json's `Value` loses of a JSON text, by the text's own offsets.
fn losses(text: &str) -> Vec<Change> {
    let mut losses = Vec::new();
    let mut names: Vec<HashSet<Cow<'_, str>>> = Vec::new();
    for event in Events::new(text) {
        match event {
            Event::Open { object, .. } => {
                if object {
                    names.push(HashSet::new());
                }
            }
            Event::Close { at } => {
                if text.as_bytes().get(at) == Some(&b'}') {
                    names.pop();
                }
            }
            Event::Key(range) => {
                let name = name_of(text.get(range.clone()).unwrap_or_default());
                if names.last_mut().is_some_and(|seen| !seen.insert(name)) {
                    let key = text.get(range.clone()).unwrap_or_default().to_owned();
                    losses.push(loss(What::DuplicateKey, range, key));
                }
            }
            Event::Scalar(range) => {
                let number = text.get(range.clone()).unwrap_or_default();
                if !is_exact(number) {
                    let number = number.to_owned();
                    losses.push(loss(What::InexactNumber, range, number));
                }
            }
        }
    }
    losses
}

fn loss(what: What, range: Range<usize>, to: String) -> Change {
    Change { rung: Rung::None, what, range, to: Cow::Owned(to) }
}

/// A key as it is compared: without its quotes and escapes.
fn name_of(key: &str) -> Cow<'_, str> {
    let plain = key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).unwrap_or(key);
    if plain.contains('\\')
        && let Ok(name) = serde_json::from_str(key)
    {
        return Cow::Owned(name);
    }
    Cow::Borrowed(plain)
}

/// Does this scalar come back from a `Value` with the digits it was written with?
fn is_exact(scalar: &str) -> bool {
    if !scalar.starts_with(|c: char| c == '-' || c.is_ascii_digit()) || scalar.len() <= 15 {
        return true;
    }
    if !scalar.contains(['.', 'e', 'E']) {
        return scalar.parse::<i64>().is_ok() || scalar.parse::<u64>().is_ok();
    }
    scalar.parse::<f64>().is_ok_and(|float| significant(&format!("{float:e}")) == significant(scalar))
}

/// The significant digits of a number, without leading and trailing zeros.
fn significant(number: &str) -> String {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}
