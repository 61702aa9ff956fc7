//! Finds the documents in a text: one pass forward over prose, fences and JSON.
//!
//! A bracket in prose is the beginning of a document only if JSON follows it. Until that is certain the reader is not
//! *committed*, and goes back to prose where the text stops looking like JSON; it never goes back further, so the pass is
//! linear. Once committed it follows the brackets to the end, however broken the inside is: a document inside a broken one is
//! never taken for the answer.

use std::ops::Range;

use crate::error::{ErrorKind, Fault};
use crate::reasoning;
use crate::scan::{Bracket, Kind, is_number};
use crate::walk::{Closing, Expects, MAX_DEPTH, Role, Step, Walk, is_literal};

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

/// A stretch of text that is a document.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) range: Range<usize>,
    pub(crate) likeness: Likeness,
    /// Its root is closed.
    pub(crate) complete: bool,
    /// A closer inside it fits a container further out.
    pub(crate) mismatched: bool,
    /// It is the first thing in a Markdown fence.
    pub(crate) fenced: bool,
}

/// All documents at the top level of the text's answer, in order.
///
/// # Errors
///
/// `Truncated` if reasoning never ends, `TooDeep` if containers are nested deeper than [`MAX_DEPTH`].
pub(crate) fn find(text: &str) -> Result<Vec<Document>, Fault> {
    let mut found = Vec::new();
    let mut fence = None;
    let mut in_fence = false;
    let mut position = reasoning::answer_start(text)?;
    while let Some(rest) = text.get(position..).filter(|rest| !rest.is_empty()) {
        if let Some(length) = fence_length(rest) {
            position += length;
            in_fence = !in_fence;
            fence = in_fence.then_some(position);
        } else if rest.starts_with("<![CDATA[") {
            position += "<![CDATA[".len();
        } else if rest.starts_with(['{', '[']) {
            let fenced = fence.take().and_then(|from| text.get(from..position)).is_some_and(is_quoted_blank);
            match Reader::new(text, position).read()? {
                Reading::Document(document) => {
                    position = document.range.end;
                    found.push(Document { fenced, ..document });
                }
                Reading::Prose { until } => position = until,
            }
        } else {
            position += next_mark(rest);
        }
    }
    Ok(found)
}

/// Bytes to the next character at which anything may begin; at least one character.
fn next_mark(rest: &str) -> usize {
    let skip = rest.chars().next().map_or(1, char::len_utf8);
    let tail = rest.get(skip..).unwrap_or_default();
    skip + tail.find(['{', '[', '`', '~', '<']).unwrap_or(tail.len())
}

/// The length of a fence mark with its info string, if one stands here.
fn fence_length(rest: &str) -> Option<usize> {
    let mark = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = rest.len() - rest.trim_start_matches(mark).len();
    if run < 3 {
        return None;
    }
    let info = rest.get(run..)?.trim_start_matches(' ');
    let after = info.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-' | '.'));
    Some(rest.len() - after.len())
}

/// Nothing but white space and the marks of a quoted block.
fn is_quoted_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c == '>')
}

enum Reading {
    Document(Document),
    /// No document begins here; prose goes on at `until`.
    Prose {
        until: usize,
    },
}

/// What the reader waits for before it commits.
enum Pending {
    Nothing,
    /// A key was read: a colon must follow.
    Colon,
    /// A string or a number in an array, or a literal: no bare word may follow.
    Scalar,
    /// A bare word: a comma must follow (or, in an object, a closer).
    Word,
}

/// Reads one document from its opener on.
struct Reader<'a> {
    text: &'a str,
    start: usize,
    walk: Walk<'a>,
    committed: bool,
    pending: Pending,
    seen: Seen,
}

