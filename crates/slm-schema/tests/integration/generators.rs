//! Schemas as generators write them of ordinary types: pydantic of Python's, zod of TypeScript's (`fixtures/generators`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use slm_schema::{Contract, Dialect, Tier};

use crate::deviations::mutated;
use crate::engine::Engine;
use crate::official_suite::deviation;
use crate::seeds::Seeds;

/// A pattern that no grammar can hold is not met by chance.
const WITHOUT_SAMPLE: [&str; 1] = ["emoji"];

/// Every schema of a generator by name.
fn contracts(generator: &str) -> Vec<(String, Contract)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/generators").join(generator);
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let document: Value = serde_json::from_str(&text).unwrap();
    let schemas = document["schemas"].as_object().unwrap();
    let contract = |(name, schema): (&String, &Value)| {
        let contract = Contract::from_json("t", &schema.to_string());
        (name.clone(), contract.unwrap_or_else(|error| panic!("{name}: {error}: {schema}")))
    };
    schemas.iter().map(contract).collect()
}

/// Samples are accepted, and wherever grammar and validator disagree on something close to one, the report says so.
#[track_caller]
fn check(name: &str, contract: &Contract) {
    let mut engine = Engine::new(contract.grammar().as_str());
    let mut seeds = Seeds::new(5);
    if WITHOUT_SAMPLE.iter().any(|known| name.starts_with(known)) {
        assert_eq!(contract.sample(0), None, "{name}");
        return;
    }
    for seed in 0..10 {
        let text = contract.sample(seed).unwrap_or_else(|| panic!("{name}: no sample of {}", contract.to_json()));
        assert!(engine.accepts(&text), "{name}: {text}\n{}", contract.grammar());
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(contract.validate(&value), [], "{name}: {text}");
        for _ in 0..3 {
            let other = mutated(&value, &mut seeds);
            if let Some(Err(why)) = deviation(contract, &mut engine, &other) {
                panic!("{name}: {why}: {other} of {}", contract.to_json());
            }
        }
    }
}

/// The keywords that are left to the validator, each with the schemas in which some are.
fn left_over(contracts: &[(String, Contract)]) -> BTreeMap<String, Vec<&str>> {
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, contract) in contracts {
        let report = contract.lower(Dialect::Gbnf).report;
        for entry in report.exceptions().filter(|entry| entry.tier == Tier::Validator) {
            let names = found.entry(entry.keyword.clone()).or_default();
            let name = name.split('.').next().unwrap();
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
    }
    found
}

/// Every schema of a generator compiles and holds, and of its keywords these are left to the validator.
#[track_caller]
fn check_all(generator: &str, left_to_the_validator: &[(&str, &[&str])]) {
    let contracts = contracts(generator);
    for (name, contract) in &contracts {
        check(name, contract);
    }
    let expected = left_to_the_validator.iter().map(|(keyword, names)| ((*keyword).to_owned(), names.to_vec()));
    assert_eq!(left_over(&contracts), expected.collect());
}

#[test]
fn what_pydantic_writes_compiles() {
    check_all(
        "pydantic.json",
        &[
            ("format", &["times", "others"]),
            ("maximum", &["bounds"]),
            ("minimum", &["bounds"]),
            ("multipleOf", &["bounds"]),
            ("oneOf", &["callable_discriminator"]),
            ("uniqueItems", &["collections"]),
        ],
    );
}

#[test]
fn what_zod_writes_compiles() {
    check_all(
        "zod.json",
        &[
            ("format", &["formats", "emoji", "bounds"]),
            ("maximum", &["bounds"]),
            ("minimum", &["bounds"]),
            ("multipleOf", &["bounds"]),
            ("pattern", &["formats", "emoji"]),
        ],
    );
}
