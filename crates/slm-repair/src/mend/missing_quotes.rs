//! `missing_quotes`: a quote that was left out, or is another than the one at the string's other end.

use super::Site;
use crate::rung::Rung;

/// Puts a double quote in place of the mark that stands here and ends at `end`.
pub(crate) fn replace(site: &mut Site<'_, '_>, end: usize) -> usize {
    site.draft.replace(Rung::MissingQuotes, site.at..end, "\"");
    end
}

/// Puts a double quote before what stands here.
pub(crate) fn insert(site: &mut Site<'_, '_>) -> usize {
    site.draft.insert(Rung::MissingQuotes, site.at, "\"");
    site.at
}
