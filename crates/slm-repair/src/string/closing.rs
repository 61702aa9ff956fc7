//! Does a mark close its string? What stands behind it tells, and where the string stands.

use crate::quote::Quote;
use crate::scan::{blank_end, byte_at, char_at, colon_behind_remark, literal, rest, word_end};

/// What a string is to the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Key,
    /// The value of a property.
    Member,
    /// An item of an array or a tuple.
    Item,
    /// The document itself.
    Root,
}

/// What stands around a string.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around {
    pub(crate) place: Place,
    /// An object, an array, a tuple or call is open.
    pub(crate) objects: bool,
    pub(crate) arrays: bool,
    pub(crate) parens: bool,
}

/// What a mark is to its string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Closes,
    /// It does, if a comma or a colon was forgotten behind it.
    Perhaps,
    Inner,
    /// Part of the string, it seems; but a colon follows it, as if the string before had no end.
    Suspect,
}

/// The mark before `after` in a string that `quote` opened; `ragged`: marks of its kind stood inside before.
pub(crate) fn verdict(text: &str, after: usize, quote: Quote, around: Around, ragged: bool) -> Verdict {
    let next = blank_end(text, after);
    let Some(c) = char_at(text, next) else { return Verdict::Closes };
    let gap = text.get(after..next).unwrap_or_default();
    if ragged && gap.is_empty() && Quote::of(c) == Some(quote) {
        // `"find -name "*.rs""`: the last of the two marks is the one that closes.
        return Verdict::Inner;
    }
    let found = match around.place {
        Place::Key => behind_key(text, next, c),
        Place::Member => behind_member(text, next, c, gap, around, ragged),
        Place::Item => behind_item(text, next, c, gap, around, ragged),
        Place::Root => behind_root(text, next, c, around),
    };
    match found {
        Verdict::Perhaps if ragged => Verdict::Inner,
        Verdict::Closes | Verdict::Perhaps | Verdict::Inner | Verdict::Suspect => found,
    }
}

/// Comments, fences, and a string that is joined to this one.
fn ends_anywhere(text: &str, next: usize, c: char) -> bool {
    match c {
        '/' => matches!(byte_at(text, next + 1), Some(b'/' | b'*')),
        '+' => {
            Quote::of(char_at(text, blank_end(text, next + 1)).unwrap_or_default()).is_some()
                || byte_at(text, blank_end(text, next + 1)) == Some(b'/')
        }
        '`' => rest(text, next).starts_with("```"),
        _ => false,
    }
}

fn behind_key(text: &str, next: usize, c: char) -> Verdict {
    match c {
        ':' | '=' | '：' => Verdict::Closes,
        ',' | '}' | '{' | '[' | '(' | '-' => Verdict::Perhaps,
        _ if Quote::of(c).is_some() || c.is_ascii_digit() => Verdict::Perhaps,
        _ if ends_anywhere(text, next, c) || begins_with_literal(text, next) => Verdict::Perhaps,
        '#' if colon_behind_remark(text, next) => Verdict::Perhaps,
        _ => Verdict::Inner,
    }
}

fn behind_member(text: &str, next: usize, c: char, gap: &str, around: Around, ragged: bool) -> Verdict {
    match c {
        '}' | '｝' => Verdict::Closes,
        ']' | '］' => closer(text, next, around.arrays),
        ')' => closer(text, next, around.parens),
        ',' | '，' | ';' => behind_comma(text, next + c.len_utf8(), ragged),
        ':' => Verdict::Suspect,
        '#' => Verdict::Perhaps,
        _ if ends_anywhere(text, next, c) => Verdict::Perhaps.or_closes(c == '`'),
        _ if Quote::of(c).is_some() => Verdict::Perhaps,
        // A key without quotes on the next line.
        _ if gap.contains('\n') && is_bare_key(text, next) => Verdict::Perhaps,
        // A key whose opening quote was forgotten, or that has none, after a forgotten comma.
        _ if !gap.is_empty() && is_bare_key(text, next) => Verdict::Perhaps,
        _ => Verdict::Inner,
    }
}

