//! `trailing_comma`: commas with nothing behind them.

use super::{Site, ellipsis};
use crate::rung::Rung;
use crate::scan::{blank_end, byte_at, trivia_end};

/// Removes the comma that stands here, if a closer follows it.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Option<usize> {
    let blank = blank_end(site.text, site.at + 1);
    if byte_at(site.text, blank).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'"' | b'\'' | b'{' | b'[')) {
        return None;
    }
    let next = trivia_end(site.text, blank);
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
