//! `slmcode repair --jsonl`: a reply a line, and a line for each.

use serde_json::{Map, Value};
use slm_schema::Contract;

use super::{document, repaired};
use crate::output::{self, Exit, Failure, insert};

/// Repairs each line of `input`, by its own schema or by `contract`. Blank lines are passed over.
pub(super) fn run(input: &str, contract: Option<&Contract>) -> Exit {
    let mut exit = Exit::Done;
    for line in input.lines().filter(|line| !line.trim().is_empty()) {
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        let result = one(&line, contract);
        let body = result.unwrap_or_else(|failure| {
            exit = Exit::Incomplete;
            failure.into_document()
        });
        let mut document = Map::new();
        insert(&mut document, "id", line.get("id").cloned());
        document.extend(body);
        output::document(&Value::Object(document));
    }
    exit
}

fn one(line: &Value, contract: Option<&Contract>) -> Result<Map<String, Value>, Failure> {
    let Some(text) = line.get("text").and_then(Value::as_str) else {
        return Err(Failure::usage("the line is no JSON object with a string \"text\""));
    };
    let own = match line.get("schema").filter(|schema| !schema.is_null()) {
        Some(schema) => Some(
            Contract::from_json("line", &schema.to_string())
                .map_err(|error| Failure::usage(format!("the line's schema: {error}")))?,
        ),
        None => None,
    };
    let cut = line.get("finish_reason").and_then(Value::as_str) == Some("length");
    let repaired = repaired(text, own.as_ref().or(contract), cut)?;
    Ok(document("value", &repaired))
}
