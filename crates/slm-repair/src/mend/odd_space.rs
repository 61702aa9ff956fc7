//! `odd_space`: byte order marks, no-break spaces and control characters between tokens.

use super::Site;
use crate::rung::Rung;
use crate::scan::{char_at, is_odd_space};

/// Replaces the odd white space that stands here.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Option<usize> {
    let mut end = site.at;
    while let Some(c) = char_at(site.text, end).filter(|c| is_odd_space(*c)) {
        end += c.len_utf8();
    }
    if end == site.at {
        return None;
    }
    site.draft.replace(Rung::OddSpace, site.at..end, " ");
    Some(end)
}
