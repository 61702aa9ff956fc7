//! The text of a character class, as every engine reads it.

use std::fmt::Write as _;

use super::expr::Expr;

/// A character of the grammar, one of these.
pub(super) fn one_of(chars: &[char]) -> Expr {
    let mut sorted = chars.to_vec();
    sorted.sort_unstable();
    let mut text = String::from("[");
    for run in sorted.chunk_by(|a, b| u32::from(*a) + 1 == u32::from(*b)) {
        if let (Some(from), Some(to)) = (run.first(), run.last()) {
            push(*from, &mut text);
            text.push_str(if run.len() > 2 { "-" } else { "" });
            if run.len() > 1 {
                push(*to, &mut text);
            }
        }
    }
    text.push(']');
    Expr::Class(text)
}

/// A character of a class, so that every engine reads it alike: letters and digits raw, the rest by number.
pub(super) fn push(c: char, text: &mut String) {
    // Writing into a String cannot fail.
    let _infallible = match c {
        c if c.is_ascii_alphanumeric() => {
            text.push(c);
            Ok(())
        }
        c if c.is_ascii() => write!(text, "\\x{:02X}", u32::from(c)),
        c => write!(text, "\\U{:08X}", u32::from(c)),
    };
}
