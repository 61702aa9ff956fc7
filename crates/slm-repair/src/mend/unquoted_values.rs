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
        let message = "JSON has no word for this number; it may mean null, or the word itself";
        return Some(word_or(site, end, "null", message));
    }
    if let Some(literal) = misspelt(word) {
        let message = "this word may be a literal that is spelt oddly, or a string without its quotes";
        return Some(word_or(site, end, literal, message));
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

/// Two readings: what the word stands for, and the word as a string.
fn word_or(site: &mut Site<'_, '_>, end: usize, stands_for: &'static str, message: &'static str) -> Mended {
    let doubt = Doubt::new(site.at, message);
    match site.choice {
        super::Choice::First => site.draft.replace(Rung::UnquotedValues, site.at..end, stands_for),
        super::Choice::Second => {
            quote(site, end);
        }
    }
    Mended::Doubtful(end, doubt)
}

/// What a word that is spelt like a literal, but for its case, may stand for.
fn misspelt(word: &str) -> Option<&'static str> {
    let names = [("true", "true"), ("false", "false"), ("null", "null"), ("none", "null"), ("nil", "null")];
    names.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, literal)| *literal)
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
