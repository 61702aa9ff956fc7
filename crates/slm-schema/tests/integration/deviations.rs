//! Schemas of every keyword, put together by chance, and documents likewise: where grammar and validator disagree, the
//! report names the keyword.

use serde_json::{Map, Value, json};
use slm_schema::{Contract, ErrorKind};

use crate::engine::Engine;
use crate::official_suite::deviation;
use crate::seeds::{Seeds, count};

const NAMES: [&str; 5] = ["a", "b", "foo", "bar", "ab"];
const DEEPEST: u64 = 3;

#[test]
fn every_deviation_of_a_generated_schema_is_in_the_report() {
    let mut seeds = Seeds::new(11);
    let (mut documents, mut deviations) = (0, 0);
    for _ in 0..count("SLM_SCHEMAS", 1000) {
        let mut text = schema(&mut seeds, 0);
        text["definitions"] = json!({"x": schema(&mut seeds, 2)});
        let contract = match Contract::from_json("t", &text.to_string()) {
            Ok(contract) => contract,
            Err(error) => {
                let expected = [ErrorKind::Unsatisfiable, ErrorKind::InvalidKeyword];
                assert!(expected.contains(&error.kind()), "{error}: {text}");
                continue;
            }
        };
        let mut engine = Engine::new(contract.grammar().as_str());
        let samples = (0..10).filter_map(|seed| contract.sample(seed)).map(|text| serde_json::from_str(&text).unwrap());
        let mut candidates: Vec<Value> = samples.collect();
        for sample in &candidates {
            let text = contract.respell(&sample.to_string()).unwrap();
            assert!(engine.accepts(&text), "{text} of {}\n{}", contract.to_json(), contract.grammar());
        }
        candidates.extend(candidates.clone().iter().map(|sample| mutated(sample, &mut seeds)));
        candidates.extend((0..20).map(|_| value(&mut seeds, 0)));
        for candidate in candidates {
            documents += 1;
            if let Some(outcome) = deviation(&contract, &mut engine, &candidate) {
                deviations += 1;
                outcome.unwrap_or_else(|why| panic!("{why}: {candidate} of {}", contract.to_json()));
            }
        }
    }
    println!("{documents} documents, {deviations} deviations, all in the report");
}

/// The same value with something in it replaced, added or taken out.
pub(crate) fn mutated(sample: &Value, seeds: &mut Seeds) -> Value {
    match sample {
        Value::Object(members) if !seeds.one_in(4) => {
            let mut members = members.clone();
            let name = members.keys().nth(usize::try_from(seeds.below(members.len().max(1) as u64)).unwrap()).cloned();
            match (name, seeds.below(3)) {
                (Some(name), 0) => drop(members.remove(&name)),
                (Some(name), 1) => {
                    let changed = mutated(&members[&name], seeds);
                    members.insert(name, changed);
                }
                _ => drop(members.insert(seeds.of(&NAMES).to_owned(), value(seeds, 2))),
            }
            Value::Object(members)
        }
        Value::Array(items) if !items.is_empty() && !seeds.one_in(4) => {
            let mut items = items.clone();
            let index = usize::try_from(seeds.below(items.len() as u64)).unwrap();
            match seeds.below(3) {
                0 => drop(items.remove(index)),
                1 => items[index] = mutated(&items[index], seeds),
                _ => items.push(value(seeds, 2)),
            }
            Value::Array(items)
        }
        Value::String(text) if !seeds.one_in(3) => Value::String(format!("{text}{}", seeds.of(&["a", "é", "\"", "7"]))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            value(seeds, 2)
        }
    }
}

fn value(seeds: &mut Seeds, depth: u64) -> Value {
    match seeds.below(if depth < DEEPEST { 9 } else { 6 }) {
        0 => Value::Null,
        1 => json!(seeds.one_in(2)),
        2 | 3 => seeds.of(&[json!(0), json!(1), json!(2), json!(5), json!(-1), json!(1.5), json!(100), json!(2.0)]),
        4 | 5 => json!(seeds.of(&["", "a", "ab", "abc", "foo", "x-1", "1", "é", "aab", "2024-02-30"])),
        6 | 7 => {
            let names = NAMES.into_iter().filter(|_| seeds.below(5) < 2).collect::<Vec<_>>();
            names.into_iter().map(|name| (name.to_owned(), value(seeds, depth + 1))).collect()
        }
        _ => (0..seeds.below(4)).map(|_| value(seeds, depth + 1)).collect(),
    }
}

