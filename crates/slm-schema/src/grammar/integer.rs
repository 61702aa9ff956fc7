//! Integers within bounds, by digit patterns: no leading zero, no `-0`, no fraction.

use super::charset;
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
        let magnitudes = rest(&runs(max.min(-1).unsigned_abs(), min.unsigned_abs()));
        options.push(Expr::Sequence(vec![Expr::literal("-"), magnitudes]));
    }
    if max >= 0 {
        options.extend(heads(&runs(min.max(0).unsigned_abs(), max.unsigned_abs())));
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

/// The digits of numbers of one length, from `low` to `high`; of the first ones some may be written already.
#[derive(Debug, Clone, PartialEq)]
struct Run {
    low: Vec<u8>,
    high: Vec<u8>,
}

impl Run {
    /// What is left once `digit` is written.
    fn behind(&self, digit: u8) -> Option<Self> {
        let ((first, low), (last, high)) = (self.low.split_first()?, self.high.split_first()?);
        let low = if digit == *first { low.to_vec() } else { vec![0; low.len()] };
        let high = if digit == *last { high.to_vec() } else { vec![9; high.len()] };
        (*first <= digit && digit <= *last).then_some(Self { low, high })
    }

    fn is_free(&self) -> bool {
        self.low.iter().all(|&digit| digit == 0) && self.high.iter().all(|&digit| digit == 9)
    }
}

/// `least ..= most`, one run for each length, the shortest first.
fn runs(least: u128, most: u128) -> Vec<Run> {
    let (low, high) = (digits(least), digits(most));
    let run = |length: usize| Run {
        low: if length == low.len() { low.clone() } else { smallest(length) },
        high: if length == high.len() { high.clone() } else { vec![9; length] },
    };
    (low.len()..=high.len()).map(run).collect()
}

/// The digits of the smallest number of that length without a leading zero.
fn smallest(length: usize) -> Vec<u8> {
    std::iter::once(1).chain(std::iter::repeat_n(0, length - 1)).collect()
}

fn digits(number: u128) -> Vec<u8> {
    number.to_string().bytes().map(|byte| byte - b'0').collect()
}

/// One digit of the runs, and what follows it. No two options begin with the same digit, and digits that the same
/// follows are one option: the engine has one stack for each.
fn heads(runs: &[Run]) -> Vec<Expr> {
    let mut groups: Vec<(Vec<u8>, Vec<Run>)> = Vec::new();
    for digit in 0..=9 {
        let behind: Vec<Run> = runs.iter().filter_map(|run| run.behind(digit)).collect();
        match groups.iter_mut().find(|(_, known)| *known == behind) {
            _ if behind.is_empty() => {}
            Some((digits, _)) => digits.push(digit),
            None => groups.push((vec![digit], behind)),
        }
    }
    groups.iter().map(|(digits, behind)| Expr::Sequence(vec![one_of(digits), rest(behind)])).collect()
}

/// One of these digits, which are sorted.
fn one_of(digits: &[u8]) -> Expr {
    match digits {
        [from, .., to] if usize::from(to - from) + 1 > digits.len() => {
            charset::one_of(&digits.iter().map(|digit| char::from(b'0' + digit)).collect::<Vec<_>>())
        }
        [from, .., to] => Expr::Digits(*from, *to),
        [only] => Expr::Digits(*only, *only),
        [] => Expr::empty(),
    }
}

/// What is left of the runs, where a number may end as well.
fn rest(runs: &[Run]) -> Expr {
    let shortest = runs.first().map_or(0, |run| run.low.len());
    let is_free = runs.iter().zip(shortest..).all(|(run, length)| run.low.len() == length && run.is_free());
    if is_free {
        return any(shortest, shortest + runs.len().saturating_sub(1));
    }
    let more = choice(heads(runs));
    if shortest == 0 { more.optional() } else { more }
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
