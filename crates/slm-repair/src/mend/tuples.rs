//! `tuples`: parentheses around items, as Python writes them.

use super::Site;
use crate::rung::Rung;
use crate::stack::Frame;

/// Opens an array where a parenthesis stands, and remembers where: at its end it may turn out to be none.
pub(crate) fn open(site: &mut Site<'_, '_>, frame: &mut Frame) {
    frame.opener = (site.draft.position(site.at), site.draft.changes.len());
    site.draft.replace(Rung::Tuples, site.at..site.at + 1, "[");
}

/// Closes it. `(x)` is no tuple, but `x` in parentheses.
pub(crate) fn close(site: &mut Site<'_, '_>, frame: &Frame) -> usize {
    let is_tuple = frame.commas > 0 || frame.count == 0;
    if !is_tuple {
        let (position, listed) = frame.opener;
        site.draft.amend(position, listed, " ");
    }
    site.draft.replace(Rung::Tuples, site.at..site.at + 1, if is_tuple { "]" } else { " " });
    site.at + 1
}
