//! `close_braces`: closers that are missing at the end, where nothing else is.

use super::Site;
use crate::rung::Rung;
use crate::stack::Frame;

/// The closers of these containers, outermost first given, innermost first written.
pub(crate) fn closers(frames: &[Frame]) -> String {
    frames.iter().rev().map(Frame::closer).collect()
}

/// Appends the closers of all open containers.
pub(crate) fn mend(site: &mut Site<'_, '_>, frames: &[Frame]) {
    site.draft.insert(Rung::CloseBraces, site.at, closers(frames));
}
