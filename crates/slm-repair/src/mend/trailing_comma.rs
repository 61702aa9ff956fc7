//! `trailing_comma`: commas with nothing behind them.

use super::{Site, ellipsis};
use crate::rung::Rung;
use crate::scan::{byte_at, trivia_end};

/// Removes the comma that stands here, if a closer follows it.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Option<usize> {
    let next = trivia_end(site.text, site.at + 1);
    if let Some(end) = ellipsis::end_of(site.text, next)
        && byte_at(site.text, trivia_end(site.text, end)) != Some(b',')
    {
        site.draft.remove(Rung::Ellipsis, site.at..site.at + 1);
        return Some(site.at + 1);
    }
    matches!(byte_at(site.text, next), Some(b'}' | b']')).then(|| surplus(site))
}

/// Removes the comma that stands here: nothing stands before it, or another comma does.
pub(crate) fn surplus(site: &mut Site<'_, '_>) -> usize {
    site.draft.remove(Rung::TrailingComma, site.at..site.at + 1);
    site.at + 1
}