fn schema(seeds: &mut Seeds, depth: u64) -> Value {
    match seeds.below(if depth < DEEPEST { 16 } else { 8 }) {
        0 => with(json!({"type": "string"}), of_strings(seeds)),
        1 => with(json!({"type": seeds.of(&["integer", "number"])}), of_numbers(seeds)),
        2 => json!({"type": seeds.of(&["null", "boolean", "string", "integer"])}),
        3 => json!({"enum": [value(seeds, 2), "zz"]}),
        4 => json!({"const": value(seeds, 2)}),
        5 => {
            if seeds.one_in(2) {
                of_strings(seeds)
            } else {
                of_numbers(seeds)
            }
        }
        6 => json!({}),
        7 => with(json!({"type": ["string", "null"]}), of_strings(seeds)),
        8..=10 => of_objects(seeds, depth),
        11 => of_arrays(seeds, depth),
        12 => combined("anyOf", seeds, depth),
        13 => combined("oneOf", seeds, depth),
        14 => combined("allOf", seeds, depth),
        _ => match seeds.below(3) {
            0 => json!({"not": schema(seeds, depth + 1)}),
            1 => {
                json!({"if": schema(seeds, depth + 1), "then": schema(seeds, depth + 1), "else": schema(seeds, depth + 1)})
            }
            _ => json!({"$ref": "#/definitions/x"}),
        },
    }
}

fn with(mut schema: Value, more: Value) -> Value {
    if let (Value::Object(members), Value::Object(more)) = (&mut schema, more) {
        members.extend(more);
    }
    schema
}

fn combined(keyword: &str, seeds: &mut Seeds, depth: u64) -> Value {
    let members: Vec<Value> = (0..=seeds.below(3)).map(|_| schema(seeds, depth + 1)).collect();
    let beside = if seeds.one_in(3) { schema(seeds, depth + 2) } else { json!({}) };
    with(beside, json!({keyword: members}))
}

/// Each of `rules` with a chance of one in so many.
fn some_of(seeds: &mut Seeds, rules: Vec<(&str, u64, Value)>) -> Value {
    let chosen = rules.into_iter().filter(|(_, chance, _)| seeds.one_in(*chance));
    Value::Object(chosen.map(|(keyword, _, value)| (keyword.to_owned(), value)).collect::<Map<_, _>>())
}

fn of_strings(seeds: &mut Seeds) -> Value {
    let patterns = ["^a", "b$", "^[a-z]+$", "^[a-z]{2,}$", "^(ab)*$", "o", "^foo$", "^.{1,3}$", "^a?b*$", r"^(?!a)"];
    let rules = vec![
        ("minLength", 3, json!(seeds.below(3))),
        ("maxLength", 3, json!(2 + seeds.below(3))),
        ("pattern", 2, json!(seeds.of(&patterns))),
        ("format", 8, json!(seeds.of(&["date", "ipv4", "uuid", "nothing"]))),
    ];
    some_of(seeds, rules)
}

fn of_numbers(seeds: &mut Seeds) -> Value {
    let rules = vec![
        ("minimum", 2, seeds.of(&[json!(0), json!(1), json!(1.5), json!(-3)])),
        ("maximum", 2, seeds.of(&[json!(2), json!(5), json!(9.5), json!(100)])),
        ("exclusiveMinimum", 5, json!(seeds.of(&[0, -1]))),
        ("multipleOf", 5, seeds.of(&[json!(1), json!(2), json!(0.5)])),
    ];
    some_of(seeds, rules)
}

fn of_objects(seeds: &mut Seeds, depth: u64) -> Value {
    let names = |seeds: &mut Seeds, chance| NAMES.into_iter().filter(|_| seeds.one_in(chance)).collect::<Vec<_>>();
    let properties: Map<String, Value> = names(seeds, 2)
        .into_iter()
        .map(|name| (name.to_owned(), if seeds.one_in(20) { json!(false) } else { schema(seeds, depth + 1) }))
        .collect();
    let required = names(seeds, 4);
    let additional = if seeds.one_in(2) { json!(seeds.one_in(3)) } else { schema(seeds, depth + 1) };
    let dependency = if seeds.one_in(2) { json!(["a"]) } else { schema(seeds, depth + 1) };
    let typed = if seeds.one_in(5) { json!({}) } else { json!({"type": "object", "properties": properties}) };
    let rules = vec![
        ("required", 2, json!(required)),
        ("additionalProperties", 2, additional),
        ("patternProperties", 5, json!({seeds.of(&["^f", "a", "o$", "^[a-z]$"]): schema(seeds, depth + 1)})),
        ("propertyNames", 10, schema(seeds, depth + 2)),
        ("minProperties", 10, json!(seeds.below(3))),
        ("maxProperties", 10, json!(2 + seeds.below(3))),
        ("dependencies", 10, json!({seeds.of(&NAMES): dependency})),
    ];
    with(typed, some_of(seeds, rules))
}

fn of_arrays(seeds: &mut Seeds, depth: u64) -> Value {
    let tuple: Vec<Value> = (0..=seeds.below(2)).map(|_| schema(seeds, depth + 1)).collect();
    let items = if seeds.one_in(2) { json!(tuple) } else { schema(seeds, depth + 1) };
    let typed = if seeds.one_in(5) { json!({}) } else { json!({"type": "array"}) };
    let rules = vec![
        ("items", 2, items),
        ("additionalItems", 3, if seeds.one_in(2) { json!(false) } else { schema(seeds, depth + 1) }),
        ("minItems", 3, json!(seeds.below(3))),
        ("maxItems", 3, json!(2 + seeds.below(2))),
        ("uniqueItems", 10, json!(true)),
        ("contains", 10, schema(seeds, depth + 1)),
    ];
    with(typed, some_of(seeds, rules))
}
