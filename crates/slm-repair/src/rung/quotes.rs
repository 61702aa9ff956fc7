//! `quotes`: every string and key gets the double quotes of JSON.

use crate::documents::is_simple_key;
use crate::edit::Edits;
use crate::error::{ErrorKind, Fault};
use crate::scan::{Kind, Quote, Token, begins_literal, literal};
use crate::walk::{Role, Step, Walk};

/// Replaces single and typographic quotes, escapes quotes inside strings where they pair up, and quotes bare keys and words.
///
/// # Errors
///
/// `Ambiguous` where the quotes inside a string allow more than one reading.
pub(super) fn edits(text: &str) -> Result<Edits, Fault> {
    let mut edits = Edits::default();
    let mut steps = Walk::new(text).filter(|step| step.role != Role::Trivia).peekable();
    let mut before: Option<Step> = None;
    while let Some(step) = steps.next() {
        if let Kind::String { closed: true, quote, ragged } = step.token.kind {
            if ragged {
                check_inner_quotes(step, quote, text)?;
            }
            if ragged || quote != Quote::Double {
                requote(step.token, quote, text, &mut edits)?;
            }
        } else if step.token.kind == Kind::Bare && is_string(step, before, steps.peek().map(|next| next.role), text) {
            edits.insert(step.token.start, "\"");
            edits.insert(step.token.end, "\"");
        }
        before = Some(step);
    }
    Ok(edits)
}

/// Is this bare word a string without its quotes?
fn is_string(step: Step, before: Option<Step>, next: Option<Role>, text: &str) -> bool {
    let word = step.token.text(text);
    if !is_simple_key(word) {
        return false;
    }
    if step.role == Role::Key {
        // `True` as a key is a value in the wrong place, and there is no telling what its name would be.
        return next == Some(Role::Colon) && literal(word).is_none_or(|json| json == word);
    }
    let ends = matches!(next, Some(Role::Comma | Role::Close(_)));
    let opens = matches!(before.map(|before| before.role), Some(Role::Open(_)));
    let goes_before = opens || matches!(before.map(|before| before.role), Some(Role::Colon | Role::Comma));
    // `[word]` and nothing else is a remark, not a list.
    let root_opens = opens && before.is_some_and(|before| before.inside.is_none());
    let alone = root_opens && matches!(next, Some(Role::Close(_)));
    step.inside.is_some()
        && ends
        && goes_before
        && !alone
        && literal(word).is_none()
        && !begins_literal(word)
        && !is_number_name(word)
        && word.starts_with(char::is_alphabetic)
}

/// Names of numbers that JSON has no words for.
fn is_number_name(word: &str) -> bool {
    ["nan", "inf", "infinity"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// Quotes inside a string are text only where nothing else can be meant: apostrophes within a word, an inch mark behind a
/// number, and quotes that pair up.
fn check_inner_quotes(step: Step, quote: Quote, text: &str) -> Result<(), Fault> {
    let content = content(step.token, text);
    let mut unpaired = 0_usize;
    let mut escaped = false;
    let mut chars = content.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            escaped |= chars.next().is_some_and(|(_, c)| quote.is(c));
        } else if quote.is(c) {
            let (before, behind) = (content.get(..at).unwrap_or_default(), chars.as_str());
            let one_sided = match quote {
                Quote::Single | Quote::SmartSingle => is_apostrophe(before, behind),
                Quote::Double | Quote::SmartDouble => is_inch_mark(before),
            };
            unpaired += usize::from(!one_sided);
        }
    }
    if unpaired.is_multiple_of(2) && !escaped && step.inside.is_some() {
        return Ok(());
    }
    let message = "quotes inside this string do not pair up, so its end cannot be told; escape them as \\\"";
    Err(Fault::new(ErrorKind::Ambiguous, step.token.start, message))
}

fn is_apostrophe(before: &str, behind: &str) -> bool {
    before.ends_with(char::is_alphanumeric) && behind.starts_with(char::is_alphanumeric)
}

fn is_inch_mark(before: &str) -> bool {
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    number.len() < before.len() && !number.ends_with(|c: char| c.is_alphanumeric() || c == '"')
}

/// What stands between the marks of a closed string.
fn content(token: Token, text: &str) -> &str {
    let mut chars = token.text(text).chars();
    chars.next();
    chars.next_back();
    chars.as_str()
}

/// Puts a string into double quotes; double quotes inside are escaped, escaped single ones need it no longer.
fn requote(token: Token, quote: Quote, text: &str, edits: &mut Edits) -> Result<(), Fault> {
    let content = content(token, text);
    let marks = token.text(text).len() - content.len();
    let opener = token.text(text).chars().next().map_or(1, char::len_utf8);
    let start = token.start + opener;
    if quote != Quote::Double {
        edits.replace(token.start..start, "\"");
    }
    let mut chars = content.char_indices();
    while let Some((at, c)) = chars.next() {
        let at = start + at;
        match c {
            '\\' => {
                let escaped = chars.next().map(|(_, escaped)| escaped);
                edits.remove(at..at + usize::from(escaped == Some('\'')));
            }
            '"' if matches!(quote, Quote::SmartDouble | Quote::SmartSingle) => {
                let message =
                    "straight quotes stand inside typographic ones; which of them end the string cannot be told";
                return Err(Fault::new(ErrorKind::Ambiguous, at, message));
            }
            '"' => edits.insert(at, "\\"),
            _ => {}
        }
    }
    if quote != Quote::Double {
        edits.replace(token.end - (marks - opener)..token.end, "\"");
    }
    Ok(())
}
