//! How many stacks of the engine are live at once, and how many rules a grammar has.

use std::fmt::Write as _;

use slm_schema::{Contract, Registry};

use crate::engine::Engine;

/// The most stacks over some samples, and the number of rules.
fn measure(contract: &Contract) -> (usize, usize) {
    let grammar = contract.grammar();
    let mut engine = Engine::new(grammar.as_str());
    let samples = (0..100).filter_map(|seed| contract.sample(seed));
    (samples.map(|text| engine.live_stacks(&text)).max().unwrap_or_default(), grammar.rule_count())
}

#[test]
fn few_stacks_are_live_in_every_contract() {
    // One for each first letter that the words of an enum may begin with; beyond that there is nothing to share.
    const MANY_WORDS: [(&str, usize); 6] =
        [("tasks", 6), ("tester", 4), ("composition", 6), ("scope_judge", 4), ("orchestrator", 8), ("lessons", 4)];
    let mut table = String::from("| contract | rules | live stacks at most |\n| --- | --- | --- |\n");
    let mut over = Vec::new();
    for contract in Registry::builtin().iter() {
        let (stacks, rules) = measure(contract);
        writeln!(table, "| {} | {rules} | {stacks} |", contract.name()).unwrap();
        if stacks > 3 {
            over.push((contract.name(), stacks));
        }
    }
    println!("{table}");
    assert_eq!(over, MANY_WORDS);
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
        ("ten optional properties", 11, optional(10)),
        ("forty optional properties", 41, optional(40)),
        ("an enum of fifty words", 11, format!(r#"{{"enum": [{}]}}"#, words.join(","))),
        ("0..=100", 3, r#"{"type": "integer", "minimum": 0, "maximum": 100}"#.to_owned()),
        ("-12345..=67890", 6, r#"{"type": "integer", "minimum": -12345, "maximum": 67890}"#.to_owned()),
        ("any integer", 3, r#"{"type": "integer"}"#.to_owned()),
        ("7..", 3, r#"{"type": "integer", "minimum": 7}"#.to_owned()),
        ("a number", 3, r#"{"type": "number"}"#.to_owned()),
        ("a union of objects", 3, r#"{"anyOf": [
            {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind", "lives"], "additionalProperties": false},
            {"type": "object", "properties": {"kind": {"const": "cow"}, "milk": {"type": "boolean"}}, "required": ["kind", "milk"], "additionalProperties": false},
            {"type": "null"}]}"#.to_owned()),
        ("a string of up to 5000 characters", 9, r#"{"type": "string", "maxLength": 5000}"#.to_owned()),
    ];
    let mut over = Vec::new();
    for (name, most, schema) in schemas {
        let (stacks, rules) = measure(&Contract::from_json("t", &schema).unwrap());
        println!("| {name} | {rules} | {stacks} |");
        if stacks > most {
            over.push((name, stacks));
        }
    }
    assert_eq!(over, []);
}
