//! Reads one document from its first character on, mends what it can, and says where the document ends.
//!
//! One pass forward: each token is looked at once, and what is wrong with it is left to the rung whose business it is. In
//! prose a bracket is the beginning of a document only if JSON follows it: until that is certain the reader is not
//! *committed*, and gives the text back to prose where it stops looking like JSON. Once committed it follows the brackets to
//! the end, however broken the inside is: a document inside a broken one is never taken for the answer.

use crate::draft::Draft;
use crate::error::{ErrorKind, Fault, Open};
use crate::mend::{Choice, Doubt, Mended, Site, comments, ellipsis, missing_colon, missing_comma, odd_space};
use crate::quote::Quote;
use crate::rung::Rung;
use crate::scan::{byte_at, char_at, comment_at, is_space, rest, trivia_end};
use crate::stack::{Bracket, Expects, Stack};

mod closing;
mod ending;
mod opening;
mod scalar;
mod separators;
mod settle;
mod token;

pub(crate) use ending::{Document, Likeness};

/// How a document is to be read.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is so or not, whatever the others are")]
pub(crate) struct Manner {
    pub(crate) max_depth: usize,
    pub(crate) choice: Choice,
    /// The reply is known to have been cut.
    pub(crate) cut: bool,
    /// The lines of the document begin with `>`, as in a quoted block.
    pub(crate) quoted: bool,
    /// Nothing but white space stands before the document.
    pub(crate) leads: bool,
    /// The document is the argument of a call.
    pub(crate) called: bool,
}

impl Manner {
    pub(crate) fn new(max_depth: usize, cut: bool) -> Self {
        Self { max_depth, choice: Choice::First, cut, quoted: false, leads: false, called: false }
    }
}

/// What the text turned out to be.
#[derive(Debug)]
pub(crate) enum Reading {
    Document(Box<Document>),
    /// No document begins here; prose goes on at `until`.
    Prose {
        until: usize,
    },
    /// It is written as if it stood in a string.
    Escaped,
}

/// What the reader waits for before it commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pending {
    Nothing,
    /// A key was read: a colon must follow.
    Colon,
    /// A string or a number in an array, or a literal: no bare word may follow.
    Scalar,
    /// A bare word: a comma must follow (or, in an object, a closer).
    Word,
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
    /// A closer was put in; a closer was taken out.
    added: bool,
    dropped: bool,
}

/// Up to where the document is complete, but for the closers of what is open.
#[derive(Debug, Clone, Copy, Default)]
struct Safe {
    /// In the repaired text.
    length: usize,
}

/// What a step led to.
enum Flow {
    On,
    Done(Reading),
}

/// The last token that was read, for what may be open at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Mark,
    Key {
        bare: bool,
        closed: bool,
    },
    String {
        closed: bool,
    },
    Number,
    /// A number that cannot end where it does.
    HalfNumber,
    Literal,
    Word,
    Closer,
}

