//! Damage of every kind, done to random documents: what comes back is what was meant, or an error.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use slm_repair::{Repaired, repair};

mod writer;

use writer::{Damage, Writer};

/// Strings that hold what repairs are about.
fn strings() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,5}",
        "[a-z]{1,5}",
        Just(" ".to_owned()),
        Just(" say \"hi\" now".to_owned()),
        Just("it's".to_owned()),
        Just("{x}".to_owned()),
        Just("[1, 2]".to_owned()),
        Just("\\d+".to_owned()),
        Just("C:\\dir\\sub".to_owned()),
        Just("\n".to_owned()),
        Just("\t".to_owned()),
        Just("http://a.b/c?d=1#e".to_owned()),
        Just("// no".to_owned()),
        Just("/* no */".to_owned()),
        Just("é日本😀".to_owned()),
        Just(", ".to_owned()),
        Just(": ".to_owned()),
        Just("}".to_owned()),
        Just("]".to_owned()),
        Just("```".to_owned()),
        Just("…".to_owned()),
        Just("“so”".to_owned()),
        Just("True".to_owned()),
        Just("12".to_owned()),
        Just("<think>".to_owned()),
    ];
    vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn documents() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3000..3000).prop_map(Value::from),
        (-99..99).prop_map(|n| Value::from(f64::from(n) / 8.0)),
        strings().prop_map(Value::from),
        strings().prop_map(Value::from),
        "[a-z]{1,6}".prop_map(Value::from),
    ];
    let member = |inner: BoxedStrategy<Value>| {
        btree_map("[a-z]{1,4}|[a-z]{1,3} [a-z]{2}|é[a-z_]", inner, 1..5)
            .prop_map(|members| members.into_iter().collect::<Value>())
    };
    let nested = scalar.prop_recursive(3, 16, 4, move |inner| {
        prop_oneof![vec(inner.clone(), 0..4).prop_map(Value::from), member(inner.boxed())]
    });
    prop_oneof![member(nested.clone().boxed()), vec(member(nested.boxed()), 1..3).prop_map(Value::from)]
}

/// What models put around a document.
const AROUND: [(&str, &str); 14] = [
    ("", ""),
    ("", ""),
    ("```json\n", "\n```"),
    ("Sure, here it is:\n\n```json\n", "\n```\n\nIt's what you asked for {really}."),
    ("~~~\n", "\n~~~"),
    ("Here is the answer: ", " Anything else?"),
    ("<think>\nMaybe {\"draft\": 1}? It's \"fine\".\n</think>\n\n", ""),
    ("hm, {\"draft\": [1]}\n</think>\n", "\n"),
    ("<tool_call>\n", "\n</tool_call>"),
    ("[TOOL_CALLS]", "</s>"),
    ("const answer = ", ";"),
    ("callback(", ");"),
    ("<answer>", "</answer>"),
    ("\u{feff}", "\n\n"),
];

/// Is `part` the beginning of `whole`: everything in it complete, and nothing else?
fn begins(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Array(part), Value::Array(whole)) => {
            let last = part.len().saturating_sub(1);
            part.len() <= whole.len()
                && part
                    .iter()
                    .zip(whole)
                    .enumerate()
                    .all(|(i, (part, whole))| part == whole || (i == last && begins(part, whole)))
        }
        (Value::Object(part), Value::Object(whole)) => {
            let shorter: Vec<_> = part.iter().filter(|(key, value)| whole.get(*key) != Some(value)).collect();
            shorter.len() <= 1
                && shorter.iter().all(|(key, value)| whole.get(*key).is_some_and(|whole| begins(value, whole)))
        }
        (part, whole) => part == whole,
    }
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    vec(prop::sample::select(&Damage::ALL[..]), 0..4)
}

