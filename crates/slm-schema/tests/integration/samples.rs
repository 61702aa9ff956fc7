//! Random documents: of every contract, and of generated schemas; an independent engine and the validator accept each.

use serde_json::{Value, json};
use slm_schema::{Contract, Registry};

use crate::engine::Engine;
use crate::seeds::{Seeds, count};

#[track_caller]
fn check(contract: &Contract, samples: u64) {
    let mut engine = Engine::new(contract.grammar().as_str());
    for seed in 0..samples {
        let text = contract.sample(seed).unwrap_or_else(|| panic!("no sample of {}", contract.to_json()));
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(contract.validate(&value), [], "{text}");
        assert!(contract.schema().conforms(&value), "{text} of {}", contract.to_json());
        assert!(engine.accepts(&text), "{text}\n{}\n{}", contract.to_json(), contract.grammar());
        assert_eq!(contract.respell(&text).as_deref(), Some(&*text));
    }
    let minimal = contract.minimal().unwrap_or_else(|| panic!("no minimal document of {}", contract.to_json()));
    assert!(engine.accepts(&minimal), "{minimal}");
}

#[test]
fn of_every_contract() {
    for contract in Registry::builtin().iter() {
        check(contract, count("SLM_SAMPLES", 1000));
    }
}

#[test]
fn of_generated_schemas() {
    let mut seeds = Seeds::new(7);
    for _ in 0..count("SLM_SCHEMAS", 1000) {
        let schema = schema(&mut seeds, 0);
        let contract =
            Contract::from_json("t", &schema.to_string()).unwrap_or_else(|error| panic!("{error}: {schema}"));
        check(&contract, count("SLM_SAMPLES", 20).min(20));
    }
}

#[test]
fn the_same_seed_gives_the_same_document() {
    let contract = Registry::builtin().get("plan").unwrap();
    assert_eq!(contract.sample(3), contract.sample(3));
    assert_ne!(contract.sample(3), contract.sample(4));
}

#[test]
fn a_recursive_schema_gives_documents_that_end() {
    let tree = r##"{"$defs": {"t": {"type": "object", "properties": {"l": {"anyOf": [{"$ref": "#/$defs/t"}, {"type": "null"}]},
        "r": {"anyOf": [{"$ref": "#/$defs/t"}, {"type": "null"}]}}, "required": ["l", "r"], "additionalProperties": false}},
        "$ref": "#/$defs/t"}"##;
    check(&Contract::from_json("t", tree).unwrap(), 50);
}

#[test]
fn rules_of_the_validator_are_satisfied_where_that_is_likely() {
    let contract =
        Contract::from_json("t", r#"{"type": "array", "items": {"type": "boolean"}, "uniqueItems": true}"#).unwrap();
    let value: Value = serde_json::from_str(&contract.sample(1).unwrap()).unwrap();
    assert_eq!(contract.validate(&value), []);
}

/// A schema of shapes that a grammar holds, so that each sample must be accepted.
fn schema(seeds: &mut Seeds, depth: u64) -> Value {
    let kinds = if depth > 3 { 9 } else { 14 };
    match seeds.below(kinds) {
        0 => json!({"type": "null"}),
        1 => json!({"type": "boolean"}),
        2 => {
            let (a, b) = (seeds.below(3000), seeds.below(3000));
            json!({"type": "integer", "minimum": i64::try_from(a.min(b)).unwrap() - 1500, "maximum": i64::try_from(a.max(b)).unwrap() - 1500})
        }
        3 => json!({"type": "number"}),
        4 => json!({"type": "string", "minLength": seeds.below(3), "maxLength": 3 + seeds.below(9)}),
        5 => json!({"enum": ["a", "ab", "abc", 1, 10, null, {"k": [true]}]}),
        6 => {
            json!({"type": "string", "pattern": seeds.of(&["^[a-z]{1,3}(-[0-9]+)?$", "x", r"^\w+@\w+$", "^(a|bc)*$", "\"\\\\n"])})
        }
        7 => json!({"type": "string", "format": seeds.of(&["ipv4", "time", "ipv6", "duration"])}),
        8 => json!({"const": "q\"\\\n"}),
        9 => {
            json!({"type": "array", "items": schema(seeds, depth + 1), "minItems": seeds.below(2), "maxItems": 2 + seeds.below(3)})
        }
        10 => {
            json!({"type": "array", "prefixItems": [schema(seeds, depth + 1), schema(seeds, depth + 1)], "items": false, "minItems": seeds.below(3)})
        }
        11 => {
            json!({"type": "object", "additionalProperties": schema(seeds, depth + 1), "maxProperties": 2 + seeds.below(2)})
        }
        12 => json!({"anyOf": [schema(seeds, depth + 1), schema(seeds, depth + 1)]}),
        _ => {
            let count = 1 + seeds.below(4);
            let names: Vec<String> = (0..count).map(|i| format!("{}{i}", seeds.of(&["p", "é\"", "a/b~"]))).collect();
            let properties: serde_json::Map<String, Value> =
                names.iter().map(|name| (name.clone(), schema(seeds, depth + 1))).collect();
            let required: Vec<&String> = names.iter().filter(|_| seeds.below(2) == 0).collect();
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
        }
    }
}
