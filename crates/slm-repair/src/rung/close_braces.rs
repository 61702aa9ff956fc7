//! `close_braces`: closers that are missing, wrong or too many, where nothing else is.

use crate::edit::Edits;
use crate::error::{ErrorKind, Fault};
use crate::walk::{Closing, Expects, Frame, Role, Walk};

/// Adds the closers that are missing and drops those that fit nothing, never both.
///
/// A document that was cut where data was lost has been refused before this rung is reached.
pub(super) fn edits(text: &str) -> Result<Edits, Fault> {
    let mut edits = Edits::default();
    let mut walk = Walk::new(text);
    let mut end = 0;
    let (mut added, mut dropped) = (false, false);
    while let Some(step) = walk.next() {
        let token = step.token;
        match step.role {
            Role::Trivia | Role::Fence => continue,
            Role::Close(Closing::Surplus) => {
                edits.remove(token.range());
                dropped = true;
            }
            Role::Close(Closing::Mistaken) => {
                edits.replace(token.range(), closers(walk.closed(), token.start)?);
                added = true;
            }
            Role::Close(Closing::Outer) => {
                let skipped = walk.closed().split_last().map_or(&[][..], |(_, inner)| inner);
                edits.insert(end, closers(skipped, token.start)?);
                added = true;
            }
            Role::Close(Closing::Fits) | Role::Key | Role::Colon | Role::Value | Role::Comma | Role::Open(_) => {}
        }
        end = token.end;
    }
    if !walk.open().is_empty() {
        let open: Vec<_> = walk.open().iter().rev().copied().collect();
        edits.insert(end, closers(&open, end)?);
        added = true;
    }
    if added && dropped {
        let message = "some closers are missing and others fit nothing; where containers end cannot be told";
        return Err(Fault::new(ErrorKind::Ambiguous, end, message));
    }
    Ok(edits)
}

/// The closers of `frames`, innermost first; each must hold a complete value last.
fn closers(frames: &[Frame], at: usize) -> Result<String, Fault> {
    if frames.iter().any(|frame| frame.expects != Expects::Comma) {
        let message = "a value is missing before this closer; nothing can be put in its place";
        return Err(Fault::new(ErrorKind::Invalid, at, message));
    }
    Ok(frames.iter().map(|frame| frame.bracket.closer()).collect())
}
