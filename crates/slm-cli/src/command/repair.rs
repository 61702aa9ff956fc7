//! `slmcode repair`: what a model said becomes the JSON it meant, or an error that says why not.

use serde_json::{Map, Value, json};
use slm_repair::{ErrorKind, Options, Phase, Repaired, repair_with};
use slm_schema::{Contract, Violation};

use super::validate::in_words;
use crate::args;
use crate::contract;
use crate::output::{self, Exit, Failure, insert};

mod lines;

pub(crate) fn run(args: &args::Repair, json: bool) -> Result<Exit, Failure> {
    let contract = contract::find(args.contract.contract.as_deref(), args.contract.schema.as_deref())?;
    let text = contract::stdin()?;
    if args.jsonl {
        return Ok(lines::run(&text, contract.as_deref()));
    }
    let repaired = repaired(&text, contract.as_deref(), false)?;
    if json {
        output::document(&Value::Object(document("value", &repaired)));
    } else {
        output::line(&repaired.text);
        output::note(&format!("rung: {}", repaired.rung));
    }
    Ok(Exit::Done)
}

/// The value of a text, by a contract if there is one; `cut`: the reply is known to have been cut off.
fn repaired(text: &str, contract: Option<&Contract>, cut: bool) -> Result<Repaired, Failure> {
    if text.trim().is_empty() {
        let document = json!({"outcome": "empty"});
        return Err(Failure::new(Exit::Truncated, "empty", "the text is empty").with_document(document));
    }
    let options = Options { schema: contract.map(Contract::schema), cut };
    let repaired = repair_with(text, &options).map_err(|error| failed(&error))?;
    let violations = contract.map(|contract| contract.validate(&repaired.value)).unwrap_or_default();
    if violations.is_empty() { Ok(repaired) } else { Err(violated(&repaired, &violations)) }
}

fn document(outcome: &str, repaired: &Repaired) -> Map<String, Value> {
    let changes = repaired.changes();
    let mut document = Map::new();
    insert(&mut document, "outcome", Some(outcome));
    insert(&mut document, "value", (outcome == "value").then(|| repaired.value.clone()));
    insert(&mut document, "rung", Some(json!(repaired.rung)));
    insert(&mut document, "rungs", Some(json!(repaired.rungs)));
    insert(&mut document, "changes", (!changes.is_empty()).then(|| json!(changes)));
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
    // A value that is whole goes by its own name; what lacks data does not.
    let name = if error.phase() == Some(Phase::AfterValue) { "value" } else { "partial" };
    let readings = error.readings();
    let mut document = Map::new();
    insert(&mut document, "outcome", Some(outcome));
    insert(&mut document, name, error.partial().map(|partial| partial.value));
    insert(&mut document, "phase", error.phase().map(|phase| json!(phase)));
    insert(&mut document, "path", error.path());
    insert(&mut document, "readings", (!readings.is_empty()).then(|| json!(readings)));
    insert(&mut document, "error", Some(json!({"message": error.to_string(), "offset": error.offset()})));
    Failure::new(exit, outcome, error.to_string()).with_document(Value::Object(document))
}
