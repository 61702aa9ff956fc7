//! `slmcode config`: the settings, where they come from, and how to change them.

use serde_json::{Map, Value, json};

use crate::args::{Config, ConfigAction, Connection};
use crate::output::{self, DIM, Exit, Failure, styled};
use crate::settings::file::{self, File};
use crate::settings::{Key, Setting, Settings, variable};

pub(crate) fn run(args: &Config, json: bool) -> Result<Exit, Failure> {
    match &args.action {
        ConfigAction::Get { key, connection } => get(find(key)?, connection, json),
        ConfigAction::Set { key, value } => {
            let key = find(key)?;
            let value = key.check(value).map_err(|why| Failure::usage(format!("{}: {why}", key.name())))?;
            change(key, Some(&value), json)
        }
        ConfigAction::Unset { key } => change(find(key)?, None, json),
        ConfigAction::List { connection } => list(connection, json),
    }
}

fn find(name: &str) -> Result<Key, Failure> {
    Key::require(name).map_err(Failure::usage)
}

fn get(key: Key, connection: &Connection, json: bool) -> Result<Exit, Failure> {
    let settings = Settings::resolve(connection)?;
    let Some(setting) = settings.setting(key) else { return Ok(Exit::Done) };
    if json {
        output::document(&Value::Object(document(setting)));
        return Ok(Exit::Done);
    }
    match &setting.value {
        Some(value) => output::line(value),
        None => output::note(&format!("{} is not set: {}", key.name(), key.meaning())),
    }
    if let Some(source) = &setting.source {
        output::note(&format!("from {source}"));
    }
    Ok(Exit::Done)
}

fn change(key: Key, value: Option<&str>, json: bool) -> Result<Exit, Failure> {
    let file = File::read(file::require_path()?)?;
    // A value that is wrong, or stands there twice, is what the change mends.
    let previous = file.get(key).ok().flatten().map(|entry| entry.value);
    let text = file.changed(&[(key, value)]);
    if text != file.text() {
        file.write(&text)?;
    }
    let path = file.path().display().to_string();
    if json {
        output::document(&json!({"key": key.name(), "value": value, "previous": previous, "file": path}));
        return Ok(Exit::Done);
    }
    match value {
        Some(value) => output::note(&format!("{} = {value} in {path}", key.name())),
        None => output::note(&format!("{} is not in {path}", key.name())),
    }
    if variable(&key.variable()).is_some() {
        output::warning(&format!("{} is set, and stands above the file", key.variable()));
    }
    if let (Key::ApiKeyEnv, Some(name)) = (key, value)
        && variable(name).is_none()
    {
        output::warning(&format!("{name} is not set now; calls are made without a key until it is"));
    }
    Ok(Exit::Done)
}

fn list(connection: &Connection, json: bool) -> Result<Exit, Failure> {
    let settings = Settings::resolve(connection)?;
    let path = file::path().map(|path| path.display().to_string());
    if json {
        let rows: Vec<Value> = settings.all().iter().map(described).collect();
        output::document(&json!({"file": path, "settings": rows, "warnings": settings.warnings}));
        return Ok(Exit::Done);
    }
    let width = Key::ALL.map(|key| key.name().len()).into_iter().max().unwrap_or_default();
    for setting in settings.all() {
        let source = setting.source.as_ref().map(|source| format!(" ({source})")).unwrap_or_default();
        let from = styled(DIM, &format!("{}{source}", setting.origin));
        let value = setting.value.as_deref().unwrap_or("-");
        output::coloured(&format!("{:<width$}  {value}  {from}", setting.key.name()));
    }
    settings.warnings.iter().for_each(|warning| output::warning(warning));
    if let Some(path) = path {
        output::note(&format!("the file is {path}"));
    }
    Ok(Exit::Done)
}

/// A setting as `--json` shows it.
fn document(setting: &Setting) -> Map<String, Value> {
    let value = match &setting.value {
        // Numbers are numbers there, too.
        Some(value) if setting.key.is_number() => value.parse::<u64>().map_or_else(|_| json!(value), |n| json!(n)),
        value => json!(value),
    };
    let mut document = Map::new();
    document.insert("key".to_owned(), json!(setting.key.name()));
    document.insert("value".to_owned(), value);
    document.insert("origin".to_owned(), json!(setting.origin.as_str()));
    document.insert("source".to_owned(), json!(setting.source));
    document
}

/// The same with what the key is.
fn described(setting: &Setting) -> Value {
    let mut document = document(setting);
    let key = setting.key;
    document.insert("default".to_owned(), json!(key.default_value()));
    document.insert("takes".to_owned(), json!(key.takes()));
    document.insert("aliases".to_owned(), json!(key.aliases()));
    document.insert("variable".to_owned(), json!(key.variable()));
    document.insert("flag".to_owned(), json!(key.flag()));
    document.insert("meaning".to_owned(), json!(key.meaning()));
    Value::Object(document)
}
