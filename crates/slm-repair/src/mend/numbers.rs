//! `numbers`: numbers as other languages spell them. Digits are kept, never rounded.

use super::{Choice, Doubt, Mended, Site};
use crate::rung::Rung;
use crate::scan::is_number;

/// Spells the bare token that ends at `end` as a number of JSON, if it is one.
pub(crate) fn mend(site: &mut Site<'_, '_>, end: usize) -> Option<Mended> {
    let token = site.text.get(site.at..end)?;
    if is_number(token) {
        return Some(if is_finite(token) {
            Mended::On(end)
        } else {
            Mended::Broken(site.at, end, "this number is out of the range of a double; write it as a string")
        });
    }
    let (sign, digits) = match token.as_bytes() {
        [b'+', ..] => ("", token.get(1..)?),
        [b'-', ..] => ("-", token.get(1..)?),
        _ => ("", token),
    };
    if let Some(decimal) = hexadecimal(digits) {
        return Some(replace(site, end, format!("{sign}{decimal}")));
    }
    let plain = without_underscores(digits)?;
    let plain = if plain.starts_with('.') { format!("0{plain}") } else { plain };
    let plain =
        if plain.ends_with('.') { format!("{plain}0") } else { plain.replace(".e", ".0e").replace(".E", ".0E") };
    let spelt = format!("{sign}{plain}");
    if is_number(&spelt) && is_finite(&spelt) {
        return Some(replace(site, end, spelt));
    }
    // `007` may be seven, or the name of an agent.
    let stripped = digits.trim_start_matches('0');
    let is_padded = stripped.len() < digits.len() && digits.bytes().all(|b| b.is_ascii_digit());
    is_padded.then(|| padded(site, end, sign, if stripped.is_empty() { "0" } else { stripped }))
}

fn padded(site: &mut Site<'_, '_>, end: usize, sign: &str, digits: &str) -> Mended {
    let doubt = Doubt::new(site.at, "a number with leading zeros may be a number or a string");
    let token = site.text.get(site.at..end).unwrap_or_default();
    let to = match site.choice {
        Choice::First => format!("{sign}{digits}"),
        Choice::Second => format!("\"{token}\""),
    };
    replace(site, end, to);
    Mended::Doubtful(end, doubt)
}

fn replace(site: &mut Site<'_, '_>, end: usize, with: String) -> Mended {
    site.draft.replace(Rung::Numbers, site.at..end, with);
    Mended::On(end)
}

/// Digits grouped by underscores, each of which stands between two digits.
fn without_underscores(digits: &str) -> Option<String> {
    let grouped = digits.contains('_');
    let bytes = digits.as_bytes();
    let between = |pair: &[u8]| matches!(pair, [a, b] if (*a == b'_' && !b.is_ascii_digit()) || (*b == b'_' && !a.is_ascii_digit()));
    if grouped && (bytes.windows(2).any(between) || digits.starts_with('_') || digits.ends_with('_')) {
        return None;
    }
    Some(digits.replace('_', ""))
}

/// The decimal spelling of `0x1f`.
fn hexadecimal(token: &str) -> Option<u128> {
    let digits = token.strip_prefix("0x").or_else(|| token.strip_prefix("0X"))?;
    u128::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with(['+', '-']))
}

/// Is it within the range of a double? Others are errors to the parser.
fn is_finite(number: &str) -> bool {
    let plain = number.len() < 300 && !number.contains(['e', 'E']);
    plain || number.parse::<f64>().is_ok_and(f64::is_finite)
}
