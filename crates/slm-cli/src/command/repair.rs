//! `slmcode repair`: what a model said becomes the JSON it meant, or an error that says why not.

use serde_json::{Map, Value, json};
use slm_repair::{ErrorKind, Options, Repaired, repair_with};
use slm_schema::Violation;

use super::validate::in_words;
use crate::args::Optional;
use crate::contract;
use crate::output::{self, Exit, Failure, insert};

pub(crate) fn run(args: &Optional, json: bool) -> Result<Exit, Failure> {
    let contract = contract::find(args.contract.as_deref(), args.schema.as_deref())?;
    let text = contract::stdin()?;
    if text.trim().is_empty() {
        let document = json!({"outcome": "empty"});
        return Err(Failure::new(Exit::Truncated, "empty", "standard input is empty").with_document(document));
    }
    let options = Options { schema: contract.as_ref().map(|contract| contract.schema()), ..Options::default() };
    let repaired = repair_with(&text, &options).map_err(|error| failed(&error))?;
    let violations = contract.map(|contract| contract.validate(&repaired.value)).unwrap_or_default();
    if !violations.is_empty() {
        return Err(violated(&repaired, &violations));
    }
    if json {
        output::document(&Value::Object(document("value", &repaired)));
    } else {
        output::line(&repaired.text);
        output::note(&format!("rung: {}", repaired.rung));
    }
    Ok(Exit::Done)
}

fn document(outcome: &str, repaired: &Repaired) -> Map<String, Value> {
    let mut document = Map::new();
    insert(&mut document, "outcome", Some(outcome));
    insert(&mut document, "value", (outcome == "value").then(|| repaired.value.clone()));
    insert(&mut document, "rung", Some(json!(repaired.rung)));
    insert(&mut document, "rungs", Some(json!(repaired.rungs)));
    insert(&mut document, "coercions", Some(json!(repaired.coercions)));
    document
}

fn violated(repaired: &Repaired, violations: &[Violation]) -> Failure {
    let lines: Vec<String> = violations.iter().map(in_words).collect();
    let message = format!("the repaired document (rung {}) violates the contract: {}", repaired.rung, lines.join("; "));
    let mut document = document("invalid", repaired);
    insert(&mut document, "violations", Some(json!(violations)));
    Failure::new(Exit::Invalid, "invalid", message).with_document(Value::Object(document))
}

fn failed(error: &slm_repair::Error) -> Failure {
    let is_cut = error.kind() == ErrorKind::Truncated;
    let (exit, outcome) = if is_cut { (Exit::Truncated, "truncated") } else { (Exit::Invalid, "invalid") };
    let mut document = Map::new();
    insert(&mut document, "outcome", Some(outcome));
    insert(&mut document, "phase", is_cut.then_some("in_value"));
    insert(&mut document, "error", Some(json!({"message": error.to_string(), "offset": error.offset()})));
    Failure::new(exit, outcome, error.to_string()).with_document(Value::Object(document))
}
