//! Characters of a string by ranges: raw where they may stand raw, else by their one escape.

use super::charset::push;
use super::choice::choice;
use super::expr::Expr;
use super::rules::Rules;
use super::string::{character, escaped};
use crate::json::write_string;

/// The canonical spelling of a character inside a string.
pub(super) fn spelled(c: char) -> String {
    let mut quoted = String::new();
    write_string(c.encode_utf8(&mut [0; 4]), &mut quoted);
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}

/// One character of these ranges (sorted and apart).
pub(super) fn compile(ranges: &[(char, char)], rules: &mut Rules) -> Expr {
    if ranges == [('\0', char::MAX)] {
        return character(rules);
    }
    let contains = |c: char| ranges.iter().any(|(from, to)| *from <= c && c <= *to);
    let specials: Vec<char> = (0..0x20_u8).map(char::from).chain(['"', '\\']).collect();
    let chosen: Vec<char> = specials.iter().copied().filter(|c| contains(*c)).collect();
    let mut options = Vec::new();
    if let Some(class) = raw_class(ranges) {
        options.push(class);
    }
    if chosen.len() == specials.len() {
        options.push(escaped());
    } else {
        options.extend(chosen.into_iter().map(|c| Expr::literal(spelled(c))));
    }
    choice(&options)
}

/// The class of those that stand raw.
fn raw_class(ranges: &[(char, char)]) -> Option<Expr> {
    let mut text = String::from("[");
    let mut single = None;
    let mut count = 0;
    for (from, to) in ranges.iter().flat_map(|range| raw_parts(*range)) {
        push(from, &mut text);
        if from != to {
            text.push('-');
            push(to, &mut text);
        }
        single = (from == to).then_some(from);
        count += 1;
    }
    text.push(']');
    match (count, single) {
        (0, _) => None,
        (1, Some(c)) => Some(Expr::literal(c)),
        _ => Some(Expr::Class(text)),
    }
}

/// A range without the characters that are escaped: controls, `"` and `\`.
fn raw_parts((from, to): (char, char)) -> Vec<(char, char)> {
    [(' ', '!'), ('#', '['), (']', char::MAX)]
        .into_iter()
        .map(|(low, high)| (from.max(low), to.min(high)))
        .filter(|(from, to)| from <= to)
        .collect()
}

/// One raw or escaped character that is none of `excluded`.
pub(super) fn except(excluded: &[char], rules: &mut Rules) -> Expr {
    let mut rest = Vec::new();
    let mut start = Some('\0');
    let mut sorted = excluded.to_vec();
    sorted.sort_unstable();
    for c in sorted {
        if let Some(begin) = start
            && begin < c
        {
            rest.push((begin, char::from_u32(u32::from(c) - 1).unwrap_or('\u{d7ff}')));
        }
        start = if c == char::MAX { None } else { Some(char::from_u32(u32::from(c) + 1).unwrap_or('\u{e000}')) };
    }
    rest.extend(start.map(|begin| (begin, char::MAX)));
    compile(&rest, rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_spelled_as_in_a_string() {
        assert_eq!(['a', '"', '\\', '\n', '\u{1}', 'é'].map(spelled), ["a", "\\\"", "\\\\", "\\n", "\\u0001", "é"]);
    }
}
