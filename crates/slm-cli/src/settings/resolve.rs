//! One value for each key: the flag's, else the environment's, else the file's, else the default.

use std::fmt;

use super::file::{self, File};
use super::key::Key;
use crate::args::Connection;
use crate::output::Failure;

/// Where a value came from; later ones stand above earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File,
    Environment,
    Flag,
}

impl Origin {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File => "file",
            Self::Environment => "environment",
            Self::Flag => "flag",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A key's value, and who says so.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) key: Key,
    pub(crate) value: Option<String>,
    pub(crate) origin: Origin,
    /// The flag, the variable, or the file and line.
    pub(crate) source: Option<String>,
}

/// Every key's value for this run.
#[derive(Debug)]
pub(crate) struct Settings {
    settings: [Setting; Key::ALL.len()],
    /// What is in the file and means nothing.
    pub(crate) warnings: Vec<String>,
}

impl Settings {
    /// Reads and checks all of them.
    pub(crate) fn resolve(flags: &Connection) -> Result<Self, Failure> {
        let file = file::path().map(File::read).transpose()?;
        let mut found = Key::ALL.map(Setting::default_of);
        for setting in &mut found {
            if let Some(higher) = higher(setting.key, flags, file.as_ref())? {
                *setting = higher;
            }
        }
        Ok(Self { settings: found, warnings: file.as_ref().map(File::unknown).unwrap_or_default() })
    }

    pub(crate) fn all(&self) -> &[Setting] {
        &self.settings
    }

    /// The value of a key, where it has one.
    pub(crate) fn get(&self, key: Key) -> Option<&str> {
        self.setting(key).and_then(|setting| setting.value.as_deref())
    }

    pub(crate) fn setting(&self, key: Key) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// The endpoint's key, from the variable made for it, else from the one that the configuration names.
    pub(crate) fn api_key(&self) -> Option<String> {
        super::variable("SLMCODE_API_KEY").or_else(|| super::variable(self.get(Key::ApiKeyEnv)?))
    }

    /// The value of a key that is a number. Such keys have defaults, and what is resolved was checked.
    pub(crate) fn number(&self, key: Key) -> Option<u64> {
        self.get(key).and_then(|value| value.parse().ok())
    }
}

impl Setting {
    fn default_of(key: Key) -> Self {
        Self { key, value: key.default_value().map(str::to_owned), origin: Origin::Default, source: None }
    }
}

/// What stands above the default.
fn higher(key: Key, flags: &Connection, file: Option<&File>) -> Result<Option<Setting>, Failure> {
    let checked = |value: &str, origin: Origin, source: String| {
        let value = key.check(value).map_err(|why| match origin {
            Origin::File => Failure::usage(format!("{source}: {}: {why}", key.name())),
            Origin::Default | Origin::Environment | Origin::Flag => Failure::usage(format!("{source}: {why}")),
        })?;
        Ok(Some(Setting { key, value: Some(value), origin, source: Some(source) }))
    };
    if let (Some(value), Some(flag)) = (flag(key, flags), key.flag()) {
        return checked(&value, Origin::Flag, flag.to_owned());
    }
    if let Some(value) = super::variable(&key.variable()) {
        return checked(&value, Origin::Environment, key.variable());
    }
    let Some(file) = file else { return Ok(None) };
    match file.get(key)? {
        Some(entry) => checked(&entry.value, Origin::File, format!("{}:{}", file.path().display(), entry.line)),
        None => Ok(None),
    }
}

/// An empty flag is none.
fn flag(key: Key, flags: &Connection) -> Option<String> {
    let given = match key {
        Key::Endpoint => flags.endpoint.clone(),
        Key::Model => flags.model.clone(),
        Key::Provider => flags.provider.clone(),
        Key::MaxParallel => flags.max_parallel.clone(),
        Key::StructuredDecoding | Key::LlmRetryCount | Key::LlmRetryDelayMs | Key::ApiKeyEnv => None,
    };
    given.filter(|value| !value.trim().is_empty())
}