/// The same documents in every run, so that a green build stays green; more of them, and others, by proptest's variables
/// `PROPTEST_CASES` and `PROPTEST_RNG_SEED`.
fn config() -> ProptestConfig {
    let config = ProptestConfig::default();
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed @ RngSeed::Fixed(_) => fixed,
    };
    ProptestConfig { rng_seed, ..config }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_was_meant_or_an_error(
        value in documents(), damages in damages(), around in prop::sample::select(&AROUND[..]), seed: u64,
    ) {
        let text = format!("{}{}{}", around.0, Writer::write(&value, &damages, seed), around.1);
        if let Ok(Repaired { value: got, .. }) = repair(&text) {
            prop_assert_eq!(got, value, "{}", text);
        }
    }

    #[test]
    fn a_cut_loses_nothing_or_is_an_error(
        value in documents(), mut damages in damages(), around in prop::sample::select(&AROUND[..]), seed: u64,
        cuts in vec(any::<prop::sample::Index>(), 16),
    ) {
        // A string that seems whole may be the first of several that are joined, or end in the middle of a quotation.
        damages.retain(|damage| !matches!(damage, Damage::Joined | Damage::InnerQuotes));
        let text = format!("{}{}{}", around.0, Writer::write(&value, &damages, seed), around.1);
        for cut in cuts {
            // Before a block of reasoning has ended, nothing may tell that it is one.
            let cut = around.0.len() + cut.index(text.len() - around.0.len());
            let Some(prefix) = text.get(..cut) else { continue };
            if prefix.ends_with("\"\"") && text.contains("\"\"\"") {
                // Of three quotes the first two are an empty string.
                continue;
            }
            if let Ok(Repaired { value: got, .. }) = repair(prefix) {
                prop_assert!(begins(&got, &value), "{} of {:?}", got, prefix);
            }
        }
    }

    #[test]
    fn each_damage_alone_is_mended(value in documents(), damage in prop::sample::select(&Damage::ALL[..]), seed: u64) {
        let text = Writer::write(&value, &[damage], seed);
        let repaired = repair(&text).map_err(|error| TestCaseError::fail(format!("{error} in {text}")))?;
        prop_assert_eq!(repaired.value, value, "{}", text);
    }
}

/// What the properties have found.
#[test]
fn findings_stay_mended() {
    for (text, value) in [
        ("[\"a\" true -6]", json!(["a", true, -6])),
        ("{\"a\"# [d]\n: 1, b# c\n: 2# d\n}", json!({"a": 1, "b": 2})),
        ("{\"a b\" (null, 1)}", json!({"a b": [null, 1]})),
        ("{'a b' (null, 1), \"c\" {\"a\": null}}", json!({"a b": [null, 1], "c": {"a": null}})),
        ("``{\"a\": 1}``", json!({"a": 1})),
        ("{\"a\": (1,), \"b\": (1, 2,)}", json!({"a": [1], "b": [1, 2]})),
        ("{\"a\": 1,,\n}", json!({"a": 1})),
        ("{\"a\":: 1}", json!({"a": 1})),
        ("{u'a': u\"b\"}", json!({"a": "b"})),
        ("<scratchpad>{\"a\": 2}</scratchpad>{\"a\": 1}", json!({"a": 1})),
        ("hm {\"a\": 2}◁/think▷{\"a\": 1}", json!({"a": 1})),
        ("<answer>({\"a\": 1}, {\"b\": 2})</answer>", json!([{"a": 1}, {"b": 2}])),
    ] {
        assert_eq!(repair(text).map(|repaired| repaired.value).map_err(|error| error.to_string()), Ok(value), "{text}");
    }
}

#[test]
fn findings_stay_refused() {
    for text in [
        "``",
        "[TOOL_CALLS]",
        "({\"a\": null",
        "```json\n({\"a\": null}",
        "Here it is: ({\"a\": null},\n{",
        "[null,\"\"\"\"",
        "[`it'",
        "{a [\"b\"",
        "{// it's {c}\n\"a\" # d\n [1]",
        "{\"a\": \"b\" c \"d\"}",
        "[\"a\" b, \"c\"]",
        "{\"a\": none}",
        "{\"a\": tRue}",
        "{\"a\": }",
        "\"{}",
        "\"see [1, 2]",
    ] {
        assert_eq!(repair(text).map(|repaired| repaired.text).ok(), None, "{text}");
    }
}
