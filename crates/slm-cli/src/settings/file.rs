//! The configuration file: TOML that people write too, so comments, order and unknown keys stay as they are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml_edit::{Document, DocumentMut, Item, Value};

use super::key::Key;
use crate::output::{Exit, Failure};
use crate::replace::replace;

/// What the file says of one key.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) value: String,
    pub(crate) line: usize,
}

/// The file as it was read; empty where there is none.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    document: Document<String>,
}

/// Where the file is: what `SLMCODE_CONFIG` names (`off`: nowhere), else the system's place for such files.
pub(crate) fn path() -> Option<PathBuf> {
    if let Some(named) = super::variable("SLMCODE_CONFIG") {
        return (named != "off").then(|| PathBuf::from(named));
    }
    let folder = super::system_folder("XDG_CONFIG_HOME", "APPDATA", "Library/Application Support", ".config");
    folder.map(|folder| folder.join("config.toml"))
}

/// The same where one is needed.
pub(crate) fn require_path() -> Result<PathBuf, Failure> {
    path().ok_or_else(|| Failure::usage("there is no place for a configuration file; set SLMCODE_CONFIG to a path"))
}

impl File {
    /// Reads it; a file that is not there is an empty one.
    pub(crate) fn read(path: PathBuf) -> Result<Self, Failure> {
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::usage(format!("{}: {error}", path.display()))),
        };
        let document = Document::parse(text.clone()).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(&text, span.start));
            let why = error.message().lines().next().unwrap_or_default().to_owned();
            Failure::usage(format!("{}:{line}: no TOML: {why}; mend it, or remove the file", path.display()))
        })?;
        Ok(Self { path, document })
    }

    /// What it says of `key`, unchecked.
    pub(crate) fn get(&self, key: Key) -> Result<Option<Entry>, Failure> {
        let mut found = None;
        for (name, item) in self.document.iter().filter(|(name, _)| Key::find(name) == Some(key)) {
            let line = self.line(item);
            if let Some((other, _)) = found.replace((name, Entry { value: self.scalar(key, item)?, line })) {
                let path = self.path.display();
                return Err(Failure::usage(format!("{path}:{line}: {name} and {other} are the same key; keep one")));
            }
        }
        Ok(found.map(|(_, entry)| entry))
    }

    /// Keys that nobody reads, with their lines and the names that were probably meant.
    pub(crate) fn unknown(&self) -> Vec<String> {
        let unknown = self.document.iter().filter(|(name, item)| Key::find(name).is_none() && !is_table(item));
        unknown
            .map(|(name, item)| {
                let place = format!("{}:{}", self.path.display(), self.line(item));
                let near = Key::nearest(name).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                format!("{place}: the key \"{}\" is not known{near}", name.escape_debug())
            })
            .collect()
    }

    /// The whole file's text with these keys set, or taken out where there is no value.
    pub(crate) fn changed(&self, changes: &[(Key, Option<&str>)]) -> String {
        let mut document = self.document.clone().into_mut();
        for (key, value) in changes {
            match value {
                Some(value) => put(&mut document, *key, value),
                None => remove(&mut document, *key),
            }
        }
        document.to_string()
    }

    /// The file's text.
    pub(crate) fn text(&self) -> &str {
        self.document.raw()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a whole new text, or nothing.
    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        write(&self.path, text)
    }

    fn scalar(&self, key: Key, item: &Item) -> Result<String, Failure> {
        let text = match item.as_value() {
            Some(Value::String(text)) => Some(text.value().clone()),
            Some(Value::Integer(number)) => Some(number.value().to_string()),
            Some(Value::Boolean(flag)) => Some(flag.value().to_string()),
            Some(Value::Float(_) | Value::Datetime(_) | Value::Array(_) | Value::InlineTable(_)) | None => None,
        };
        text.ok_or_else(|| {
            let (path, line) = (self.path.display(), self.line(item));
            Failure::usage(format!("{path}:{line}: {} takes {}", key.name(), key.takes()))
        })
    }

    fn line(&self, item: &Item) -> usize {
        item.span().map_or(1, |span| line_of(self.text(), span.start))
    }
}

/// Writes a file whole, or nothing.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    replace(path, text.as_bytes())
        .map_err(|error| Failure::new(Exit::Failed, "system", format!("{}: {error}", path.display())))
}

fn is_table(item: &Item) -> bool {
    item.is_table() || item.is_array_of_tables()
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// The name under which the file has the key already, or its own.
fn name_in(document: &DocumentMut, key: Key) -> String {
    let known = document.iter().map(|(name, _)| name).find(|name| Key::find(name) == Some(key));
    known.unwrap_or(key.name()).to_owned()
}

fn put(document: &mut DocumentMut, key: Key, value: &str) {
    let name = name_in(document, key);
    let mut new = match value.parse::<i64>() {
        Ok(number) if key.is_number() => Value::from(number),
        _ => Value::from(value),
    };
    if let Some(old) = document.get_mut(&name).and_then(Item::as_value_mut) {
        // What stands around the value is a person's comment on it.
        *new.decor_mut() = old.decor().clone();
        *old = new;
    } else {
        document.insert(&name, Item::Value(new));
    }
}

fn remove(document: &mut DocumentMut, key: Key) {
    let name = name_in(document, key);
    document.remove(&name);
}
