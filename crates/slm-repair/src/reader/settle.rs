//! Is it a document? In prose a bracket is the beginning of one only if JSON follows it.

use super::{Flow, Pending, Reader, Reading};
use crate::quote::Quote;
use crate::scan::{char_at, literal};

impl Reader<'_> {
    /// Does the next token let the reader commit, or give up?
    pub(super) fn settle(&mut self, byte: u8) -> Option<Flow> {
        if self.committed || self.pending == Pending::Nothing || matches!(byte, b'/' | b'#') {
            return None;
        }
        let is_word = !matches!(
            byte,
            b'{' | b'}' | b'[' | b']' | b'(' | b',' | b':' | b'"' | b'\'' | b'0'..=b'9' | b'-' | b'+' | b'.'
        ) && !self.begins_literal()
            && !char_at(self.text, self.at)
                .is_some_and(|c| Quote::of(c).is_some() || matches!(c, '，' | '：' | '｝' | '］'));
        if is_word && char_at(self.text, self.at).is_some_and(crate::scan::is_odd_space) {
            return None;
        }
        let goes_on = match std::mem::replace(&mut self.pending, Pending::Nothing) {
            Pending::Nothing => return None,
            // What stands behind a key is judged where the colon is, or is missed.
            Pending::Colon if matches!(byte, b':' | b'=') || !byte.is_ascii() => return None,
            Pending::Colon => {
                let may_be_value = !is_word && !matches!(byte, b',' | b'}' | b']');
                may_be_value && (self.seen.strings || (self.manner.leads && matches!(byte, b'"' | b'\'')))
            }
            Pending::Scalar => self.seen.strings || !is_word,
            Pending::Word => {
                byte == b',' || byte == b';' || (self.in_object() && matches!(byte, b'}' | b']')) || self.manner.leads
            }
        };
        self.committed = goes_on;
        (!goes_on).then(|| Flow::Done(Reading::Prose { until: self.last_end.max(self.start + 1) }))
    }

    fn begins_literal(&self) -> bool {
        let end = crate::scan::word_end(self.text, self.at);
        self.text.get(self.at..end).is_some_and(|word| literal(word).is_some())
    }
}
