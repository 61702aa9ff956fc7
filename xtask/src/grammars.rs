//! What is generated from the contracts and the dialects: a reviewer sees what a change of the code does to each.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use slm_schema::{Constraint, Contract, Dialect, Registry};

use crate::{Outcome, files, stacks, tables};

/// Writes every generated file and removes those of dialects that are gone, or with `check` names what differs.
pub(crate) fn run(check: bool) -> Outcome {
    let docs = files::root().join("docs");
    let mut wanted =
        vec![(docs.join("enforcement.md"), tables::enforcement()?), (docs.join("grammars.md"), stacks::page()?)];
    let mut stale = Vec::new();
    for contract in Registry::builtin().iter() {
        wanted.extend(snapshots(contract)?);
        stale.extend(gone(&folder(contract))?);
    }
    wanted.retain(|(path, text)| !files::holds(path, text));
    if check {
        let differing: Vec<String> =
            wanted.iter().map(|(path, _)| path).chain(&stale).map(|path| files::shown(path)).collect();
        return if differing.is_empty() {
            Ok(())
        } else {
            let list = differing.join("\n  ");
            Err(format!("these differ from the code; run `cargo xtask grammars` and review the change:\n  {list}"))
        };
    }
    for (path, text) in &wanted {
        files::write(path, text)?;
        println!("wrote {}", files::shown(path));
    }
    for path in &stale {
        fs::remove_file(path).map_err(|error| format!("cannot remove {}: {error}", files::shown(path)))?;
        println!("removed {}", files::shown(path));
    }
    Ok(())
}

fn folder(contract: &Contract) -> PathBuf {
    files::root().join("fixtures/contracts").join(contract.name())
}

fn snapshots(contract: &Contract) -> Outcome<Vec<(PathBuf, String)>> {
    let folder = folder(contract);
    let mut found = vec![(folder.join("grammar.gbnf"), contract.grammar().to_string())];
    for dialect in Dialect::ALL {
        found.push((folder.join(format!("{dialect}.json")), snapshot(contract, dialect)?));
    }
    Ok(found)
}

/// Snapshots of dialects that are no more.
fn gone(folder: &Path) -> Outcome<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", files::shown(folder));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_snapshot = path.extension().is_some_and(|extension| extension == "json");
        if is_snapshot && stem.parse::<Dialect>().is_err() {
            found.push(path);
        }
    }
    found.sort();
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
        "refused": lowered.check().err().map(|error| error.to_string()),
        "summary": lowered.report.to_string(),
        "exceptions": exceptions,
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
}
