//! `concatenated_strings`: strings that are joined with `+`.

use super::Site;
use crate::quote::Quote;
use crate::rung::Rung;
use crate::scan::{byte_at, char_at, trivia_end};

/// Removes a string's closing mark, which stands here and ends at `end`, with the `+` and the opening mark of the string that
/// is joined to it.
pub(crate) fn mend(site: &mut Site<'_, '_>, end: usize) -> Option<(Quote, usize)> {
    let plus = trivia_end(site.text, end);
    if byte_at(site.text, plus) != Some(b'+') {
        return None;
    }
    let opener = trivia_end(site.text, plus + 1);
    let mark = char_at(site.text, opener)?;
    let quote = Quote::of(mark)?;
    let start = opener + mark.len_utf8();
    site.draft.remove(Rung::ConcatenatedStrings, site.at..start);
    Some((quote, start))
}
