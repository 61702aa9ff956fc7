//! Openers: a container begins, where one may.

use super::{Flow, Last, Reader};
use crate::error::{ErrorKind, Fault};
use crate::mend::tuples;
use crate::rung::Rung;
use crate::stack::{Bracket, Expects, Frame};

impl Reader<'_> {
    pub(super) fn open(&mut self, bracket: Bracket) -> Result<Flow, Fault> {
        let is_doubled = bracket == Bracket::Object
            && self.stack.len() == 1
            && self.expects() == Expects::Key
            && self.stack.top().is_some_and(Frame::is_empty);
        if is_doubled {
            // `{{"a": 1}}`: braces doubled, as a template wants them.
            self.stack.pop();
            self.stack.push(Frame::new(Bracket::Brace));
            self.draft.remove(Rung::Wrapper, self.last_start..self.last_start + 1);
        } else if let Some(flow) = self.make_room(false) {
            self.push_broken(bracket, &flow)?;
            return Ok(flow);
        }
        let after_colon = self.in_object();
        if let Some(parent) = self.stack.top_mut() {
            parent.count += 1;
            parent.expects = Expects::Comma;
        }
        let mut frame = Frame::new(bracket);
        if bracket == Bracket::Tuple {
            tuples::open(&mut self.site(), &mut frame);
        }
        if after_colon {
            self.committed = true;
        }
        self.push(frame)
    }

    /// A container where none may stand: its inside is followed all the same.
    pub(super) fn push_broken(&mut self, bracket: Bracket, flow: &Flow) -> Result<(), Fault> {
        if matches!(flow, Flow::On) {
            self.at -= 1;
            self.expect(Expects::Comma);
            self.push(Frame::new(bracket))?;
        }
        Ok(())
    }

    pub(super) fn push(&mut self, frame: Frame) -> Result<Flow, Fault> {
        self.stack.push(frame);
        if self.stack.len() > self.manner.max_depth {
            let depth = self.manner.max_depth;
            let message = format!("containers are nested more than {depth} deep; ask for a flatter document");
            return Err(Fault::new(ErrorKind::TooDeep, self.at, message));
        }
        self.token(Last::Mark, self.at, self.at + 1);
        self.keep();
        Ok(Flow::On)
    }

    pub(super) fn fullwidth(&mut self, bracket: Bracket) -> Result<Flow, Fault> {
        if let Some(flow) = self.make_room(false) {
            return Ok(flow);
        }
        let after_colon = self.in_object();
        if let Some(parent) = self.stack.top_mut() {
            parent.count += 1;
            parent.expects = Expects::Comma;
        }
        self.committed |= after_colon;
        let end = self.at + '｛'.len_utf8();
        let mark = if bracket == Bracket::Object { "{" } else { "[" };
        self.draft.replace(Rung::SmartQuotes, self.at..end, mark);
        self.at = end - 1;
        self.push(Frame::new(bracket))
    }
}
