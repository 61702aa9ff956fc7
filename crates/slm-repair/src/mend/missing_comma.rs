//! `missing_comma`: nothing, or another mark, where a comma belongs.

use super::Site;
use crate::rung::Rung;
use crate::scan::rest;

/// Puts a comma in place of the mark that stands here for one.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Option<usize> {
    let mark = rest(site.text, site.at).chars().next().filter(|c| matches!(c, ';' | '，' | '、' | '；'))?;
    let rung = if mark == ';' { Rung::MissingComma } else { Rung::SmartQuotes };
    let end = site.at + mark.len_utf8();
    site.draft.replace(rung, site.at..end, ",");
    Some(end)
}

/// Puts a comma before what stands here.
pub(crate) fn insert(site: &mut Site<'_, '_>) {
    site.draft.insert(Rung::MissingComma, site.at, ",");
}
