//! `missing_colon`: nothing, another mark or two colons where one belongs.

use super::Site;
use crate::rung::Rung;
use crate::scan::rest;

/// Puts a colon in place of the mark that stands here for one.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Option<usize> {
    let body = rest(site.text, site.at);
    let (rung, length) = if body.starts_with('：') {
        (Rung::SmartQuotes, '：'.len_utf8())
    } else if body.starts_with("=>") || body.starts_with(":=") {
        (Rung::MissingColon, 2)
    } else if body.starts_with('=') {
        (Rung::MissingColon, 1)
    } else {
        return None;
    };
    site.draft.replace(rung, site.at..site.at + length, ":");
    Some(site.at + length)
}

/// Removes the second of two colons, which ends at `end`.
pub(crate) fn surplus(site: &mut Site<'_, '_>, end: usize) {
    site.draft.remove(Rung::MissingColon, site.at..end);
}

/// Puts a colon before what stands here.
pub(crate) fn insert(site: &mut Site<'_, '_>) {
    site.draft.insert(Rung::MissingColon, site.at, ":");
}
