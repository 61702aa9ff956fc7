//! `trailing_comma`: commas with nothing behind them.

use super::{Site, ellipsis};
use crate::rung::Rung;
use crate::scan::{blank_end, byte_at, is_space, rest, trivia_end};
use crate::stack::Bracket;

/// So far a closer is looked for behind several commas.
const FURTHEST: usize = 64;

/// Removes the comma that stands here, if a closer follows it; in an object, however many there are.
pub(crate) fn mend(site: &mut Site<'_, '_>, bracket: Bracket) -> Option<usize> {
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
    let mut behind = rest(site.text, next).bytes().take(FURTHEST);
    let next = match bracket {
        // Of an item that is missing between two commas nothing can be told; a property would have a key.
        Bracket::Object => behind.find(|b| *b != b',' && !is_space(*b)),
        Bracket::Array | Bracket::Tuple | Bracket::Brace => behind.next(),
    };
    let is_closer = match next {
        Some(b'}' | b']') => true,
        Some(b')') => bracket == Bracket::Tuple,
        _ => false,
    };
    is_closer.then(|| surplus(site))
}

/// Removes the comma that stands here: nothing stands before it, or another comma does.
pub(crate) fn surplus(site: &mut Site<'_, '_>) -> usize {
    site.draft.remove(Rung::TrailingComma, site.at..site.at + 1);
    site.at + 1
}
