//! `bad_escapes`: escapes that JSON does not know, where their meaning is beyond doubt.

use super::{Choice, Doubt, Mended, Site};
use crate::rung::Rung;
use crate::scan::{char_at, rest};

/// Mends the escape whose backslash stands here.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Mended {
    let start = site.at;
    let Some(escaped) = char_at(site.text, start + 1) else { return Mended::On(site.text.len()) };
    let end = start + 1 + escaped.len_utf8();
    let tail = rest(site.text, end);
    match escaped {
        '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => Mended::On(end),
        'u' => unit(site, end),
        '\'' | '`' => {
            site.draft.remove(Rung::BadEscapes, start..start + 1);
            Mended::On(end)
        }
        'x' if tail.get(..2).is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit())) => {
            site.draft.replace(Rung::BadEscapes, start..end, "\\u00");
            Mended::On(end + 2)
        }
        // A bell in C, and the beginning of `\alpha`; the zero byte in C, and a group in a regular expression.
        'a' if !tail.starts_with(|c: char| c.is_ascii_alphabetic()) => doubtful(site, escaped, end),
        // `\d` in a regular expression, `C:\dir`, `\.`: the backslash is meant.
        c if c.is_ascii_alphabetic() || ".[](){}+*?|^".contains(c) => literally(site, end),
        _ => doubtful(site, escaped, end),
    }
}

fn literally(site: &mut Site<'_, '_>, end: usize) -> Mended {
    site.draft.insert(Rung::BadEscapes, site.at, "\\");
    Mended::On(end)
}

fn doubtful(site: &mut Site<'_, '_>, escaped: char, end: usize) -> Mended {
    match site.choice {
        Choice::First => {
            literally(site, end);
        }
        Choice::Second => site.draft.remove(Rung::BadEscapes, site.at..site.at + 1),
    }
    let doubt = Doubt::new(site.at, "JSON has no such escape; the backslash may be meant, or may be one too many");
    // What follows the backslash is read once more where it has to be escaped itself.
    let end = if u32::from(escaped) < 0x20 { site.at + 1 } else { end };
    Mended::Doubtful(end, doubt)
}

/// Four hexadecimal digits must follow `\u`, and the halves of a pair must follow each other.
fn unit(site: &mut Site<'_, '_>, end: usize) -> Mended {
    let tail = rest(site.text, end);
    let Some(code) = code_unit(tail) else { return malformed(site, tail, end) };
    match code {
        0xd800..=0xdbff => {
            let low = rest(site.text, end + 4).strip_prefix("\\u").and_then(code_unit);
            if low.is_some_and(|low| (0xdc00..=0xdfff).contains(&low)) {
                return Mended::On(end + 10);
            }
            Mended::Broken(site.at, end + 4, "this escape is half of a surrogate pair")
        }
        0xdc00..=0xdfff => Mended::Broken(site.at, end + 4, "this escape is half of a surrogate pair"),
        _ => Mended::On(end + 4),
    }
}

fn code_unit(text: &str) -> Option<u32> {
    let digits = text.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

fn malformed(site: &mut Site<'_, '_>, tail: &str, end: usize) -> Mended {
    if let Some((digits, _)) = tail.get(1..9.min(tail.len())).and_then(|inner| inner.split_once('}'))
        && tail.starts_with('{')
        && let Some(c) = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).filter(|c| *c >= ' ')
    {
        let end = end + digits.len() + 2;
        let spelt = if matches!(c, '"' | '\\') { format!("\\{c}") } else { c.to_string() };
        site.draft.replace(Rung::BadEscapes, site.at..end, spelt);
        return Mended::On(end);
    }
    // `C:\users`: letters that are no digits follow, as they would in a name.
    let is_name = tail.chars().take(2).filter(char::is_ascii_alphabetic).count() == 2
        && tail.starts_with(|c: char| c.is_ascii_lowercase() && !c.is_ascii_hexdigit());
    if is_name { literally(site, end) } else { Mended::Broken(site.at, end, "four hexadecimal digits must follow \\u") }
}
