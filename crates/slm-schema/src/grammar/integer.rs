//! Integers within bounds, by digit patterns: no leading zero, no `-0`, no fraction.

use super::expr::Expr;
use super::rules::Rules;
use crate::schema::Range;

/// The magnitude that stands in for a missing bound: eighteen digits always fit into 64 bits.
const CAP: i128 = 999_999_999_999_999_999;

pub(super) fn compile(range: Range, rules: &mut Rules) -> Expr {
    let (min, max) = capped(range);
    let mut options = Vec::new();
    if min < 0 {
        // Magnitudes run the other way, and -0 is not written.
        let (least, most) = (max.min(-1).unsigned_abs(), min.unsigned_abs());
        options.extend(magnitudes(least, most).into_iter().map(|m| Expr::Sequence(vec![Expr::literal("-"), m])));
    }
    if min <= 0 && max >= 0 {
        options.push(Expr::literal("0"));
    }
    if max > 0 {
        options.extend(magnitudes(min.max(1).unsigned_abs(), max.unsigned_abs()));
    }
    rules.share("integer", &choice(options))
}

/// The bounds with what is missing filled in: eighteen digits, or as many as the other bound has.
fn capped(range: Range) -> (i128, i128) {
    let cap_beyond = |bound: Option<i128>| {
        let digits = bound.unwrap_or(0).unsigned_abs().to_string().len();
        (1..digits).fold(9_i128, |cap, _| cap.saturating_mul(10).saturating_add(9)).max(CAP)
    };
    let max = range.max().unwrap_or_else(|| cap_beyond(range.min().filter(|min| *min > 0)));
    let min = range.min().unwrap_or_else(|| -cap_beyond(range.max().filter(|max| *max < 0)));
    (min, max)
}

/// Patterns for `least ..= most`, one for each run of lengths. Lengths that are allowed whole share one pattern.
fn magnitudes(least: u128, most: u128) -> Vec<Expr> {
    let (low, high) = (digits(least), digits(most));
    let (low_is_full, high_is_full) = (low == smallest(low.len()), high.iter().all(|&digit| digit == 9));
    if low.len() == high.len() && !(low_is_full && high_is_full) {
        return vec![between(&low, &high)];
    }
    let mut options = Vec::new();
    if !low_is_full {
        options.push(between(&low, &vec![9; low.len()]));
    }
    let shortest = low.len() + usize::from(!low_is_full);
    let longest = high.len() - usize::from(!high_is_full);
    if shortest <= longest {
        options.push(Expr::Sequence(vec![Expr::Digits(1, 9), any(shortest - 1, longest - 1)]));
    }
    if !high_is_full {
        options.push(between(&smallest(high.len()), &high));
    }
    options
}

/// The digits of the smallest number of that length without a leading zero.
fn smallest(length: usize) -> Vec<u8> {
    std::iter::once(1).chain(std::iter::repeat_n(0, length - 1)).collect()
}

fn digits(number: u128) -> Vec<u8> {
    number.to_string().bytes().map(|byte| byte - b'0').collect()
}

/// The numbers from `low` to `high`, both of the same length. The branches differ in their first digit, so at most one
/// stays alive.
fn between(low: &[u8], high: &[u8]) -> Expr {
    let (Some((&from, low_rest)), Some((&to, high_rest))) = (low.split_first(), high.split_first()) else {
        return Expr::empty();
    };
    if from == to {
        return Expr::Sequence(vec![Expr::Digits(from, to), between(low_rest, high_rest)]);
    }
    let low_is_full = low_rest.iter().all(|&digit| digit == 0);
    let high_is_full = high_rest.iter().all(|&digit| digit == 9);
    let mut options = Vec::new();
    if !low_is_full {
        options.push(Expr::Sequence(vec![Expr::Digits(from, from), between(low_rest, &vec![9; low_rest.len()])]));
    }
    let (first_full, last_full) = (from + u8::from(!low_is_full), to - u8::from(!high_is_full));
    if first_full <= last_full {
        options.push(Expr::Sequence(vec![Expr::Digits(first_full, last_full), any(low_rest.len(), low_rest.len())]));
    }
    if !high_is_full {
        options.push(Expr::Sequence(vec![Expr::Digits(to, to), between(&vec![0; high_rest.len()], high_rest)]));
    }
    choice(options)
}

/// Any digits, from `min` to `max` of them.
fn any(min: usize, max: usize) -> Expr {
    match (min, max) {
        (_, 0) => Expr::empty(),
        (1, 1) => Expr::Digits(0, 9),
        (min, max) => Expr::Repeat(Box::new(Expr::Digits(0, 9)), min, Some(max)),
    }
}

fn choice(mut options: Vec<Expr>) -> Expr {
    match options.pop() {
        Some(only) if options.is_empty() => only,
        Some(last) => {
            options.push(last);
            Expr::Choice(options)
        }
        None => Expr::empty(),
    }
}
