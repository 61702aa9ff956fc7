//! The snapshots in fixtures/contracts: a reviewer sees what a change of the compiler does to every contract.

use std::path::PathBuf;

use serde_json::json;
use slm_schema::{Constraint, Contract, Dialect, Registry};

use crate::{Outcome, files};

/// Writes every snapshot, or with `check` names those that differ.
pub(crate) fn run(check: bool) -> Outcome {
    let mut stale = Vec::new();
    for contract in Registry::builtin().iter() {
        for (path, text) in snapshots(contract)? {
            if files::holds(&path, &text) {
                continue;
            }
            if check {
                stale.push(files::shown(&path));
            } else {
                files::write(&path, &text)?;
                println!("wrote {}", files::shown(&path));
            }
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!(
        "these differ from the code; run `cargo xtask grammars` and review the change:\n  {}",
        stale.join("\n  ")
    ))
}

fn snapshots(contract: &Contract) -> Outcome<Vec<(PathBuf, String)>> {
    let folder = files::root().join("fixtures/contracts").join(contract.name());
    let mut found = vec![(folder.join("grammar.gbnf"), contract.grammar().to_string())];
    for dialect in Dialect::ALL {
        found.push((folder.join(format!("{dialect}.json")), snapshot(contract, dialect)?));
    }
    Ok(found)
}

/// What is sent (a grammar stands in its own file), and every rule that decoding does not make sure of exactly.
fn snapshot(contract: &Contract, dialect: Dialect) -> Outcome<String> {
    let lowered = contract.lower(dialect);
    let sent = match &lowered.constraint {
        Constraint::Schema(text) => serde_json::from_str(text).map_err(|error| error.to_string())?,
        Constraint::Grammar(_) => json!("grammar.gbnf"),
        Constraint::JsonObject => json!({"type": "json_object"}),
        Constraint::None | _ => json!(null),
    };
    let exceptions: Vec<_> = lowered.report.exceptions().collect();
    let document = json!({
        "dialect": dialect,
        "sent": sent,
        "summary": lowered.report.to_string(),
        "exceptions": exceptions,
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
}
