//! The file of a run: a first line with its facts, then a line for each call, written as soon as it is done.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::{Outcome, files};

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    run: Facts,
}

/// A run that is being written.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: File,
}

/// Reads a run: its facts, and its lines.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Outcome<(Facts, Vec<T>)> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", files::shown(path)))?;
    parse(path, &text)
}

fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Outcome<(Facts, Vec<T>)> {
    let place = |line: usize, error: &serde_json::Error| format!("{}:{line}: {error}", files::shown(path));
    let mut lines = text.lines().enumerate();
    let (_, first) = lines.next().ok_or_else(|| format!("{} is empty", files::shown(path)))?;
    let head: Head = serde_json::from_str(first).map_err(|error| place(1, &error))?;
    let records = lines.map(|(line, text)| serde_json::from_str(text).map_err(|error| place(line + 1, &error)));
    Ok((head.run, records.collect::<Outcome<_>>()?))
}

fn head(facts: &Facts) -> Outcome<String> {
    let head = Head { run: facts.clone() };
    serde_json::to_string(&head).map(|line| line + "\n").map_err(|error| error.to_string())
}

impl Log {
    /// Goes on with the run in `path`, or begins one there. Gives the calls that are done already.
    ///
    /// A line that was cut by a kill is taken away; its call is made again.
    pub(crate) fn resume<T: DeserializeOwned>(path: &Path, facts: &Facts) -> Outcome<(Self, Vec<T>)> {
        if !path.exists() {
            return Ok((Self::begin(path, facts)?, Vec::new()));
        }
        let text = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", files::shown(path)))?;
        let whole = text.rfind('\n').and_then(|end| text.get(..=end)).unwrap_or_default();
        let (before, records) = parse(path, whole)?;
        if !facts.agrees_with(&before) {
            return Err(format!(
                "{} holds a run of {} with another set-up (commit, server, model or limits); start anew with --fresh, or \
                 write elsewhere with --out",
                files::shown(path),
                before.date
            ));
        }
        // The command of now makes all of it, what is there already included.
        let calls = whole.split_once('\n').map_or("", |(_, calls)| calls);
        Ok((Self::open(path, &format!("{}{calls}", head(facts)?))?, records))
    }

    /// Begins a run in `path`; what stood there is gone.
    pub(crate) fn begin(path: &Path, facts: &Facts) -> Outcome<Self> {
        Self::open(path, &head(facts)?)
    }

    fn open(path: &Path, text: &str) -> Outcome<Self> {
        files::write(path, text)?;
        let file = OpenOptions::new()
            .append(true)
            .open(path)
            .map_err(|error| format!("cannot write {}: {error}", files::shown(path)))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes one call down.
    pub(crate) fn add<T: Serialize>(&mut self, record: &T) -> Outcome {
        let line = serde_json::to_string(record).map_err(|error| error.to_string())?;
        self.file
            .write_all(format!("{line}\n").as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", files::shown(&self.path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::record::Record;
    use crate::eval::record::tests::{case, record};

    fn place(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("xtask-log-{}-{name}.jsonl", std::process::id()));
        let _none_yet = fs::remove_file(&path);
        path
    }

    #[test]
    fn a_killed_run_goes_on_where_it_was() {
        let path = place("killed");
        let facts = Facts::now("cargo xtask eval");
        let (mut log, done) = Log::resume::<Record>(&path, &facts).unwrap();
        assert_eq!(done, []);
        let first = record(case(), &["value"]);
        log.add(&first).unwrap();
        // Killed in the middle of a line.
        log.file.write_all(br#"{"contract":"review","as"#).unwrap();
        let facts = Facts { command: "cargo xtask eval --n 2".to_owned(), ..facts };
        let (mut log, done) = Log::resume::<Record>(&path, &facts).unwrap();
        assert_eq!(done, std::slice::from_ref(&first));
        let second = record(case(), &["invalid", "value"]);
        log.add(&second).unwrap();
        assert_eq!(read::<Record>(&path).unwrap(), (facts, vec![first, second]));
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn runs_of_different_things_are_not_mixed() {
        let path = place("mixed");
        let facts = Facts::now("cargo xtask eval");
        Log::begin(&path, &facts).unwrap();
        let error = Log::resume::<Record>(&path, &facts.with("cap", "40")).unwrap_err();
        assert!(error.contains("--fresh"), "{error}");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_damaged_line_is_an_error_with_its_place() {
        let path = place("damaged");
        let mut log = Log::begin(&path, &Facts::now("cargo xtask eval")).unwrap();
        log.add(&record(case(), &["value"])).unwrap();
        log.file.write_all(b"{}\n").unwrap();
        let error = read::<Record>(&path).unwrap_err();
        assert!(error.contains(".jsonl:3: missing field"), "{error}");
        fs::remove_file(path).unwrap();
    }
}
