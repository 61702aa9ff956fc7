//! `ellipsis`: `...` where further items were left out by the writer.

use super::Site;
use crate::rung::Rung;
use crate::scan::{byte_at, rest, trivia_end};

/// Where the ellipsis at `at` ends, if one stands there as an item of its own.
pub(crate) fn end_of(text: &str, at: usize) -> Option<usize> {
    let body = rest(text, at);
    let length =
        if body.starts_with('…') { '…'.len_utf8() } else { body.bytes().take_while(|b| *b == b'.').count() };
    let behind = byte_at(text, trivia_end(text, at + length));
    (length >= 3 && matches!(behind, Some(b',' | b']' | b'}'))).then_some(at + length)
}

/// Removes the ellipsis that stands here, and the comma behind it.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Option<usize> {
    let end = end_of(site.text, site.at)?;
    let next = trivia_end(site.text, end);
    let end = if byte_at(site.text, next) == Some(b',') { next + 1 } else { end };
    site.draft.remove(Rung::Ellipsis, site.at..end);
    Some(end)
}
