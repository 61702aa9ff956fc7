//! The end of a document: is it whole, are only closers missing, or was something lost?

use std::ops::Range;

use serde_json::Value;

use super::{Last, Reader, Reading};
use crate::change::Change;
use crate::error::{ErrorKind, Fault, Open};
use crate::mend::{Doubt, close_braces};
use crate::rung::RungSet;
use crate::stack::{Bracket, Expects, Frame};

/// How much a stretch of text looks like a document that somebody meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// `{}`, `[]`, `[1]`: in prose as likely a placeholder or a footnote.
    Bare,
    /// A list of bare words, or keys with bare words.
    Weak,
    /// Strings, keys with values, a list of numbers.
    Strong,
}

/// A document that was read.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) range: Range<usize>,
    pub(crate) likeness: Likeness,
    /// Its root is closed.
    pub(crate) complete: bool,
    /// A closer inside it fits a container further out.
    pub(crate) mismatched: bool,
    /// Its JSON text; of a broken one whatever was written.
    pub(crate) text: String,
    /// Its value, where that is known already.
    pub(crate) value: Option<Value>,
    pub(crate) changes: Vec<Change>,
    /// Changes that are not listed.
    pub(crate) unlisted: usize,
    pub(crate) rungs: RungSet,
    /// Why it is no value.
    pub(crate) fault: Option<Fault>,
    /// Where it can be read in two ways.
    pub(crate) doubt: Option<Doubt>,
}

impl Document {
    /// A document that needed no reader.
    pub(crate) fn json(range: Range<usize>, text: &str, value: Value) -> Self {
        // In JSON every name is a string.
        let likeness = match (text.contains('"'), text.contains(',')) {
            (true, _) => Likeness::Strong,
            (false, true) if text.contains(|c: char| c.is_ascii_alphanumeric()) => Likeness::Strong,
            (false, true) => Likeness::Weak,
            (false, false) => Likeness::Bare,
        };
        Self {
            range,
            likeness,
            complete: true,
            mismatched: false,
            text: text.to_owned(),
            value: Some(value),
            changes: Vec::new(),
            unlisted: 0,
            rungs: RungSet::default(),
            fault: None,
            doubt: None,
        }
    }
}

