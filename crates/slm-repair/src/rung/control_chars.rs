//! `control_chars`: characters that JSON forbids where they stand, and escapes that it does not know.

use crate::edit::Edits;
use crate::scan::{Kind, Quote, Token};
use crate::walk::Walk;

/// Escapes control characters in strings, mends bad escapes, and takes odd white space from between the tokens.
pub(super) fn edits(text: &str) -> Edits {
    let mut edits = Edits::default();
    for step in Walk::new(text) {
        if step.token.kind == Kind::OddSpace {
            edits.replace(step.token.range(), " ");
        } else if matches!(step.token.kind, Kind::String { quote: Quote::Double, .. }) {
            escape(step.token, text, &mut edits);
        }
    }
    edits
}

fn escape(token: Token, text: &str, edits: &mut Edits) {
    let mut chars = token.text(text).char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let start = token.start + at;
        if c == '\\' {
            let Some((_, escaped)) = chars.next() else { break };
            let tail = token.text(text).get(at + 1 + escaped.len_utf8()..).unwrap_or_default();
            mend(start, escaped, tail, edits);
        } else if u32::from(c) < 0x20 {
            edits.replace(start..start + 1, escape_of(c));
        }
    }
}

/// Mends the escape of `escaped`, which stands at `start` with `tail` behind it, where its meaning is beyond doubt.
fn mend(start: usize, escaped: char, tail: &str, edits: &mut Edits) {
    let next_is = |accept: fn(&char) -> bool| tail.chars().next().is_some_and(|c| accept(&c));
    match escaped {
        '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u' => {}
        '\'' => edits.remove(start..start + 1),
        'x' => {
            let code = tail.get(..2).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
            if code.is_some() {
                edits.replace(start..start + 2, "\\u00");
            }
        }
        // A bell in C, and the beginning of `\alpha`.
        'a' if !next_is(char::is_ascii_alphabetic) => {}
        // `\d` in a regular expression, `C:\dir`, `\.`: the backslash is meant.
        c if c.is_ascii_alphabetic()
            || matches!(c, '.' | '[' | ']' | '(' | ')' | '{' | '}' | '+' | '*' | '?' | '|') =>
        {
            edits.insert(start, "\\");
        }
        _ => {}
    }
}

fn escape_of(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c => format!("\\u{:04x}", u32::from(c)),
    }
}
