//! `comments`: JSON has none.

use super::Site;
use crate::rung::Rung;
use crate::scan::comment_at;

/// Removes the closed comment that stands here.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Option<usize> {
    let comment = comment_at(site.text, site.at).filter(|comment| comment.closed)?;
    // `1/* one */2`: without the comment the two would be one.
    site.draft.replace(Rung::Comments, site.at..comment.end, " ");
    Some(comment.end)
}