impl Reader<'_> {
    /// The document ends here; `marked`: by a mark of its own, not because the text ends.
    pub(super) fn at_end(&mut self, marked: bool) -> Reading {
        let is_scalar = self.stack.is_empty() && !matches!(self.last, Last::Closer | Last::Mark);
        let complete = self.stack.is_empty() && !is_scalar
            || is_scalar && matches!(self.last, Last::String { closed: true } | Last::Literal | Last::Number);
        let end = if complete || marked { self.last_end } else { self.text.len() };
        if let Some(open) = self.open_piece() {
            self.cut(self.last_start, open);
        } else if !self.stack.is_empty() {
            self.close_all();
        }
        if self.seen.added && self.seen.dropped && self.fault.is_none() {
            let message = "some closers are missing and others fit nothing; where containers end cannot be told";
            self.fail(ErrorKind::Ambiguous, self.last_end, message);
        }
        let likeness = self.likeness();
        self.draft.copy_to(self.last_end);
        let draft = std::mem::replace(&mut self.draft, crate::draft::Draft::new("", 0));
        let (text, changes, unlisted, rungs) = draft.into_text();
        Reading::Document(Box::new(Document {
            range: self.start..end,
            likeness,
            complete,
            mismatched: self.seen.mismatch,
            text,
            value: None,
            changes,
            unlisted,
            rungs,
            fault: self.fault.take(),
            doubt: self.doubt,
        }))
    }

    fn likeness(&self) -> Likeness {
        if self.seen.strings
            || (self.seen.values
                && (self.seen.colons || self.seen.commas || self.stack.is_empty() && self.last != Last::Closer))
        {
            Likeness::Strong
        } else if self.seen.commas || self.seen.colons {
            Likeness::Weak
        } else {
            Likeness::Bare
        }
    }

    /// What is open at the end, if more than closers is missing.
    fn open_piece(&self) -> Option<Open> {
        let top = self.stack.top();
        match self.last {
            Last::Key { closed: true, bare: false } => Some(Open::Property),
            Last::Key { .. } => Some(Open::Key),
            Last::String { closed: false } => Some(Open::String),
            Last::HalfNumber => Some(Open::Number),
            // More digits may follow, unless something stands behind it.
            Last::Number if top.is_some() && self.last_end == self.text.len() => Some(Open::Number),
            Last::Word if self.last_end == self.text.len() => Some(Open::Literal),
            Last::Nothing
            | Last::Mark
            | Last::String { closed: true }
            | Last::Number
            | Last::Literal
            | Last::Word
            | Last::Closer => top.and_then(|frame| self.open_container(frame)),
        }
    }

    fn open_container(&self, frame: &Frame) -> Option<Open> {
        if self.fault.as_ref().is_some_and(|fault| fault.open == Some(Open::Comment)) {
            return Some(Open::Comment);
        }
        match (frame.expects, frame.bracket) {
            (Expects::Comma, _) => None,
            (Expects::Colon, _) | (Expects::Value, Bracket::Object) => Some(Open::Property),
            (Expects::Key, _) => Some(Open::Object),
            (Expects::Value, _) => Some(Open::Array),
        }
    }

    /// The document was cut off.
    fn cut(&mut self, at: usize, open: Open) {
        let at = match &self.fault {
            Some(fault) if open == Open::Comment => fault.offset,
            _ => at,
        };
        if self.fault.as_ref().is_some_and(|fault| fault.kind != ErrorKind::Truncated) {
            // What came behind the place that cannot be read is guesswork.
            return;
        }
        let mut fault = Fault::truncated(at, open);
        self.draft.copy_to(self.last_end);
        fault.details.path = Some(self.path());
        if self.safe.length > 0 {
            let safe = self.draft.written(0..self.safe.length);
            // Allocated once: a text that grows while it is written holds three times its size.
            fault.details.partial = Some([safe, &close_braces::closers(self.stack.frames())].concat());
        }
        self.fault = Some(fault);
    }

    /// Appends the closers that are missing, where nothing else is.
    fn close_all(&mut self) {
        if self.manner.cut {
            return self.cut(self.last_end, Open::Closer);
        }
        if self.stack.has(Bracket::Tuple) {
            return self.fail(ErrorKind::Invalid, self.last_end, "a parenthesis was left open");
        }
        self.at = self.last_end;
        let frames = self.stack.frames();
        close_braces::mend(
            &mut crate::mend::Site {
                text: self.text,
                at: self.last_end,
                draft: &mut self.draft,
                choice: self.manner.choice,
            },
            frames,
        );
        self.seen.added = true;
    }

    /// The JSON pointer to what was being read.
    fn path(&self) -> String {
        let mut path = String::new();
        let in_key = matches!(self.last, Last::Key { closed: false, .. });
        for (i, frame) in self.stack.frames().iter().enumerate() {
            match frame.bracket {
                // The name of the last property may be longer than what arrived.
                Bracket::Object if in_key && i + 1 == self.stack.len() => {}
                Bracket::Object if frame.expects != Expects::Key && !frame.key.is_empty() => {
                    let literal = self.draft.written(frame.key.clone());
                    let name = serde_json::from_str(literal).unwrap_or_else(|_| literal.trim_matches('"').to_owned());
                    path.push('/');
                    path.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
                Bracket::Array | Bracket::Tuple => {
                    let is_inside = frame.expects == Expects::Comma;
                    let index = frame.count.saturating_sub(usize::from(is_inside));
                    path.push('/');
                    path.push_str(&index.to_string());
                }
                Bracket::Object | Bracket::Brace => {}
            }
        }
        path
    }
}
