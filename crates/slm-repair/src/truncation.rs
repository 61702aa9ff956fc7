//! Was anything lost? A cut document is told from a malformed one by what stands last in it.
//!
//! Closers may be appended only behind a complete string, literal or container. Behind anything else (an open string, a
//! number that more digits could have followed, a comma, a colon, a key, a bare opener) data is missing, and no repair
//! brings it back.

use crate::error::{Fault, Open};
use crate::reasoning;
use crate::scan::{Bracket, Kind, Token, begins_literal, is_number, literal};
use crate::walk::{Closing, Expects, Role, Step, Walk};

/// Refuses a document that was cut where something was lost.
///
/// Text in which no document begins is let through: it may be prose.
///
/// # Errors
///
/// A [`Fault`] of kind `Truncated`, at the piece that was open.
pub(crate) fn check(text: &str) -> Result<(), Fault> {
    let start = reasoning::answer_start(text)?;
    let mut walk = Walk::starting_at(text, start);
    let mut last: Option<Step> = None;
    let mut steps = 0_usize;
    while let Some(step) = walk.next() {
        match step.role {
            Role::Trivia => {
                if step.token.kind == (Kind::Comment { closed: false }) && !walk.open().is_empty() {
                    return Err(Fault::truncated(step.token.start, Open::Comment));
                }
                continue;
            }
            Role::Fence => continue,
            Role::Close(Closing::Surplus) => {}
            Role::Key | Role::Colon | Role::Value | Role::Comma | Role::Open(_) | Role::Close(_) => last = Some(step),
        }
        steps += 1;
        if walk.open().is_empty() && matches!(step.role, Role::Close(_)) {
            // The root closed: whatever follows is not the document.
            return Ok(());
        }
    }
    let Some(last) = last else { return Ok(()) };
    let open = if walk.open().is_empty() {
        // More than one token outside all brackets is prose.
        if steps == 1 { open_scalar(last.token, text) } else { None }
    } else {
        open_in_container(last, walk.open().last().map(|frame| frame.bracket), text)
    };
    open.map_or(Ok(()), |open| Err(Fault::truncated(last.token.start, open)))
}

/// What is open in a text that is one scalar.
fn open_scalar(token: Token, text: &str) -> Option<Open> {
    let word = token.text(text);
    if matches!(token.kind, Kind::String { closed: false, .. }) {
        Some(Open::String)
    } else if token.kind != Kind::Bare {
        None
    } else if looks_numeric(word) {
        cut_number(word).then_some(Open::Number)
    } else {
        (literal(word).is_none() && begins_literal(word)).then_some(Open::Literal)
    }
}

fn open_string(last: Step) -> Option<Open> {
    matches!(last.token.kind, Kind::String { closed: false, .. }).then_some(Open::String)
}

/// What is open in a container that lacks its closer, by the last token in it.
fn open_in_container(last: Step, innermost: Option<Bracket>, text: &str) -> Option<Open> {
    let container = match innermost {
        Some(Bracket::Object) => Open::Object,
        Some(Bracket::Array) | None => Open::Array,
    };
    let open_string = open_string(last);
    match last.role {
        Role::Open(_) | Role::Comma => Some(container),
        Role::Key if open_string.is_some() || last.token.kind == Kind::Bare => Some(Open::Key),
        Role::Key | Role::Colon => Some(Open::Property),
        Role::Value if open_string.is_some() => open_string,
        Role::Value if last.token.kind == Kind::Bare => open_word(last.token, text),
        Role::Value if last.inside.is_some_and(|frame| frame.expects == Expects::Colon) => Some(Open::Property),
        Role::Value | Role::Close(_) | Role::Fence | Role::Trivia => None,
    }
}

/// A bare word that stands last: literals are complete by themselves; numbers only where white space follows.
fn open_word(token: Token, text: &str) -> Option<Open> {
    let word = token.text(text);
    if literal(word).is_some() {
        None
    } else if looks_numeric(word) {
        (token.end == text.len() || !is_number(word)).then_some(Open::Number)
    } else {
        Some(Open::Literal)
    }
}

fn looks_numeric(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
}

/// A number that cannot end where it does: `-`, `2.`, `1e`, `1e+`.
fn cut_number(word: &str) -> bool {
    matches!(word, "-" | "+") || (word.ends_with(['.', 'e', 'E', '-', '+']) && is_number(&format!("{word}0")))
}

/// The fault of a document that lacks closers, in a reply that is known to have been cut.
pub(crate) fn unclosed(text: &str) -> Fault {
    Fault::truncated(text.trim_end().len(), Open::Closer)
}
