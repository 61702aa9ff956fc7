//! The contract a command works by: a built-in one, or a schema of the user's.

use std::fs;
use std::io::Read as _;
use std::ops::Deref;
use std::path::Path;

use slm_schema::{Contract, Registry};

use crate::output::{Exit, Failure};

/// The longest input that is read: a reply or a schema, not a dump.
const INPUT_LIMIT: u64 = 256 * 1024 * 1024;
/// The longest name that endpoints take for a schema.
const NAME_LIMIT: usize = 64;

/// A contract, wherever it came from.
#[derive(Debug)]
pub(crate) enum Source {
    BuiltIn(&'static Contract),
    File(Box<Contract>),
}

impl Deref for Source {
    type Target = Contract;

    fn deref(&self) -> &Contract {
        match self {
            Self::BuiltIn(contract) => contract,
            Self::File(contract) => contract,
        }
    }
}

/// The contract that is named, or the one in the file; `None` where neither was given.
pub(crate) fn find(name: Option<&str>, schema: Option<&Path>) -> Result<Option<Source>, Failure> {
    match (schema, name) {
        (Some(path), _) => from_file(path).map(Some),
        (None, Some(name)) => {
            let found = Registry::builtin()
                .get(name)
                .map_err(|error| Failure::usage(format!("{error}; or give a JSON Schema with --schema FILE")))?;
            Ok(Some(Source::BuiltIn(found)))
        }
        (None, None) => Ok(None),
    }
}

/// The same where one is needed.
pub(crate) fn require(name: Option<&str>, schema: Option<&Path>) -> Result<Source, Failure> {
    find(name, schema)?.ok_or_else(|| {
        let known: Vec<&str> = Registry::builtin().names().collect();
        Failure::usage(format!("name a contract ({}) or give --schema FILE", known.join(", ")))
    })
}

fn from_file(path: &Path) -> Result<Source, Failure> {
    let text = if path == Path::new("-") {
        stdin()?
    } else {
        fs::read_to_string(path).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?
    };
    let contract = Contract::from_json(&name_of(path), &text)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    Ok(Source::File(Box::new(contract)))
}

/// The file's name, in the letters that endpoints take.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).take(NAME_LIMIT).collect();
    if name.chars().all(|c| c == '-') { "schema".to_owned() } else { name }
}

/// All of standard input, as text.
pub(crate) fn stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let failed = |message: String| Failure::new(Exit::Failed, "input", message);
    std::io::stdin()
        .lock()
        .take(INPUT_LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(format!("standard input cannot be read: {error}")))?;
    if bytes.len() as u64 > INPUT_LIMIT {
        return Err(failed(format!("standard input is longer than {} MiB", INPUT_LIMIT / 1024 / 1024)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        failed(format!("standard input is not UTF-8 at byte {at}; convert it first"))
    })
}
