//! The groups of the official JSON-Schema-Test-Suite (draft-07) that lie in the portable profile, where the data is.

use std::path::PathBuf;

use serde_json::Value;
use slm_schema::{Contract, Dialect, Tier};

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
fn every_deviation_from_the_suite_is_in_the_report() {
    let Some(path) = data("grammar/jsts_draft7_subset.json") else { return };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let suite: Value = serde_json::from_str(&text).unwrap();
    let (mut groups, mut tests, mut agree, mut refused, mut unreported) = (0, 0, 0, 0, Vec::new());
    for group in suite["groups"].as_array().unwrap() {
        let cases = group["tests"].as_array().unwrap();
        groups += 1;
        tests += cases.len();
        let contract = match Contract::from_json("t", &group["schema"].to_string()) {
            Ok(contract) => contract,
            Err(error) => {
                // Refused in words, which is right where nothing satisfies the schema.
                let satisfiable = cases.iter().any(|case| case["valid"] == true);
                if satisfiable {
                    unreported.push(format!("refused: {error}: {}", group["schema"]));
                }
                refused += cases.len();
                continue;
            }
        };
        let mut engine = Engine::new(contract.grammar().as_str());
        for case in cases {
            let valid = contract.validate(&case["data"]).is_empty();
            assert_eq!(valid, case["valid"] == true, "the validator on {}", case["data"]);
            match deviation(&contract, &mut engine, &case["data"]) {
                None => agree += 1,
                Some(deviation) => unreported
                    .extend(deviation.err().map(|why| format!("{why}: {} in {}", case["data"], group["schema"]))),
            }
        }
    }
    println!(
        "{groups} groups, {tests} tests: {agree} agree, {refused} in refused groups, {} unreported",
        unreported.len()
    );
    assert_eq!(unreported, Vec::<String>::new());
}

/// `None` where grammar and validity agree; else whether the report says so.
pub(crate) fn deviation(contract: &Contract, engine: &mut Engine, data: &Value) -> Option<Result<(), String>> {
    let violations = contract.validate(data);
    let valid = violations.is_empty();
    let report = contract.lower(Dialect::Gbnf).report;
    let accepted = engine.accepts(&canonical(data, contract));
    if accepted == valid {
        return None;
    }
    let reported = if valid {
        report.entries().iter().any(|entry| entry.tier == Tier::GrammarStricter)
    } else {
        report.exceptions().any(|entry| {
            matches!(entry.tier, Tier::Validator | Tier::Description)
                && violations.iter().any(|violation| violation.keyword == entry.keyword)
        })
    };
    Some(if reported { Ok(()) } else { Err(format!("accepted {accepted}, valid {valid}")) })
}

/// The instance in canonical spelling: `1.0` is written `1`, and properties in schema order.
fn canonical(data: &Value, contract: &Contract) -> String {
    fn whole(data: &Value) -> Value {
        match data {
            Value::Number(number) => match number.as_f64() {
                Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15 => {
                    serde_json::from_str(&format!("{float:.0}")).unwrap()
                }
                _ => data.clone(),
            },
            Value::Array(items) => items.iter().map(whole).collect(),
            Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), whole(value))).collect(),
            Value::Null | Value::Bool(_) | Value::String(_) => data.clone(),
        }
    }
    contract.respell(&whole(data).to_string()).unwrap_or_else(|| whole(data).to_string())
}
