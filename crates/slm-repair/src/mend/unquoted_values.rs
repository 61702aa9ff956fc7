//! `unquoted_values`: words that are strings without their quotes.

use super::{Doubt, Mended, Site};
use crate::rung::Rung;
use crate::scan::{address_end, blank_end, byte_at, is_number_name, rest};

/// Puts quotes around the bare word that ends at `end`, or around the address that begins here.
///
/// One word is a string beyond doubt where a comma or a closer follows; several words are one only if a schema says so.
pub(crate) fn mend(site: &mut Site<'_, '_>, end: usize) -> Option<Mended> {
    if let Some(end) = address_end(site.text, site.at) {
        return Some(quote(site, end));
    }
    let word = site.text.get(site.at..end)?;
    if is_number_name(word) {
        return Some(number_name(site, end));
    }
    let is_plain = word.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.' | '/' | '@'));
    if !is_plain {
        return None;
    }
    if ends_value(site.text, end) {
        return Some(quote(site, end));
    }
    several(site, end)
}

/// Does a comma, a closer or a new line stand behind this value?
pub(crate) fn ends_value(text: &str, end: usize) -> bool {
    let next = blank_end(text, end);
    let gap = text.get(end..next).unwrap_or_default();
    let behind = rest(text, next);
    behind.starts_with([',', '}', ']', '，', ';', '#'])
        || behind.starts_with("//")
        || behind.starts_with("/*")
        || behind.starts_with("```")
        || (gap.contains('\n') && !behind.is_empty())
}

fn quote(site: &mut Site<'_, '_>, end: usize) -> Mended {
    site.draft.insert(Rung::UnquotedValues, site.at, "\"");
    site.draft.insert(Rung::UnquotedValues, end, "\"");
    Mended::On(end)
}

/// `NaN` is a number that JSON cannot write: it may stand for no value, or for the word.
fn number_name(site: &mut Site<'_, '_>, end: usize) -> Mended {
    let doubt = Doubt::new(site.at, "JSON has no word for this number; it may mean null, or the word itself");
    match site.choice {
        super::Choice::First => site.draft.replace(Rung::UnquotedValues, site.at..end, "null"),
        super::Choice::Second => {
            quote(site, end);
        }
    }
    Mended::Doubtful(end, doubt)
}

/// Words to the end of the line or to the next mark.
fn several(site: &mut Site<'_, '_>, end: usize) -> Option<Mended> {
    let body = rest(site.text, end);
    let length = body.find([',', '}', ']', '{', '[', ':', '"', '\n', '\\'])?;
    let close = end + body.get(..length)?.trim_end().len();
    if !matches!(byte_at(site.text, end + length), Some(b',' | b'}' | b']' | b'\n')) {
        return None;
    }
    quote(site, close);
    let message = "several words without quotes may be one string, or more than one value";
    Some(Mended::Doubtful(close, Doubt { at: site.at, message, confirmable: true }))
}
