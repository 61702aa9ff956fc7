//! Settings, resolved from flags and environment.

use std::path::PathBuf;
use std::time::Duration;

use slm_backends::{ApiKey, Client, Config, Endpoint, Mechanism, find_local};

use crate::args::Connection;
use crate::output::{Exit, Failure, note};

/// What to do where no endpoint is known.
const NO_ENDPOINT: &str = "no endpoint is configured and none answers on the usual local ports (llama.cpp 8080, Ollama \
                           11434, LM Studio 1234, vLLM 8000, SGLang 30000); start a server, or give --endpoint URL";

/// Values of `structured_decoding` that force prompt and repair alone.
const OFF: [&str; 6] = ["off", "none", "false", "0", "prompt", "prompt-only"];

/// Where the endpoint's address came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A flag or the environment.
    Given,
    /// A local port that answered.
    LocalPort,
}

impl Origin {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::LocalPort => "local_port",
        }
    }
}

/// The endpoint to use: the one given, else the first local server that answers, which is said.
pub(crate) async fn endpoint(connection: &Connection, json: bool) -> Result<(Endpoint, Origin), Failure> {
    if let Some(url) = given(connection.endpoint.as_deref()) {
        let endpoint = Endpoint::parse(url).map_err(|error| usage(&error))?;
        return Ok((endpoint, Origin::Given));
    }
    let endpoint = find_local().await.ok_or_else(|| Failure::new(Exit::Failed, "configuration", NO_ENDPOINT))?;
    if !json {
        note(&format!("no endpoint configured; using {endpoint}, which answers"));
    }
    Ok((endpoint, Origin::LocalPort))
}

/// A client for the endpoint, with everything that flags and environment say of it.
pub(crate) fn client(endpoint: Endpoint, connection: &Connection, call: Call<'_>) -> Result<Client, Failure> {
    let mut config = Config {
        model: given(connection.model.as_deref()).map(str::to_owned),
        api_key: variable("SLMCODE_API_KEY").map(ApiKey::new),
        mechanism: mechanism(call.mechanism)?,
        headers: connection.headers.iter().map(|header| split_header(header)).collect::<Result<_, _>>()?,
        cache_dir: cache_dir(),
        refresh: call.refresh,
        ..Config::default()
    };
    if let Some(name) = given(connection.provider.as_deref()) {
        config.provider = Some(name.parse().map_err(|error| usage(&error))?);
    }
    if let Some(seconds) = connection.timeout {
        config.timeout = timeout(seconds)?;
    }
    if let Some(count) = connection.max_parallel {
        config.max_parallel = Some(count)
            .filter(|count| *count > 0)
            .ok_or_else(|| Failure::usage("--max-parallel is 0; at least one request has to be on its way"))?;
    }
    if let Some(count) = call.max_reasks {
        config.max_reasks = count;
    }
    Client::with_config(endpoint, config).map_err(|error| usage(&error))
}

/// What only a call says, not a connection.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Call<'a> {
    pub(crate) mechanism: Option<&'a str>,
    pub(crate) max_reasks: Option<u32>,
    pub(crate) refresh: bool,
}

/// Where what is learnt about endpoints is kept: a directory, or `off`; by default that of the system for such files.
fn cache_dir() -> Option<PathBuf> {
    if let Some(named) = variable("SLMCODE_CACHE_DIR") {
        return (named != "off").then(|| PathBuf::from(named));
    }
    let directory = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = directory("XDG_CACHE_HOME").or_else(|| {
        if cfg!(windows) {
            directory("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            directory("HOME").map(|home| home.join("Library/Caches"))
        } else {
            directory("HOME").map(|home| home.join(".cache"))
        }
    });
    base.map(|base| base.join("slmcode"))
}

/// The flag wins over `structured_decoding`.
fn mechanism(flag: Option<&str>) -> Result<Option<Mechanism>, Failure> {
    match flag {
        Some("auto") => Ok(None),
        Some(name) => name.parse().map(Some).map_err(|error| usage(&error)),
        None => match variable("SLMCODE_STRUCTURED_DECODING").as_deref() {
            None | Some("auto") => Ok(None),
            Some(value) if OFF.contains(&value) => Ok(Some(Mechanism::PromptOnly)),
            Some(value) => Err(Failure::usage(format!(
                "SLMCODE_STRUCTURED_DECODING is \"{}\"; use auto, or one of {}",
                value.escape_debug(),
                OFF.join(", ")
            ))),
        },
    }
}

fn timeout(seconds: f64) -> Result<Duration, Failure> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(timeout) if !timeout.is_zero() => Ok(timeout),
        _ => Err(Failure::usage(format!("--timeout is {seconds}; give seconds, more than 0"))),
    }
}

fn split_header(header: &str) -> Result<(String, String), Failure> {
    header
        .split_once(':')
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .ok_or_else(|| Failure::usage("--header takes the form 'Name: value'"))
}

/// An empty setting is none.
fn given(value: Option<&str>) -> Option<&str> {
    value.map(str::trim).filter(|value| !value.is_empty())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// A setting that the library refuses.
pub(crate) fn usage(error: &slm_backends::Error) -> Failure {
    Failure::usage(with_hint(error))
}

/// The error's line with the way out.
pub(crate) fn with_hint(error: &slm_backends::Error) -> String {
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}
