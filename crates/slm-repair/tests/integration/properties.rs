//! What holds for every text.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::Value;
use slm_repair::{ErrorKind, Rung, repair};

fn documents() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        "[ -~é“]{0,8}".prop_map(Value::from),
        "[\\\\\"'{}\\[\\],:`/\n]{0,6}".prop_map(Value::from),
    ];
    scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map("[a-z\"{: ]{0,4}", inner, 0..4).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// Texts made of what repairs are about.
fn broken() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(","),
        Just(":"),
        Just("\""),
        Just("'"),
        Just("“"),
        Just("”"),
        Just("```"),
        Just("```json\n"),
        Just("a"),
        Just("\"b\""),
        Just("'c'"),
        Just("1"),
        Just("-"),
        Just("2.5"),
        Just("True"),
        Just("null"),
        Just("tru"),
        Just(" "),
        Just("\n"),
        Just("\u{a0}"),
        Just("\\"),
        Just("/*"),
        Just("*/"),
        Just("//"),
        Just("<think>"),
        Just("</think>"),
        Just("\"k\": "),
        Just("é"),
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn json_comes_back_as_it_was(value in documents()) {
        let text = value.to_string();
        // Once through the parser: without its feature `float_roundtrip` it may miss the last digit.
        let value: Value = serde_json::from_str(&text).unwrap();
        let repaired = repair(&text).unwrap();
        prop_assert_eq!((repaired.rung, &repaired.text), (Rung::None, &text));
        prop_assert_eq!(repaired.value, value);
    }

    #[test]
    fn repair_is_idempotent(text in broken()) {
        if let Ok(repaired) = repair(&text) {
            let again = repair(&repaired.text).unwrap();
            prop_assert_eq!((again.value, again.rung), (repaired.value, Rung::None));
        }
    }

    #[test]
    fn errors_point_into_the_text(text in prop_oneof![broken(), ".{0,40}"]) {
        if let Err(error) = repair(&text) {
            prop_assert!(text.is_char_boundary(error.offset()), "{} of {:?}", error.offset(), text);
            prop_assert_eq!(error.kind() == ErrorKind::Truncated, error.open().is_some());
        }
    }

    #[test]
    fn a_prefix_is_a_value_only_if_it_lacks_nothing_but_closers(value in documents(), cut in any::<prop::sample::Index>()) {
        let text = serde_json::to_string_pretty(&value).unwrap();
        let cut = cut.index(text.len());
        let Some(prefix) = text.get(..cut) else { return Ok(()) };
        let Ok(repaired) = repair(prefix) else { return Ok(()) };
        if repaired.rung == Rung::None {
            return Ok(());
        }
        // Only closers were added, behind what stands there; and each of them is one the whole document has.
        prop_assert_eq!(&repaired.rungs, &[Rung::CloseBraces]);
        let added = repaired.text.get(prefix.trim_end().len()..).unwrap().trim();
        prop_assert!(added.chars().all(|c| matches!(c, '}' | ']')), "{:?} from {:?}", repaired.text, prefix);
    }
}
