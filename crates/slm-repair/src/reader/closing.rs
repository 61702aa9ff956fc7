//! Closers: those that fit, those that fit a container further out, and those that fit nothing.

use super::{Flow, Last, Reader, Reading};
use crate::error::ErrorKind;
use crate::mend::{close_braces, mismatched_closers, tuples};
use crate::rung::Rung;
use crate::scan::{blank_end, char_at, rest};
use crate::stack::{Bracket, Fit, Frame};

impl Reader<'_> {
    pub(super) fn close(&mut self, bracket: Bracket) -> Flow {
        let length = char_at(self.text, self.at).map_or(1, char::len_utf8);
        if length > 1 {
            let mark = if bracket == Bracket::Object { "}" } else { "]" };
            self.draft.replace(Rung::SmartQuotes, self.at..self.at + length, mark);
            self.at += length - 1;
            return self.close_at(bracket, true);
        }
        self.close_at(bracket, false)
    }

    /// Closes a container by the closer whose last byte stands here.
    pub(super) fn close_at(&mut self, bracket: Bracket, written: bool) -> Flow {
        if self.stack.top().is_some_and(|top| top.bracket == Bracket::Brace) && bracket == Bracket::Object {
            self.stack.pop();
            self.draft.remove(Rung::Wrapper, self.at..self.at + 1);
            self.token(Last::Closer, self.at, self.at + 1);
            return Flow::Done(self.at_end(true));
        }
        match self.stack.fit(bracket) {
            Fit::Innermost => self.close_innermost(written),
            Fit::Outer => self.close_outer(bracket),
            Fit::Nothing => self.close_nothing(bracket),
        }
    }

    pub(super) fn close_innermost(&mut self, written: bool) -> Flow {
        let is_whole = self.stack.top().is_some_and(|frame| {
            frame.is_complete() || frame.is_empty() || frame.bracket != Bracket::Object && frame.count == 0
        });
        if !is_whole {
            if !self.committed {
                return Flow::Done(Reading::Prose { until: self.at });
            }
            self.fail(
                ErrorKind::Invalid,
                self.at,
                "a value is missing before this closer; nothing can be put in its place",
            );
        }
        let Some(frame) = self.stack.pop() else { return Flow::On };
        if frame.bracket == Bracket::Tuple {
            self.at = tuples::close(&mut self.site(), &frame) - 1;
        } else if written {
            self.last_end = self.at + 1;
        }
        self.closed()
    }

    pub(super) fn close_outer(&mut self, bracket: Bracket) -> Flow {
        if !self.committed {
            return Flow::Done(Reading::Prose { until: self.at });
        }
        let skipped = self.stack.frames().iter().rev().take_while(|frame| frame.bracket != bracket).count();
        let from = self.stack.len() - skipped;
        let inner = self.stack.frames().get(from..).unwrap_or_default();
        let is_mendable = inner.iter().all(|frame| frame.is_complete() && frame.bracket != Bracket::Tuple);
        let closers = close_braces::closers(inner);
        if is_mendable {
            mismatched_closers::insert(&mut self.site(), closers);
        } else {
            self.fail(
                ErrorKind::Invalid,
                self.at,
                "a value is missing before this closer; nothing can be put in its place",
            );
        }
        self.seen.added = true;
        self.seen.mismatch = true;
        for _ in 0..=skipped {
            self.stack.pop();
        }
        self.closed()
    }

    pub(super) fn close_nothing(&mut self, bracket: Bracket) -> Flow {
        if !self.committed {
            return Flow::Done(Reading::Prose { until: self.at });
        }
        let behind = rest(self.text, blank_end(self.text, self.at + 1));
        let is_last = behind.is_empty() || behind.starts_with("```");
        if self.stack.len() == 1 && is_last && bracket != Bracket::Tuple {
            // The wrong closer was written.
            let closer = self
                .stack
                .top()
                .filter(|frame| frame.is_complete() && frame.bracket != Bracket::Tuple)
                .map(Frame::closer);
            match closer {
                Some(closer) => {
                    mismatched_closers::replace(&mut self.site(), closer);
                }
                None => self.fail(
                    ErrorKind::Invalid,
                    self.at,
                    "a value is missing before this closer; nothing can be put in its place",
                ),
            }
            self.stack.pop();
            return self.closed();
        }
        if bracket == Bracket::Tuple {
            return self.break_off(self.at + 1, "this parenthesis closes nothing");
        }
        self.at = mismatched_closers::surplus(&mut self.site());
        self.seen.dropped = true;
        Flow::On
    }

    /// A container was closed by the closer whose last byte stands here.
    pub(super) fn closed(&mut self) -> Flow {
        self.token(Last::Closer, self.at, self.at + 1);
        self.keep();
        if self.stack.is_empty() {
            return Flow::Done(self.at_end(true));
        }
        Flow::On
    }
}
