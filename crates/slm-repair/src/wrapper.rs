//! What may stand around a whole document: calls, assignments, tags, prose; and which rung takes it away.

use crate::rung::{Rung, RungSet};
use crate::scan::{blank_end, byte_at, comment_at, literal, rest, trivia_end};

/// The argument of a call: where it begins, and how many parentheses were opened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) argument: usize,
    pub(crate) parens: usize,
}

/// The call that begins at `at`: `callback(…`, `a.b(c(…`.
pub(crate) fn call_at(text: &str, at: usize) -> Option<Call> {
    let mut call = Call { argument: trivia_end(text, at), parens: 0 };
    loop {
        let name_end = name_end(text, call.argument);
        let paren = blank_end(text, name_end);
        if name_end == call.argument || byte_at(text, paren) != Some(b'(') {
            break;
        }
        call = Call { argument: trivia_end(text, paren + 1), parens: call.parens + 1 };
    }
    (call.parens > 0).then_some(call)
}

/// Does what stands behind `end` close the call, and nothing more?
pub(crate) fn closes_call(text: &str, end: usize, call: Call) -> bool {
    let mut at = trivia_end(text, end);
    for _ in 0..call.parens {
        if byte_at(text, at) != Some(b')') {
            return false;
        }
        at = trivia_end(text, at + 1);
    }
    is_end(text, at)
}

/// Nothing of weight stands at `at` or behind it: the end of the text or of a fence, after a comma or semicolon.
pub(crate) fn is_end(text: &str, at: usize) -> bool {
    let mut at = trivia_end(text, at);
    while matches!(byte_at(text, at), Some(b',' | b';')) {
        at = trivia_end(text, at + 1);
    }
    let left = rest(text, at);
    left.is_empty() || left.starts_with("```") || left.starts_with("~~~") || comment_at(text, at).is_some()
}

fn name_end(text: &str, at: usize) -> usize {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.');
    let length = rest(text, at).bytes().take_while(is_name).count();
    let starts = byte_at(text, at).is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'$'));
    if starts { at + length } else { at }
}

/// Is this the left side of an assignment, or a `return`?
pub(crate) fn is_assignment(before: &str) -> bool {
    let before = before.trim();
    if matches!(before, "return" | "export default") {
        return true;
    }
    let Some(left) = before.strip_suffix('=').map(str::trim_end) else { return false };
    let is_name = |word: &str| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.' | b':'))
    };
    let words = left.split_whitespace().count();
    (1..=3).contains(&words) && left.split_whitespace().all(is_name)
}

/// The rungs that take away what stands before a document, or behind it.
pub(crate) fn rungs_of(outside: &str, before: bool) -> RungSet {
    let mut rungs = RungSet::default();
    if before && is_assignment(outside) {
        rungs.insert(Rung::Jsonp);
        return rungs;
    }
    let mut at = 0;
    while let Some(byte) = byte_at(outside, at) {
        let blank = blank_end(outside, at);
        if blank > at {
            if outside.get(at..blank).is_some_and(|gap| !gap.bytes().all(crate::scan::is_space)) {
                rungs.insert(Rung::OddSpace);
            }
            at = blank;
        } else if let Some(comment) = comment_at(outside, at) {
            rungs.insert(Rung::Comments);
            at = comment.end;
        } else if let Some(length) = tag_length(rest(outside, at)) {
            rungs.insert(Rung::Wrapper);
            at += length;
        } else {
            match byte {
                b',' if !before => rungs.insert(Rung::TrailingComma),
                b';' if !before => rungs.insert(Rung::Jsonp),
                b'}' | b']' if !before => rungs.insert(Rung::MismatchedClosers),
                _ => {
                    rungs.insert(Rung::Extract);
                    return rungs;
                }
            }
            at += 1;
        }
    }
    rungs
}

/// The length of a tag that stands here: `<tool_call>`, `</s>`, `<|im_end|>`, `[TOOL_CALLS]`, `]]>`.
pub(crate) fn tag_length(text: &str) -> Option<usize> {
    if text.starts_with("]]>") {
        return Some(3);
    }
    if text.starts_with("<![CDATA[") {
        return Some(9);
    }
    let (closer, inner) = match text.as_bytes() {
        [b'<', inner @ ..] => (b'>', inner),
        [b'[', inner @ ..] => (b']', inner),
        _ => return None,
    };
    let length = inner.iter().take(200).position(|b| *b == closer || matches!(b, b'\n' | b'<' | b'{'))?;
    let name = inner.get(..length)?;
    let is_tag = inner.get(length) == Some(&closer)
        && if closer == b'>' {
            name.iter().any(u8::is_ascii_alphabetic)
        } else {
            name.len() > 1 && name.iter().all(|b| b.is_ascii_uppercase() || matches!(b, b'_' | b'/'))
        };
    is_tag.then_some(length + 2)
}

/// The length of a marker that stands here: `[TOOL_CALLS]`. A list of one literal looks the same.
pub(crate) fn marker_length(text: &str) -> Option<usize> {
    let length = tag_length(text).filter(|_| text.starts_with('['))?;
    let name = text.get(1..length - 1)?;
    literal(name).is_none().then_some(length)
}

/// Are there no words here, but for those in comments and tags?
pub(crate) fn is_wordless(outside: &str, before: bool) -> bool {
    !rungs_of(outside, before).contains(Rung::Extract) || !outside.contains(char::is_alphanumeric)
}
