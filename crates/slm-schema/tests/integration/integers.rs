//! Integer bounds, by brute force around every edge.

use std::collections::BTreeSet;

use slm_schema::Contract;

use crate::engine::Engine;

/// 26 of them: what a digit pattern can get wrong lies at powers of ten and beside them.
const EDGES: [i64; 26] = [
    -1_000_000_000_000_000_000,
    -1000,
    -101,
    -100,
    -99,
    -11,
    -10,
    -9,
    -5,
    -1,
    0,
    1,
    5,
    9,
    10,
    11,
    99,
    100,
    101,
    1000,
    12_345,
    99_999,
    1_000_000_000,
    999_999_999_999_999,
    100_000_000_000_000_000,
    1_000_000_000_000_000_000,
];

fn schema(min: Option<i64>, max: Option<i64>) -> String {
    let min = min.map(|min| format!(r#", "minimum": {min}"#)).unwrap_or_default();
    let max = max.map(|max| format!(r#", "maximum": {max}"#)).unwrap_or_default();
    format!(r#"{{"type": "integer"{min}{max}}}"#)
}

#[track_caller]
fn check(min: Option<i64>, max: Option<i64>, candidates: impl IntoIterator<Item = i64>) {
    let contract = Contract::from_json("t", &schema(min, max)).unwrap();
    let mut engine = Engine::new(contract.grammar().as_str());
    for number in candidates {
        let valid = min.is_none_or(|min| min <= number) && max.is_none_or(|max| number <= max);
        let accepted = engine.accepts(&number.to_string());
        assert_eq!(accepted, valid, "{number} in {min:?}..={max:?}\n{}", contract.grammar());
    }
    for text in ["-0", "00", "01", "-01", "1.0", "1e1", "+1", "", "-"] {
        assert!(!engine.accepts(text), "{text} in {min:?}..={max:?}\n{}", contract.grammar());
    }
}

#[test]
fn all_403_pairs_and_single_bounds_are_exact() {
    let near = EDGES.iter().flat_map(|edge| {
        // Around each edge, and with one digit more or less.
        let longer = edge.checked_mul(10).unwrap_or(*edge);
        [edge - 1, *edge, edge + 1, edge / 10, longer, -edge, -edge + 1, -edge - 1]
    });
    let candidates: BTreeSet<i64> = near.chain(-130..=130).chain(985..=1015).chain(-1015..=-985).collect();
    let pairs = EDGES.iter().flat_map(|min| EDGES.iter().map(move |max| (Some(*min), Some(*max))));
    let ranges: Vec<(Option<i64>, Option<i64>)> = pairs
        .filter(|(min, max)| min <= max)
        .chain(EDGES.iter().flat_map(|edge| [(Some(*edge), None), (None, Some(*edge))]))
        .collect();
    assert_eq!(ranges.len(), 403);
    for (min, max) in ranges {
        // Eighteen digits stand in for a missing bound; what is longer is not written, and the report says so.
        let is_written = |number: &i64| (min.is_some() && max.is_some()) || number.abs() < 10_i64.pow(18);
        check(min, max, candidates.iter().copied().filter(is_written));
    }
    check(None, None, -1111..=1111);
}

#[test]
fn bounds_of_many_digits_are_exact() {
    let large = [999_999_999_999_999_999, 1_000_000_000_000_000_000, i64::MAX - 1, i64::MAX, 123_456_789_012_345_678];
    for &a in &large {
        for &b in large.iter().filter(|&&b| a <= b) {
            let near = |edge: i64| [edge.saturating_sub(1), edge, edge.saturating_add(1)];
            check(Some(a), Some(b), near(a).into_iter().chain(near(b)));
            check(Some(-b), Some(-a), near(-a).into_iter().chain(near(-b)));
            check(Some(-a), Some(b), near(-a).into_iter().chain(near(b)).chain([0]));
        }
        check(Some(a), None, [a - 1, a]);
        check(None, Some(-a), [-a, -a + 1]);
    }
    check(Some(i64::MIN), Some(i64::MIN), [i64::MIN, i64::MIN + 1]);
}
