//! `mismatched_closers`: closers of the wrong kind, or too many.

use super::Site;
use crate::rung::Rung;

/// Takes out the closer that stands here: it fits nothing.
pub(crate) fn surplus(site: &mut Site<'_, '_>) -> usize {
    site.draft.remove(Rung::MismatchedClosers, site.at..site.at + 1);
    site.at + 1
}

/// Puts the right closer in place of the one that stands here.
pub(crate) fn replace(site: &mut Site<'_, '_>, closer: &'static str) -> usize {
    site.draft.replace(Rung::MismatchedClosers, site.at..site.at + 1, closer);
    site.at + 1
}

/// Puts the closers of the containers that were left open before the closer that stands here.
pub(crate) fn insert(site: &mut Site<'_, '_>, closers: String) {
    site.draft.insert(Rung::MismatchedClosers, site.at, closers);
}
