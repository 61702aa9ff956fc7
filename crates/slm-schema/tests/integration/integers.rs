//! Integer bounds, by brute force around every edge.

use slm_schema::Contract;

use crate::engine::Engine;

const EDGES: [i64; 17] = [-1000, -101, -100, -99, -11, -10, -9, -1, 0, 1, 9, 10, 11, 99, 100, 101, 1000];

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
fn every_pair_of_edges_is_exact() {
    for &min in &EDGES {
        for &max in EDGES.iter().filter(|&&max| min <= max) {
            check(Some(min), Some(max), -1111..=1111);
        }
    }
}

#[test]
fn one_sided_bounds_are_exact() {
    for &edge in &EDGES {
        check(Some(edge), None, -1111..=1111);
        check(None, Some(edge), -1111..=1111);
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