/// What stood in a document so far.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is seen or not, whatever the others are")]
struct Seen {
    strings: bool,
    /// Numbers and literals.
    values: bool,
    colons: bool,
    commas: bool,
    /// A closer that fits a container further out.
    mismatch: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, start: usize) -> Self {
        Self {
            text,
            start,
            walk: Walk::starting_at(text, start),
            committed: false,
            pending: Pending::Nothing,
            seen: Seen::default(),
        }
    }

    fn read(mut self) -> Result<Reading, Fault> {
        while let Some(step) = self.walk.next() {
            if self.walk.open().len() > MAX_DEPTH {
                let message = format!("containers are nested more than {MAX_DEPTH} deep; ask for a flatter document");
                return Err(Fault::new(ErrorKind::TooDeep, step.token.start, message));
            }
            match step.role {
                Role::Trivia => continue,
                Role::Fence if self.committed => return Ok(self.document(step.token.start, false)),
                Role::Fence => return Ok(Reading::Prose { until: step.token.start }),
                Role::Key | Role::Colon | Role::Value | Role::Comma | Role::Open(_) | Role::Close(_) => {}
            }
            if !self.committed && !self.plausible(step) {
                // A string is behind the pass once it was read, or its end would be looked for again and again.
                let string = matches!(step.token.kind, Kind::String { .. });
                return Ok(Reading::Prose { until: if string { step.token.end } else { step.token.start } });
            }
            self.note(step);
            if self.walk.open().is_empty() {
                return Ok(self.document(step.token.end, true));
            }
        }
        let end = self.text.len();
        Ok(self.document(end, false))
    }

    /// Does the text still look like JSON? Commits where it is certain.
    fn plausible(&mut self, step: Step) -> bool {
        let in_object = step.inside.is_some_and(|frame| frame.bracket == Bracket::Object);
        let bare_word = step.token.kind == Kind::Bare && !is_scalar_word(step, self.text);
        match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Colon if step.role != Role::Colon => {
                return self.commit(self.seen.strings && !bare_word && is_value(step));
            }
            Pending::Scalar => return self.commit(self.seen.strings || !bare_word),
            Pending::Word => {
                let goes_on = step.role == Role::Comma || (in_object && matches!(step.role, Role::Close(_)));
                // `{greeting: hello world, …`: no JSON, but a document all the same.
                return self.commit(goes_on || self.seen.colons);
            }
            Pending::Nothing | Pending::Colon => {}
        }
        match step.role {
            Role::Key => {
                self.pending = Pending::Colon;
                matches!(step.token.kind, Kind::String { .. }) || is_simple_key(step.token.text(self.text))
            }
            Role::Value if bare_word => {
                self.pending = Pending::Word;
                true
            }
            Role::Value if in_object => self.commit(true),
            Role::Value => {
                self.pending = Pending::Scalar;
                true
            }
            Role::Open(_) => {
                let after_colon = step.inside.is_some_and(|frame| frame.expects == Expects::Value);
                if in_object { self.commit(after_colon) } else { true }
            }
            Role::Colon => in_object,
            Role::Close(Closing::Outer | Closing::Surplus | Closing::Mistaken) => self.committed,
            Role::Comma | Role::Close(Closing::Fits) | Role::Fence | Role::Trivia => true,
        }
    }

    /// From here on this is a document, if `certain`.
    fn commit(&mut self, certain: bool) -> bool {
        self.committed |= certain;
        certain
    }

    /// Remembers what tells how much this looks like a document.
    fn note(&mut self, step: Step) {
        match step.role {
            Role::Colon => self.seen.colons = true,
            Role::Comma => self.seen.commas = true,
            Role::Key | Role::Value => {
                self.seen.strings |= matches!(step.token.kind, Kind::String { .. });
                self.seen.values |= step.role == Role::Value && is_scalar_word(step, self.text);
            }
            Role::Close(Closing::Outer) => self.seen.mismatch = true,
            Role::Close(_) | Role::Open(_) | Role::Fence | Role::Trivia => {}
        }
    }

    fn document(&self, end: usize, complete: bool) -> Reading {
        let likeness = if self.seen.strings || (self.seen.values && (self.seen.colons || self.seen.commas)) {
            Likeness::Strong
        } else if self.seen.commas || self.seen.colons {
            Likeness::Weak
        } else {
            Likeness::Bare
        };
        let range = self.start..end;
        Reading::Document(Document { range, likeness, complete, mismatched: self.seen.mismatch, fenced: false })
    }
}

/// Does a value begin here, if a colon or a comma was forgotten?
fn is_value(step: Step) -> bool {
    matches!(step.role, Role::Key | Role::Value | Role::Open(_))
}

fn is_scalar_word(step: Step, text: &str) -> bool {
    is_literal(step.token, text) || (step.token.kind == Kind::Bare && is_number(step.token.text(text)))
}

/// A key that may do without quotes: letters, digits, `_`, `-` and `$`.
pub(crate) fn is_simple_key(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
}
