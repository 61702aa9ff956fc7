//! `slmcode sample`: a random valid document of a contract.

use serde_json::{Value, json};

use crate::args::Sample;
use crate::contract;
use crate::output::{self, Exit, Failure};

pub(crate) fn run(args: &Sample, json: bool) -> Result<Exit, Failure> {
    let contract = contract::require(args.contract.contract.as_deref(), args.contract.schema.as_deref())?;
    let text = contract.sample(args.seed).ok_or_else(|| {
        let message = "no random document satisfied the rules that a grammar cannot hold; try another --seed";
        Failure::new(Exit::Failed, "sample", message)
    })?;
    if json {
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        output::document(&json!({"seed": args.seed, "value": value}));
    } else {
        output::line(&text);
    }
    Ok(Exit::Done)
}
