//! `quotes` and `smart_quotes`: marks around strings that are not the double quotes of JSON.

use super::Site;
use crate::quote::Quote;
use crate::rung::Rung;

/// The rung that replaces marks of this family.
pub(crate) fn rung_of(quote: Quote) -> Rung {
    match quote {
        Quote::Double | Quote::Single | Quote::Backtick => Rung::Quotes,
        Quote::SmartDouble | Quote::SmartSingle => Rung::SmartQuotes,
    }
}

/// Puts a double quote in place of the mark that stands here and ends at `end`.
pub(crate) fn mend(site: &mut Site<'_, '_>, quote: Quote, end: usize) -> usize {
    if quote != Quote::Double {
        site.draft.replace(rung_of(quote), site.at..end, "\"");
    }
    end
}

/// Puts double quotes in place of the single ones around the string that stands here and ends at `end`.
pub(crate) fn mend_both(site: &mut Site<'_, '_>, end: usize) {
    site.draft.requote(Rung::Quotes, site.at..end);
}

/// Escapes the double quote that stands here, in a string that other marks enclose.
pub(crate) fn escape(site: &mut Site<'_, '_>, enclosing: Quote) -> usize {
    site.draft.replace(rung_of(enclosing), site.at..site.at + 1, "\\\"");
    site.at + 1
}
