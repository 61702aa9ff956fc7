//! `slmcode status`: the connection as it is set, and what earlier calls learnt about it. Nothing is sent.

use serde_json::{Value, json};
use slm_backends::{Endpoint, Mechanism, Remembered, remembered};

use crate::args::Status;
use crate::output::{self, Exit, Failure};
use crate::settings::{self, Key, Settings, file};
use crate::stats::{self, Counts};

pub(crate) fn run(args: &Status, json: bool) -> Result<Exit, Failure> {
    let settings = Settings::resolve(&args.connection)?;
    let endpoint =
        settings.get(Key::Endpoint).map(Endpoint::parse).transpose().map_err(|error| settings::usage(&error))?;
    let url = endpoint.as_ref().map(Endpoint::url);
    let known: Vec<Remembered> = settings::cache_dir().map(|directory| remembered(&directory)).unwrap_or_default();
    let known: Vec<Remembered> = known.into_iter().filter(|one| url.is_none_or(|url| one.endpoint == url)).collect();
    let counts = stats::read(url);
    if json {
        output::document(&json!({
            "connection": connection(&settings, endpoint.as_ref()),
            "capabilities": known.iter().map(capabilities).collect::<Value>(),
            "stats": counts,
        }));
    } else {
        print(&settings, endpoint.as_ref(), &known, &counts);
    }
    Ok(Exit::Done)
}

fn connection(settings: &Settings, endpoint: Option<&Endpoint>) -> Value {
    let origin = settings.setting(Key::Endpoint).map(|setting| setting.origin.as_str());
    json!({
        // As it is shown everywhere: without its query, which may hold a key.
        "endpoint": endpoint.map(ToString::to_string),
        "origin": origin,
        "provider": settings.get(Key::Provider),
        "model": settings.get(Key::Model),
        "structured_decoding": settings.get(Key::StructuredDecoding),
        "max_parallel": settings.number(Key::MaxParallel),
        "api_key_env": settings.get(Key::ApiKeyEnv),
        "has_api_key": settings.api_key().is_some(),
        "config_file": file::path().map(|path| path.display().to_string()),
        "cache_dir": settings::cache_dir().map(|path| path.display().to_string()),
    })
}

fn capabilities(known: &Remembered) -> Value {
    let mechanisms = Mechanism::ALL.into_iter().map(|mechanism| {
        json!({
            "name": mechanism.as_str(),
            "rank": mechanism.rank(),
            "state": known.capabilities.state(mechanism).as_str(),
            "detail": known.capabilities.detail(mechanism),
            "refused_contracts": known.capabilities.refused_contracts(mechanism),
        })
    });
    let seen = known.seen.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    json!({
        "endpoint": known.endpoint,
        "provider": known.provider.as_str(),
        "model": known.model,
        "seen": seen,
        "mechanisms": mechanisms.collect::<Value>(),
    })
}

fn print(settings: &Settings, endpoint: Option<&Endpoint>, known: &[Remembered], counts: &Counts) {
    let unset = "not set; the usual local ports are looked at".to_owned();
    let found_out = |key: Key| settings.get(key).unwrap_or("found out at each call").to_owned();
    output::line(&format!("endpoint   {}", endpoint.map_or(unset, ToString::to_string)));
    output::line(&format!("provider   {}", found_out(Key::Provider)));
    output::line(&format!("model      {}", found_out(Key::Model)));
    output::line(&format!("decoding   {}", settings.get(Key::StructuredDecoding).unwrap_or_default()));
    let key = if settings.api_key().is_some() { "set" } else { "none" };
    output::line(&format!("key        {key}"));
    if known.is_empty() {
        output::line("learnt     nothing yet; slmcode doctor finds it out");
    }
    for one in known {
        let states =
            Mechanism::ALL.map(|mechanism| format!("{mechanism} {}", one.capabilities.state(mechanism).as_str()));
        output::line(&format!("learnt     {} · {} · {}", one.endpoint, one.model, states.join(", ")));
    }
    output::line(&format!("calls      {}", counts.calls.calls));
    for line in counts.lines() {
        output::line(&format!("           {line}"));
    }
}
