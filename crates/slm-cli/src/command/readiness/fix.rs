//! `--fix` and `--undo`: the configuration file changed, and changed back.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Change;
use super::checks::Check;
use super::difference::difference;
use crate::output::{self, Exit, Failure};
use crate::settings::file::{self, File, write};
use crate::settings::{Origin, Settings};

/// What the file was before the last `--fix`.
const BEFORE: &str = "before-fix";
/// What it was before the last `--undo`: changes made since the fix are in there.
const UNDONE: &str = "undone";

/// Shows the difference, keeps the file as it was beside it, and writes it.
pub(super) fn apply(checks: &[Check], settings: &Settings, json: bool) -> Result<Value, Failure> {
    let wanted = checks.iter().filter(|check| !check.ok).filter_map(|check| check.fix.as_ref());
    let wanted: Vec<&Change> = wanted.flat_map(|fix| &fix.changes).collect();
    // What stands above the file would win all the same.
    let (above, changes): (Vec<&Change>, Vec<&Change>) = wanted.into_iter().partition(|(key, _)| {
        let origin = settings.setting(*key).map(|setting| setting.origin);
        matches!(origin, Some(Origin::Environment | Origin::Flag))
    });
    for (key, value) in above {
        let source = settings.setting(*key).and_then(|setting| setting.source.as_deref()).unwrap_or_default();
        say(json, &format!("{} comes from {source}, which stands above the file: set it to {value} there", key.name()));
    }
    let file = File::read(file::require_path()?)?;
    let name = file.path().display().to_string();
    let set: Vec<_> = changes.iter().map(|(key, value)| (*key, Some(value.as_str()))).collect();
    let text = file.changed(&set);
    let lines = difference(file.text(), &text);
    if text == file.text() {
        say(json, "nothing to fix in the configuration");
    } else {
        say(json, &format!("{name}:"));
        say(json, &lines.join("\n"));
        write(&beside(file.path(), BEFORE), file.text())?;
        file.write(&text)?;
        say(json, "written; slmcode readiness --undo takes it back");
    }
    let changes: Vec<Value> = changes.iter().map(|(key, value)| json!({"key": key.name(), "value": value})).collect();
    Ok(json!({"file": name, "changes": changes, "difference": lines}))
}

/// Puts the file back to what it was before the last `--fix`.
pub(super) fn undo(json: bool) -> Result<Exit, Failure> {
    let path = file::require_path()?;
    let name = path.display().to_string();
    let before = beside(&path, BEFORE);
    let text = fs::read_to_string(&before)
        .map_err(|_| Failure::usage(format!("there is nothing to undo: no --fix has changed {name}")))?;
    let file = File::read(path.clone())?;
    let lines = difference(file.text(), &text);
    write(&beside(&path, UNDONE), file.text())?;
    file.write(&text)?;
    fs::remove_file(&before)
        .map_err(|error| Failure::new(Exit::Failed, "system", format!("{}: {error}", before.display())))?;
    if json {
        output::document(&json!({"undone": {"file": name, "difference": lines}}));
    } else {
        say(json, &format!("{name}:"));
        say(json, &lines.join("\n"));
        say(json, &format!("back to what it was; what it was until now is in {}", beside(&path, UNDONE).display()));
    }
    Ok(Exit::Done)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{suffix}"));
    path.with_file_name(name)
}

fn say(json: bool, line: &str) {
    if !json {
        output::line(line);
    }
}
