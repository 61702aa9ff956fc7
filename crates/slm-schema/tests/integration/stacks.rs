//! How many stacks of the engine are live at once: no more than any grammar needs in which a character decides what follows.

use std::path::Path;

use serde_json::{Value, json};
use slm_schema::{Contract, Registry};

use crate::automaton::{Automaton, overlap};
use crate::seeds::{Seeds, count};

/// The most stacks that are live anywhere; `None` where there are too many states to look at. Of two that are live
/// together, none reads a character that the other reads, and the same texts do not follow both: of characters that the
/// same texts follow there is one stack, so each of the others is needed.
#[track_caller]
fn most_live(contract: &Contract) -> Option<usize> {
    let grammar = contract.grammar();
    let mut automaton = Automaton::new(grammar.as_str());
    let mut most = 0;
    let states = automaton.states(1 << 20, |automaton, live| {
        most = most.max(live.len());
        for (index, &one) in live.iter().enumerate() {
            for &other in &live[index + 1..] {
                let (read, also) = (automaton.class(one), automaton.class(other));
                let is_end = read.is_empty() || also.is_empty();
                assert!(!overlap(&read, &also), "{read:?} and {also:?} in {}\n{grammar}", contract.to_json());
                let (behind, beside) = if is_end { (0, 1) } else { (automaton.behind(one), automaton.behind(other)) };
                let is_one = !is_end && automaton.go_on_alike(behind, beside);
                assert!(!is_one, "{read:?} and {also:?} go on alike in {}\n{grammar}", contract.to_json());
            }
        }
    });
    states.map(|_| most)
}

#[test]
fn no_fewer_stacks_can_be_live_in_the_contracts() {
    // One for each first letter of the words of an enum, where what follows differs; elsewhere at most three.
    const MANY_WORDS: [(&str, usize); 6] =
        [("tasks", 6), ("tester", 4), ("composition", 6), ("scope_judge", 4), ("orchestrator", 8), ("lessons", 4)];
    let most: Vec<(&str, usize)> =
        Registry::builtin().iter().map(|contract| (contract.name(), most_live(contract).unwrap())).collect();
    assert_eq!(most.iter().copied().filter(|(_, most)| *most > 3).collect::<Vec<_>>(), MANY_WORDS);
    // The page finds them by samples.
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/grammars.md");
    let page = std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    for (name, most) in most {
        let row = page.lines().find(|line| line.starts_with(&format!("| {name} |")));
        assert!(row.is_some_and(|row| row.ends_with(&format!(" {most} |"))), "{name} {most}: {row:?}");
    }
}

#[test]
fn no_fewer_stacks_can_be_live_in_generated_schemas() {
    let mut seeds = Seeds::new(13);
    for _ in 0..count("SLM_SCHEMAS", 300) {
        let schema = schema(&mut seeds, 0);
        most_live(&Contract::from_json("t", &schema.to_string()).unwrap());
    }
}

/// A schema of shapes of which the next character tells which is meant.
fn schema(seeds: &mut Seeds, depth: u64) -> Value {
    match seeds.below(if depth > 2 { 6 } else { 9 }) {
        0 => seeds.of(&[json!({"type": "null"}), json!({"type": "boolean"}), json!({"type": "number"})]),
        1 | 2 => {
            let limits = [9_u64, 10, 99, 1000, 12_345];
            let mut bound =
                || i64::try_from(limits[usize::try_from(seeds.below(5)).unwrap()].min(seeds.below(20_000))).unwrap();
            let (a, b) = (bound() - bound(), bound());
            json!({"type": "integer", "minimum": a.min(b), "maximum": a.max(b)})
        }
        3 => json!({"type": "string", "minLength": seeds.below(3), "maxLength": 3 + seeds.below(9)}),
        4 => {
            let words = ["xs", "s", "m", "l", "xl", "ask", "act", "task", "", "é", "ö", "\"", "a\n", "b\n", "1", "11"];
            let mut chosen: Vec<&str> = words.into_iter().filter(|_| seeds.one_in(2)).collect();
            chosen.push("last");
            json!({"enum": chosen})
        }
        5 => json!({"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 2}, {"type": "null"}]}),
        6 => json!({"type": "array", "items": schema(seeds, depth + 1), "minItems": seeds.below(2), "maxItems": 2}),
        _ => {
            let names = ["name", "note", "number", "a", "aa", "b\"", "é"].into_iter().filter(|_| seeds.one_in(2));
            let properties: serde_json::Map<String, Value> = names.map(|name| (name.to_owned(), Value::Null)).collect();
            let properties: serde_json::Map<String, Value> =
                properties.into_iter().map(|(name, _)| (name, schema(seeds, depth + 1))).collect();
            let required: Vec<&String> = properties.keys().filter(|_| seeds.one_in(2)).collect();
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
        }
    }
}

#[test]
fn few_stacks_are_live_where_choices_are_many() {
    let optional = |count: usize| {
        let properties: Vec<String> =
            (0..count).map(|i| format!(r#""{}{i}": {{"type": "boolean"}}"#, ["name", "note", "x"][i % 3])).collect();
        format!(r#"{{"type": "object", "properties": {{{}}}, "additionalProperties": false}}"#, properties.join(","))
    };
    let words: Vec<String> = (0..50).map(|i| format!(r#""word{i}""#)).collect();
    let schemas = [
        ("ten optional properties", 4, optional(10)),
        ("an enum of fifty words", 2, format!(r#"{{"enum": [{}]}}"#, words.join(","))),
        ("0..=100", 3, r#"{"type": "integer", "minimum": 0, "maximum": 100}"#.to_owned()),
        ("-12345..=67890", 5, r#"{"type": "integer", "minimum": -12345, "maximum": 67890}"#.to_owned()),
        ("any integer", 3, r#"{"type": "integer"}"#.to_owned()),
        ("7..", 2, r#"{"type": "integer", "minimum": 7}"#.to_owned()),
        ("a number", 3, r#"{"type": "number"}"#.to_owned()),
        ("a union of objects", 3, r#"{"anyOf": [
            {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind", "lives"], "additionalProperties": false},
            {"type": "object", "properties": {"kind": {"const": "cow"}, "milk": {"type": "boolean"}}, "required": ["kind", "milk"], "additionalProperties": false},
            {"type": "null"}]}"#.to_owned()),
    ];
    for (name, expected, schema) in schemas {
        let contract = Contract::from_json("t", &schema).unwrap();
        assert_eq!(most_live(&contract), Some(expected), "{name}\n{}", contract.grammar());
    }
}