/// A comma ends the value of a property only where a key follows, or the end.
fn behind_comma(text: &str, after: usize, ragged: bool) -> Verdict {
    let next = blank_end(text, after);
    match char_at(text, next) {
        None | Some('}' | ']' | '/' | '#' | ',' | '`') => Verdict::Closes,
        Some(c) if Quote::of(c).is_some() => Verdict::Closes,
        Some('.' | '…') if !ragged => Verdict::Closes,
        Some(_) if is_bare_key(text, next) => Verdict::Closes,
        // A key whose opening quote was forgotten: `, b": …`.
        Some(_) if is_half_quoted(text, next, b':') => Verdict::Closes,
        Some(_) => Verdict::Perhaps.inner_if(ragged),
    }
}

fn behind_item(text: &str, next: usize, c: char, gap: &str, around: Around, ragged: bool) -> Verdict {
    match c {
        ']' | '］' => Verdict::Closes,
        '}' | '｝' => closer(text, next, around.objects),
        ')' => closer(text, next, around.parens),
        ',' | '，' | ';' => {
            let item = blank_end(text, next + c.len_utf8());
            match char_at(text, item) {
                Some(c) if ragged && c.is_alphabetic() && !begins_with_literal(text, item) => Verdict::Inner,
                _ => Verdict::Closes,
            }
        }
        ':' | '#' | '{' | '[' | '-' => Verdict::Perhaps,
        _ if ends_anywhere(text, next, c) => Verdict::Perhaps.or_closes(c == '`'),
        _ if Quote::of(c).is_some() || c.is_ascii_digit() || begins_with_literal(text, next) => Verdict::Perhaps,
        _ if !gap.is_empty() && is_literal_item(text, next) => Verdict::Perhaps,
        // `"a" b", …`: an item whose opening quote was forgotten.
        _ if !gap.is_empty() && (is_half_quoted(text, next, b',') || is_half_quoted(text, next, b']')) => {
            Verdict::Perhaps
        }
        _ => Verdict::Inner,
    }
}

fn behind_root(text: &str, next: usize, c: char, around: Around) -> Verdict {
    let is_last = |end: usize| blank_end(text, end) == text.len();
    match c {
        ')' if around.parens => Verdict::Closes,
        ',' | ';' if is_last(next + 1) => Verdict::Closes,
        _ if ends_anywhere(text, next, c) => Verdict::Closes,
        _ => Verdict::Inner,
    }
}

/// A closer of a kind that is open closes; any other does only at the end of the text.
fn closer(text: &str, next: usize, is_open: bool) -> Verdict {
    if is_open || blank_end(text, next + 1) == text.len() { Verdict::Closes } else { Verdict::Inner }
}

/// A word with a colon behind it.
fn is_bare_key(text: &str, at: usize) -> bool {
    crate::mend::unquoted_keys::end_of(text, at)
        .is_some_and(|end| rest(text, blank_end(text, end)).starts_with([':', '：', '=']))
}

/// A word with a double quote right behind it, and then `mark`.
fn is_half_quoted(text: &str, at: usize, mark: u8) -> bool {
    let end = word_end(text, at);
    end > at && byte_at(text, end) == Some(b'"') && byte_at(text, blank_end(text, end + 1)) == Some(mark)
}

/// A literal, and nothing more, before the next comma or closer.
fn begins_with_literal(text: &str, at: usize) -> bool {
    let end = word_end(text, at);
    text.get(at..end).is_some_and(|word| literal(word).is_some())
        && matches!(byte_at(text, blank_end(text, end)), Some(b',' | b'}' | b']') | None)
}

/// A literal, and then something that can be the next item: both commas were forgotten.
fn is_literal_item(text: &str, at: usize) -> bool {
    let end = word_end(text, at);
    let next = blank_end(text, end);
    next > end
        && text.get(at..end).is_some_and(|word| literal(word).is_some())
        && (matches!(byte_at(text, next), Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9'))
            || text.get(next..word_end(text, next)).is_some_and(|word| literal(word).is_some()))
}

impl Verdict {
    fn or_closes(self, closes: bool) -> Self {
        if closes { Self::Closes } else { self }
    }

    fn inner_if(self, inner: bool) -> Self {
        if inner { Self::Inner } else { self }
    }
}
