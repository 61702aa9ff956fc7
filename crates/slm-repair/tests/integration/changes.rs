//! What was changed, and where.

use serde_json::json;
use slm_repair::{Rung, What, repair};

#[test]
fn each_change_has_its_place() {
    let repaired = repair("So: {'a': True,}").unwrap();
    let changes: Vec<_> =
        repaired.changes().into_iter().map(|change| (change.rung, change.what, change.range, change.to)).collect();
    let expected = [
        (Rung::Extract, What::Removed, 0..4, "".into()),
        (Rung::Quotes, What::Replaced, 5..6, "\"".into()),
        (Rung::Quotes, What::Replaced, 7..8, "\"".into()),
        (Rung::PythonBools, What::Replaced, 10..14, "true".into()),
        (Rung::TrailingComma, What::Removed, 14..15, "".into()),
    ];
    assert_eq!(changes, expected);
    assert_eq!(serde_json::to_value(&repaired.changes()[4]).unwrap()["what"], json!("removed"));
}

#[test]
fn what_a_value_loses_is_among_the_changes() {
    for (text, what, range) in [
        (r#"{"n": 12345678901234567890123}"#, What::InexactNumber, 6..29),
        (r#"{"n": 0.12345678901234567890}"#, What::InexactNumber, 6..28),
        (r#"{"a": 1, "b": {"a": 2}, "\u0061": 3}"#, What::DuplicateKey, 24..32),
        ("x: {'n': 12345678901234567890123}", What::InexactNumber, 9..32),
    ] {
        let changes = repair(text).unwrap().changes();
        let found: Vec<_> = changes.iter().filter(|change| change.rung == Rung::None).collect();
        assert_eq!(found.len(), 1, "{text}: {changes:?}");
        assert_eq!((found[0].what, &found[0].range), (what, &range), "{text}");
    }
    let exact = r#"{"a": 18446744073709551615, "b": 0.1, "c": 1e300, "d": -12.500000000000000000, "e": [{"a": 1}]}"#;
    assert_eq!(repair(exact).unwrap().changes(), []);
}

#[test]
fn a_thousand_changes_are_listed_and_the_others_counted() {
    let text = format!("[{}]", vec!["'x'"; 2000].join(","));
    let repaired = repair(&text).unwrap();
    assert_eq!((repaired.changes().len(), repaired.unlisted()), (1000, 3000));
}

#[test]
fn changes_to_an_escaped_document_have_their_place_in_the_input() {
    let text = r#"é: {\"a\": 'b', \"a\": 12345678901234567890123}"#;
    let found: Vec<_> = repair(text).unwrap().changes().into_iter().map(|c| (c.rung, c.what, &text[c.range])).collect();
    let expected = [
        (Rung::DoubleEncoded, What::Removed, &text[4..]),
        (Rung::Quotes, What::Replaced, "'"),
        (Rung::Quotes, What::Replaced, "'"),
        (Rung::None, What::DuplicateKey, r#"\"a\""#),
        (Rung::None, What::InexactNumber, "12345678901234567890123"),
    ];
    assert_eq!(found, expected);
}
