//! Bare tokens: keys, literals, numbers, and words that have lost their quotes.

use super::{Flow, Last, Reader};
use crate::mend::{missing_quotes, numbers, python_bools, unquoted_values};
use crate::rung::Rung;
use crate::scan::{
    address_end, bare_end, begins_literal, blank_end, byte_at, char_at, is_number, literal, trivia_end, word_end,
};
use crate::stack::Expects;

impl Reader<'_> {
    /// Reads the bare token that stands here.
    pub(super) fn word(&mut self) -> Flow {
        let start = self.at;
        let end = bare_end(self.text, start);
        if end == start {
            let next = start + char_at(self.text, start).map_or(1, char::len_utf8);
            return self.break_off(next, "this mark has no meaning here");
        }
        if self.is_prefix(start, end) {
            self.draft.remove(Rung::Quotes, start..end);
            self.at = end;
            return self.string();
        }
        match self.expects() {
            Expects::Key => self.key(start, end),
            Expects::Colon if !self.is_scalar(start, end) => self.break_off(end, "a colon is missing behind this key"),
            Expects::Comma if self.in_object() => self.key(start, end),
            Expects::Comma if !self.is_scalar(start, end) && self.half_quoted(start, b",]").is_none() => {
                self.break_off(end, "a word without quotes stands behind a complete value")
            }
            Expects::Value => self.value(start, end),
            Expects::Colon | Expects::Comma => match self.make_room(false) {
                Some(flow) => flow,
                None => self.value(start, end),
            },
        }
    }

    /// `u'text'`: the mark of a string in Python 2.
    fn is_prefix(&self, start: usize, end: usize) -> bool {
        matches!(self.text.get(start..end), Some("u" | "U"))
            && matches!(self.expects(), Expects::Key | Expects::Value)
            && matches!(byte_at(self.text, end), Some(b'"' | b'\''))
            && self.half_quoted(start, b":,}]").is_none()
    }

    fn is_scalar(&self, start: usize, end: usize) -> bool {
        let token = self.text.get(start..end).unwrap_or_default();
        literal(token).is_some() || looks_numeric(token)
    }

    fn key(&mut self, start: usize, end: usize) -> Flow {
        if end == self.text.len() && self.committed {
            // More letters may follow: a key that was cut.
            self.expect(Expects::Colon);
            self.token(Last::Key { bare: true, closed: false }, start, end);
            return Flow::On;
        }
        if let Some(close) = self.half_quoted(start, b":") {
            if let Some(flow) = self.make_room(true) {
                return flow;
            }
            let from = self.draft.position(start);
            missing_quotes::insert(&mut self.site());
            self.seen.strings = true;
            self.key_read(start, close, from, Last::Key { bare: false, closed: true });
            return Flow::On;
        }
        let is_key = crate::mend::unquoted_keys::end_of(self.text, start).is_some_and(|end| {
            // A comma and a colon, both forgotten, would be one too many.
            self.expects() == Expects::Key || byte_at(self.text, trivia_end(self.text, end)) == Some(b':')
        });
        if !is_key && self.expects() == Expects::Comma {
            return self.break_off(end, "a comma or a closer is expected here");
        }
        if is_key && let Some(flow) = self.make_room(true) {
            return flow;
        }
        match self.bare_key() {
            Some(flow) => flow,
            None if !self.committed && end == self.text.len() => {
                self.token(Last::Key { bare: true, closed: false }, start, end);
                Flow::On
            }
            None => self.break_off(end, "a key is expected here, in quotes and with a colon behind it"),
        }
    }

    /// Where a word ends that lacks its opening quote: a double quote stands right behind it, and then one of `marks`.
    fn half_quoted(&self, start: usize, marks: &[u8]) -> Option<usize> {
        let end = word_end(self.text, start);
        let next = blank_end(self.text, end + 1);
        let fits = byte_at(self.text, next).is_some_and(|byte| marks.contains(&byte));
        (end > start && byte_at(self.text, end) == Some(b'"') && fits).then_some(end + 1)
    }

    fn value(&mut self, start: usize, end: usize) -> Flow {
        let text = self.text;
        let token = text.get(start..end).unwrap_or_default();
        if looks_numeric(token) {
            return self.number(start, end, token);
        }
        if python_bools::mend(&mut self.site(), end).is_some() {
            self.seen.values = true;
            self.value_read(start, end, Last::Literal);
            return Flow::On;
        }
        if self.stack.is_empty() {
            // Words alone are prose, but the beginning of a literal at the end of the text is one that was cut.
            let last = if end == text.len() && begins_literal(token) { Last::Word } else { Last::Nothing };
            if last == Last::Nothing {
                return self.break_off(end, "");
            }
            self.token(Last::Word, start, end);
            return Flow::Done(self.at_end(false));
        }
        let marks: &[u8] = if self.in_object() { b",}" } else { b",]" };
        if let Some(close) = self.half_quoted(start, marks) {
            missing_quotes::insert(&mut self.site());
            self.seen.strings = true;
            self.value_read(start, close, Last::String { closed: true });
            return Flow::On;
        }
        let address = address_end(text, start);
        if address.unwrap_or(end) == text.len() {
            self.value_read(start, address.unwrap_or(end), Last::Word);
            return Flow::On;
        }
        if !self.committed && !self.manner.leads && address.is_none() && !unquoted_values::ends_value(text, end) {
            return self.break_off(end, "");
        }
        let Some(mended) = unquoted_values::mend(&mut self.site(), end) else {
            self.after_value(start, end);
            return self.break_off(end, "a value stands here that is neither a string nor a number nor a literal");
        };
        let next = self.accept(mended);
        self.seen.strings |= address.is_some();
        self.value_read(start, next, Last::Word);
        Flow::On
    }

    /// Goes on as if a value had been read.
    fn after_value(&mut self, start: usize, end: usize) {
        if self.committed {
            self.expect(Expects::Comma);
            self.last = Last::Word;
            self.last_start = start;
            self.last_end = end;
        }
    }

    fn number(&mut self, start: usize, end: usize, token: &str) -> Flow {
        let is_half = token.ends_with(['.', 'e', 'E', '-', '+']);
        if is_half && self.is_last(end) {
            self.value_read(start, end, Last::HalfNumber);
            return Flow::On;
        }
        match numbers::mend(&mut self.site(), end) {
            Some(mended) => {
                let next = self.accept(mended);
                self.seen.values = true;
                self.value_read(start, next, Last::Number);
                Flow::On
            }
            None if self.is_last(end) && (!self.stack.is_empty() || is_number(&format!("{token}0"))) => {
                self.value_read(start, end, Last::HalfNumber);
                Flow::On
            }
            None => {
                self.after_value(start, end);
                self.break_off(end, "this is neither a number nor a string; put it in quotes if it is text")
            }
        }
    }
}

fn looks_numeric(token: &str) -> bool {
    matches!(
        token.as_bytes(),
        [b'0'..=b'9', ..] | [b'-' | b'+' | b'.'] | [b'-' | b'+', b'0'..=b'9' | b'.', ..] | [b'.', b'0'..=b'9', ..]
    )
}
