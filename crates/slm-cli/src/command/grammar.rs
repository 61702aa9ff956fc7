//! `slmcode grammar`: a contract's grammar, and what it does not cover.

use serde_json::json;
use slm_schema::{Dialect, Spacing};

use crate::args::{Grammar, Spaces};
use crate::contract;
use crate::output::{self, Exit, Failure};

pub(crate) fn run(args: &Grammar, json: bool) -> Result<Exit, Failure> {
    let contract = contract::require(args.contract.contract.as_deref(), args.contract.schema.as_deref())?;
    let report = contract.lower(Dialect::Gbnf).report;
    let grammar = contract.grammar_spaced(match args.spacing {
        Spaces::Compact => Spacing::Compact,
        Spaces::Spaced => Spacing::Spaced,
        Spaces::Pretty => Spacing::Pretty,
    });
    if json {
        output::document(&json!({
            "grammar": grammar.as_str(),
            "report": report.entries(),
            "fully_enforced": report.is_fully_enforced(),
        }));
        return Ok(Exit::Done);
    }
    output::line(grammar.as_str().trim_end());
    output::note(&report.to_string());
    for entry in report.exceptions() {
        output::note(&format!("\"{}\" `{}`: {} ({})", entry.pointer, entry.keyword, entry.tier.as_str(), entry.why));
    }
    Ok(Exit::Done)
}
