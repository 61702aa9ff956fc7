//! Commas and colons: those that are there, those that are not, and those that are one too many.

use super::{Flow, Last, Reader, Reading};
use crate::mend::{Doubt, missing_colon, missing_comma, trailing_comma};
use crate::quote::Quote;
use crate::stack::{Bracket, Expects};

impl Reader<'_> {
    /// Sets things so that a value (or, in an object, a key) can stand here; what the matter is where it cannot.
    ///
    /// `is_key`: what stands here can be a key.
    pub(super) fn make_room(&mut self, is_key: bool) -> Option<Flow> {
        match (self.expects(), self.in_object()) {
            (Expects::Value, _) => None,
            (Expects::Key, _) if is_key => None,
            (Expects::Key, _) => Some(self.break_off(self.at + 1, "a key is missing before this value")),
            (Expects::Colon, _) => {
                if !self.committed && !self.seen.strings {
                    return Some(Flow::Done(Reading::Prose { until: self.last_end }));
                }
                self.committed = true;
                missing_colon::insert(&mut self.site());
                self.expect(Expects::Value);
                None
            }
            (Expects::Comma, true) if !is_key => {
                Some(self.break_off(self.at + 1, "a comma and a key are missing before this value"))
            }
            (Expects::Comma, in_object) => {
                if self.last == (Last::String { closed: true }) && self.ends_in_comma() {
                    let message = "a comma is missing behind this string, or stands inside it by mistake";
                    self.doubt = self.doubt.or(Some(Doubt::new(self.last_start, message)));
                }
                missing_comma::insert(&mut self.site());
                self.seen.commas = true;
                self.expect(if in_object { Expects::Key } else { Expects::Value });
                None
            }
        }
    }

    /// Is a comma the last character of the string just read?
    pub(super) fn ends_in_comma(&self) -> bool {
        self.text
            .get(self.last_start..self.last_end)
            .is_some_and(|token| token.trim_end_matches(|c| Quote::of(c).is_some()).ends_with(','))
    }

    pub(super) fn comma(&mut self) -> Flow {
        if self.stack.is_empty() {
            return Flow::Done(self.at_end(true));
        }
        let bracket = self.stack.top().map_or(Bracket::Array, |frame| frame.bracket);
        match self.expects() {
            Expects::Comma => {
                if let Some(next) = trailing_comma::mend(&mut self.site(), bracket) {
                    self.token(Last::Mark, self.at, next);
                    if let Some(frame) = self.stack.top_mut() {
                        frame.commas += 1;
                    }
                    return Flow::On;
                }
                self.after_comma(self.at + 1);
                Flow::On
            }
            Expects::Key => {
                self.at = trailing_comma::surplus(&mut self.site());
                Flow::On
            }
            // A doubled comma in an array: an item may be missing there.
            Expects::Value if !self.in_object() && self.stack.top().is_some_and(|frame| frame.commas == 0) => {
                self.at = trailing_comma::surplus(&mut self.site());
                Flow::On
            }
            Expects::Value => {
                let flow = self
                    .break_off(self.at + 1, "a value is missing before this comma; nothing can be put in its place");
                self.after_break();
                flow
            }
            Expects::Colon => {
                let flow = self.break_off(self.at + 1, "this key has no value");
                self.after_break();
                flow
            }
        }
    }

    pub(super) fn after_comma(&mut self, next: usize) {
        self.seen.commas = true;
        if let Some(frame) = self.stack.top_mut() {
            frame.commas += 1;
        }
        self.after_break();
        self.token(Last::Mark, self.at, next);
    }

    /// What comes after a comma, good or bad.
    pub(super) fn after_break(&mut self) {
        let expects = if self.in_object() { Expects::Key } else { Expects::Value };
        self.expect(expects);
    }

    pub(super) fn colon(&mut self, next: usize) -> Flow {
        if self.expects() == Expects::Value && self.in_object() && self.last == Last::Mark {
            missing_colon::surplus(&mut self.site(), next);
            self.at = next;
            return Flow::On;
        }
        if self.expects() != Expects::Colon {
            let flow = self.break_off(next, "a colon stands where none belongs");
            return flow;
        }
        self.seen.colons = true;
        self.expect(Expects::Value);
        self.token(Last::Mark, self.at, next);
        Flow::On
    }
}