#[derive(Debug)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    start: usize,
    at: usize,
    draft: Draft<'a>,
    stack: Stack,
    manner: Manner,
    committed: bool,
    pending: Pending,
    seen: Seen,
    last: Last,
    last_start: usize,
    last_end: usize,
    safe: Safe,
    fault: Option<Fault>,
    doubt: Option<Doubt>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str, start: usize, manner: Manner) -> Self {
        Self {
            text,
            start,
            at: start,
            draft: Draft::new(text, start),
            stack: Stack::default(),
            manner,
            committed: false,
            pending: Pending::Nothing,
            seen: Seen::default(),
            last: Last::Nothing,
            last_start: start,
            last_end: start,
            safe: Safe::default(),
            fault: None,
            doubt: None,
        }
    }

    /// Reads to the end of the document.
    ///
    /// # Errors
    ///
    /// A [`Fault`] of kind `TooDeep`.
    pub(crate) fn read(mut self) -> Result<Reading, Fault> {
        loop {
            match self.step()? {
                Flow::On => {}
                Flow::Done(reading) => return Ok(reading),
            }
        }
    }

    fn site(&mut self) -> Site<'_, 'a> {
        Site { text: self.text, at: self.at, draft: &mut self.draft, choice: self.manner.choice }
    }

    fn expects(&self) -> Expects {
        self.stack.top().map_or(Expects::Value, |frame| frame.expects)
    }

    fn expect(&mut self, expects: Expects) {
        if let Some(frame) = self.stack.top_mut() {
            frame.expects = expects;
        }
    }

    fn in_object(&self) -> bool {
        self.stack.top().is_some_and(|frame| frame.bracket == Bracket::Object)
    }

    fn step(&mut self) -> Result<Flow, Fault> {
        if self.stack.is_empty() && !matches!(self.last, Last::Nothing | Last::Mark) {
            return Ok(Flow::Done(self.at_end(true)));
        }
        let Some(mut byte) = byte_at(self.text, self.at) else { return Ok(Flow::Done(self.at_end(false))) };
        if is_space(byte) {
            self.blank(byte);
            match byte_at(self.text, self.at) {
                Some(next) if !is_space(next) => byte = next,
                _ => return Ok(Flow::On),
            }
        }
        if let Some(flow) = self.settle(byte) {
            return Ok(flow);
        }
        match byte {
            b'{' => self.open(Bracket::Object),
            b'[' => self.open(Bracket::Array),
            b'(' => self.open(Bracket::Tuple),
            b'}' => Ok(self.close(Bracket::Object)),
            b']' => Ok(self.close(Bracket::Array)),
            b')' => Ok(self.close(Bracket::Tuple)),
            b',' => Ok(self.comma()),
            b':' => Ok(self.colon(self.at + 1)),
            b'"' | b'\'' => Ok(self.string()),
            b'`' if rest(self.text, self.at).starts_with("```") => Ok(self.fence()),
            b'/' | b'#' if self.comment() => Ok(Flow::On),
            b'\\' if !self.seen.strings && self.is_escaped_text() => Ok(Flow::Done(Reading::Escaped)),
            b'-' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => Ok(self.word()),
            _ => self.other(byte),
        }
    }

    /// Anything but the marks of JSON: odd white space, fullwidth marks, words.
    fn other(&mut self, byte: u8) -> Result<Flow, Fault> {
        if let Some(next) =
            (!byte.is_ascii() || byte.is_ascii_control()).then(|| odd_space::mend(&mut self.site())).flatten()
        {
            self.at = next;
            return Ok(Flow::On);
        }
        match char_at(self.text, self.at) {
            Some(c) if Quote::of(c).is_some() => return Ok(self.string()),
            Some('｛') => return self.fullwidth(Bracket::Object),
            Some('［') => return self.fullwidth(Bracket::Array),
            Some('｝') => return Ok(self.close(Bracket::Object)),
            Some('］') => return Ok(self.close(Bracket::Array)),
            _ => {}
        }
        if self.expects() == Expects::Colon
            && let Some(next) = missing_colon::mend(&mut self.site())
        {
            return Ok(self.colon(next));
        }
        if self.expects() == Expects::Comma
            && let Some(next) = missing_comma::mend(&mut self.site())
        {
            self.after_comma(next);
            return Ok(Flow::On);
        }
        // `{...}` leaves out everything: that is a placeholder.
        if self.expects() != Expects::Colon
            && self.stack.top().is_some_and(|frame| frame.count > 0 || byte_at(self.text, self.at + 3) == Some(b','))
            && let Some(next) = ellipsis::mend(&mut self.site())
        {
            self.at = next;
            return Ok(Flow::On);
        }
        Ok(self.word())
    }

    /// Passes white space.
    fn blank(&mut self, byte: u8) {
        if !self.manner.quoted {
            let run = rest(self.text, self.at).bytes().take_while(|b| is_space(*b)).count();
            self.at += run;
            return;
        }
        self.at += 1;
        if byte == b'\n' {
            self.unquote_line();
        }
    }

    /// Takes the mark of a quoted block from the beginning of a line.
    fn unquote_line(&mut self) {
        let mark = self.at + rest(self.text, self.at).bytes().take_while(|b| *b == b' ').count();
        if byte_at(self.text, mark) == Some(b'>') {
            self.draft.remove(Rung::Fence, self.at..mark + 1);
            self.at = mark + 1;
        }
    }

    /// Passes the comment that stands here, if one does.
    fn comment(&mut self) -> bool {
        let Some(comment) = comment_at(self.text, self.at) else { return false };
        if comment.closed {
            self.at = comments::mend(&mut self.site()).unwrap_or(comment.end);
        } else {
            let fault = Fault::truncated(self.at, Open::Comment);
            self.fault.get_or_insert(fault);
            self.at = comment.end;
        }
        true
    }

    /// `\"` or `\n` where a token should begin.
    fn is_escaped_text(&self) -> bool {
        matches!(byte_at(self.text, self.at + 1), Some(b'"' | b'n' | b't' | b'r' | b'\\'))
    }

    fn fence(&mut self) -> Flow {
        if self.committed {
            return Flow::Done(self.at_end(true));
        }
        Flow::Done(Reading::Prose { until: self.at })
    }

    /// What stands here breaks the document, or shows that there is none; reading goes on at `next`.
    fn break_off(&mut self, next: usize, message: &str) -> Flow {
        if !self.committed {
            return Flow::Done(Reading::Prose { until: self.at.max(self.last_end).max(self.start + 1) });
        }
        self.fail(ErrorKind::Invalid, self.at, message);
        self.at = next;
        Flow::On
    }

    fn fail(&mut self, kind: ErrorKind, at: usize, message: &str) {
        if self.fault.is_none() {
            self.fault = Some(Fault::new(kind, at, message));
        }
    }

    /// Makes a token of what a rung found.
    fn accept(&mut self, mended: Mended) -> usize {
        match mended {
            Mended::On(next) => next,
            Mended::Doubtful(next, doubt) => {
                self.doubt = self.doubt.or(Some(doubt));
                next
            }
            Mended::Broken(at, next, message) => {
                self.fail(ErrorKind::Invalid, at, message);
                next
            }
        }
    }

    fn token(&mut self, last: Last, start: usize, end: usize) {
        self.last = last;
        self.last_start = start;
        self.last_end = end;
        self.at = end;
    }

    /// Everything up to here is kept even if the rest is cut off.
    fn keep(&mut self) {
        self.safe.length = self.draft.position(self.last_end);
    }

    /// Does only trivia follow?
    fn is_last(&self, at: usize) -> bool {
        trivia_end(self.text, at) == self.text.len()
    }
}
