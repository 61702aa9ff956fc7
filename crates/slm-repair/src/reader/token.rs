//! Strings, keys and values: what was read, and what the document expects after it.

use super::{Flow, Last, Pending, Reader};
use crate::error::ErrorKind;
use crate::mend::{quotes, unquoted_keys};
use crate::scan::byte_at;
use crate::stack::{Bracket, Expects};
use crate::string::{
    self,
    closing::{Around, Place},
};

impl Reader<'_> {
    pub(super) fn string(&mut self) -> Flow {
        let may_stand = matches!(self.expects(), Expects::Key | Expects::Value);
        if !may_stand && let Some(flow) = self.make_room(true) {
            return flow;
        }
        let is_key = self.expects() == Expects::Key;
        let place = match self.stack.top() {
            _ if is_key => Place::Key,
            None => Place::Root,
            Some(frame) if frame.bracket == Bracket::Object => Place::Member,
            Some(_) => Place::Item,
        };
        let start = self.at;
        let from = self.draft.position(start);
        let mark = byte_at(self.text, start);
        let is_ascii = matches!(mark, Some(b'"' | b'\''));
        if let Some(end) = is_ascii.then(|| string::plain_end(self.text, start, place)).flatten() {
            if mark == Some(b'\'') {
                quotes::mend_both(&mut self.site(), end);
            }
            self.seen.strings = true;
            if is_key {
                // The colon stands right behind it.
                self.key_read(start, end, from, Last::Key { bare: false, closed: true });
                self.pending = Pending::Nothing;
                return self.colon(end + 1);
            }
            self.value_read(start, end, Last::String { closed: true });
            return Flow::On;
        }
        let around = Around {
            place,
            objects: self.stack.has(Bracket::Object),
            arrays: self.stack.has(Bracket::Array),
            parens: self.manner.called || self.stack.has(Bracket::Tuple),
        };
        let ended = string::read(self.text, start, &mut self.draft, around, self.manner.choice);
        self.doubt = self.doubt.or(ended.doubt);
        if let Some((at, message)) = ended.broken {
            self.fail(ErrorKind::Invalid, at, message);
        }
        self.seen.strings = true;
        if is_key {
            self.key_read(start, ended.end, from, Last::Key { bare: false, closed: ended.closed });
        } else {
            self.value_read(start, ended.end, Last::String { closed: ended.closed });
        }
        Flow::On
    }

    pub(super) fn key_read(&mut self, start: usize, end: usize, from: usize, last: Last) {
        let to = self.draft.position(end);
        if let Some(frame) = self.stack.top_mut() {
            frame.key = from..to;
            frame.expects = Expects::Colon;
        }
        self.pending = Pending::Colon;
        self.token(last, start, end);
    }

    /// A value that is no container was read.
    pub(super) fn value_read(&mut self, start: usize, end: usize, last: Last) {
        self.pending = match last {
            Last::Word => Pending::Word,
            _ if self.in_object() => {
                self.committed = true;
                Pending::Nothing
            }
            Last::Nothing
            | Last::Mark
            | Last::Key { .. }
            | Last::String { .. }
            | Last::Number
            | Last::HalfNumber
            | Last::Literal
            | Last::Closer => Pending::Scalar,
        };
        if let Some(frame) = self.stack.top_mut() {
            frame.expects = Expects::Comma;
            frame.count += 1;
        }
        self.token(last, start, end);
        let is_open = match last {
            Last::String { closed } => !closed,
            Last::Number | Last::HalfNumber | Last::Word => end == self.text.len(),
            Last::Nothing | Last::Mark | Last::Key { .. } | Last::Literal | Last::Closer => false,
        };
        if !is_open {
            self.keep();
        }
    }

    /// A key without quotes, where one may stand.
    pub(super) fn bare_key(&mut self) -> Option<Flow> {
        let from = self.draft.position(self.at);
        let start = self.at;
        let mut site = self.site();
        let end = unquoted_keys::mend(&mut site)?;
        self.key_read(start, end, from, Last::Key { bare: true, closed: true });
        Some(Flow::On)
    }
}
