//! The groups of the official JSON-Schema-Test-Suite (draft-07) that lie in the portable profile, where the data is.

use std::path::PathBuf;

use serde_json::Value;
use slm_schema::Contract;

use crate::engine::Engine;

/// The data's path, or `None` with a word on how to get it.
pub(crate) fn data(file: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("SLM_TEST_DATA") {
        return Some(PathBuf::from(folder).join(file));
    }
    println!("skipped: set SLM_TEST_DATA to the folder that holds {file}; see fixtures/README.md for where to get it");
    None
}

#[test]
fn grammar_and_validator_agree_with_the_suite() {
    let Some(path) = data("grammar/jsts_draft7_subset.json") else { return };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let suite: Value = serde_json::from_str(&text).unwrap();
    let (mut groups, mut tests, mut stricter) = (0, 0, 0);
    for group in suite["groups"].as_array().unwrap_or_else(|| suite.as_array().unwrap()) {
        let Ok(contract) = Contract::from_json("t", &group["schema"].to_string()) else { continue };
        groups += 1;
        let mut engine = Engine::new(contract.grammar().as_str());
        let exceptions = contract.lower(slm_schema::Dialect::Gbnf).report.exceptions().count();
        for test in group["tests"].as_array().unwrap() {
            tests += 1;
            let valid = test["valid"].as_bool().unwrap();
            let data = test.get("data").or_else(|| test.get("instance")).unwrap();
            assert_eq!(contract.validate(data).is_empty(), valid, "{group}");
            assert_eq!(contract.schema().conforms(data), valid, "{group}");
            let accepted = engine.accepts(&data.to_string());
            assert!(valid || !accepted, "accepts the invalid {data}: {group}");
            if valid && !accepted {
                stricter += 1;
                assert!(exceptions > 0 || is_other_spelling(data), "refuses {data} and does not say so: {group}");
            }
        }
    }
    println!(
        "{groups} groups of the suite are in the portable profile, {tests} tests, {stricter} stricter as reported"
    );
    assert!(groups >= 20, "only {groups} groups were read");
}

/// `1.0` is a valid integer in another spelling than the canonical one.
fn is_other_spelling(data: &Value) -> bool {
    match data {
        Value::Number(number) => number.is_f64() && number.as_f64().is_some_and(|number| number.fract() == 0.0),
        Value::Array(items) => items.iter().any(is_other_spelling),
        Value::Object(members) => members.values().any(is_other_spelling),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}
