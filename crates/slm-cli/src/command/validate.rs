//! `slmcode validate`: a document judged by the original schema.

use serde_json::{Value, json};
use slm_schema::Violation;

use crate::args::Optional;
use crate::contract;
use crate::output::{self, Exit, Failure};

pub(crate) fn run(args: &Optional, json: bool) -> Result<Exit, Failure> {
    let contract = contract::require(args.contract.as_deref(), args.schema.as_deref())?;
    let text = contract::stdin()?;
    let value: Value = serde_json::from_str(&text).map_err(|error| {
        let message = format!("standard input is no JSON document: {error}; `slmcode repair` may mend it");
        Failure::new(Exit::Invalid, "invalid", message)
    })?;
    let violations = contract.validate(&value);
    if json {
        output::document(&json!({"valid": violations.is_empty(), "violations": violations}));
    } else {
        for violation in &violations {
            output::line(&in_words(violation));
        }
    }
    Ok(if violations.is_empty() { Exit::Done } else { Exit::Invalid })
}

/// A violation on one line.
pub(crate) fn in_words(violation: &Violation) -> String {
    let Violation { pointer, keyword, message, .. } = violation;
    format!("\"{pointer}\" `{keyword}`: {}", message.escape_debug())
}
