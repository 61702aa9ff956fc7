//! Counters, and what is to be done about a failure.

use std::thread;

use serde_json::json;
use slm_repair::{Action, Fingerprint, RepairStats, repair};

#[test]
fn every_thread_records() {
    let stats = RepairStats::default();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for text in ["[]", "{'a': 1}", "[1,", "no", "{\"a\": 1} {\"a\": 2}"] {
                    stats.record(&repair(text));
                }
            });
        }
    });
    stats.record_round_trip();
    let expected = json!({
        "valid": 4, "repaired": 4, "truncated": 4, "invalid": 8, "fixed_from_memory": 4, "fixed_by_round_trip": 1,
        "rungs": {"none": 4, "quotes": 4},
    });
    assert_eq!(serde_json::to_value(&stats).unwrap(), expected);
    let twice: RepairStats = serde_json::from_value(expected).unwrap();
    twice.merge(&stats.counts());
    assert_eq!((twice.counts().invalid, twice.counts().rungs.len()), (16, 2));
}

#[test]
fn actions() {
    for (text, fingerprint, action) in [
        ("[1]", Fingerprint::Valid, Action::None),
        ("[1,]", Fingerprint::Repaired, Action::None),
        ("[\"a", Fingerprint::Truncated, Action::RaiseMaxTokens),
        ("<think>", Fingerprint::Truncated, Action::RaiseMaxTokens),
        ("{\"a\": }", Fingerprint::Invalid, Action::Reask),
        ("sorry", Fingerprint::NoJson, Action::Reask),
    ] {
        let found = Fingerprint::of(&repair(text));
        assert_eq!((found, found.action()), (fingerprint, action), "{text}");
    }
    assert_eq!(serde_json::to_value(Action::RaiseMaxTokens).unwrap(), json!("raise_max_tokens"));
}
