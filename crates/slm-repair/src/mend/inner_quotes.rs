//! `inner_quotes`: marks of a string's own kind that are part of it.

use super::Site;
use crate::quote::Quote;
use crate::rung::Rung;

/// Escapes the mark that stands here and ends at `end`, where JSON wants that.
pub(crate) fn mend(site: &mut Site<'_, '_>, quote: Quote, end: usize) -> usize {
    if quote == Quote::Double {
        site.draft.replace(Rung::InnerQuotes, site.at..end, "\\\"");
    }
    end
}

/// May this mark stand alone: an apostrophe within a word, an inch mark behind a number?
pub(crate) fn is_one_sided(quote: Quote, before: &str, behind: &str) -> bool {
    match quote {
        Quote::Single | Quote::SmartSingle | Quote::Backtick => {
            before.ends_with(char::is_alphanumeric) && behind.starts_with(char::is_alphanumeric)
        }
        Quote::Double | Quote::SmartDouble => {
            let number = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '(' | ')'));
            number.len() < before.len()
                && before.ends_with(|c: char| c.is_ascii_digit())
                && !number.ends_with(|c: char| c.is_alphanumeric() || c == '"')
        }
    }
}

/// Does a mark with this around it close a quotation, rather than open one?
pub(crate) fn looks_closing(before: &str, behind: &str) -> bool {
    let follows =
        before.ends_with(|c: char| !c.is_whitespace() && !matches!(c, '(' | '[' | '{' | '=' | ':' | '-' | '"'));
    follows && !behind.starts_with(|c: char| c.is_alphanumeric())
}
