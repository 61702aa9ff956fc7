//! Settings, resolved from flags, environment and file; and the client that follows from them.

pub(crate) mod file;
pub(crate) mod key;
mod resolve;

use std::path::PathBuf;
use std::time::Duration;

use slm_backends::{ApiKey, Client, Config, Endpoint, Mechanism, RetryPolicy, find_local};

pub(crate) use self::key::Key;
pub(crate) use self::resolve::{Origin, Setting, Settings};
use crate::args::Connection;
use crate::output::{self, Exit, Failure, note};
use crate::progress;

/// What to do where no endpoint is known.
pub(crate) const NO_ENDPOINT: &str = "no endpoint is configured and none answers on the usual local ports (llama.cpp 8080, Ollama \
                           11434, LM Studio 1234, vLLM 8000, SGLang 30000); start a server, or give --endpoint URL";

/// An endpoint that is not configured, and answered on a local port.
pub(crate) const LOCAL_PORT: &str = "local_port";

/// What only a call says, not a connection.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Call<'a> {
    pub(crate) mechanism: Option<&'a str>,
    pub(crate) max_reasks: Option<u32>,
    pub(crate) refresh: bool,
}

/// The endpoint to call, and everything that is set for it.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) endpoint: Endpoint,
    /// Who named the endpoint.
    pub(crate) origin: &'static str,
    config: Config,
}

impl Target {
    /// Settles everything that flags, environment and file say; where they name no endpoint, the first local server that
    /// answers is used, and said.
    pub(crate) async fn find(connection: &Connection, call: Call<'_>, json: bool) -> Result<Self, Failure> {
        let found = Self::look(connection, call, json).await?;
        found.ok_or_else(|| Failure::new(Exit::Failed, "configuration", NO_ENDPOINT))
    }

    /// The same; `None` where none is named and none answers.
    pub(crate) async fn look(connection: &Connection, call: Call<'_>, json: bool) -> Result<Option<Self>, Failure> {
        let settings = Settings::resolve(connection)?;
        let config = config(&settings, connection, call)?;
        if !json {
            settings.warnings.iter().for_each(|warning| output::warning(warning));
        }
        let setting = settings.setting(Key::Endpoint);
        let (endpoint, origin) = match setting.and_then(|setting| Some((setting.value.as_deref()?, setting.origin))) {
            Some((url, origin)) => (Endpoint::parse(url).map_err(|error| usage(&error))?, origin.as_str()),
            None => match local(json).await {
                Some(endpoint) => (endpoint, LOCAL_PORT),
                None => return Ok(None),
            },
        };
        Ok(Some(Self { endpoint, origin, config }))
    }

    /// How many calls may be on their way at once.
    pub(crate) fn max_parallel(&self) -> usize {
        self.config.max_parallel
    }

    /// A client for it.
    pub(crate) fn client(&self) -> Result<Client, Failure> {
        Client::with_config(self.endpoint.clone(), self.config.clone()).map_err(|error| usage(&error))
    }
}

async fn local(json: bool) -> Option<Endpoint> {
    let endpoint = progress::waiting("looking for a local server", json, find_local()).await?;
    if !json {
        note(&format!("no endpoint configured; using {endpoint}, which answers"));
    }
    Some(endpoint)
}

fn config(settings: &Settings, connection: &Connection, call: Call<'_>) -> Result<Config, Failure> {
    let defaults = Config::default();
    let number = |key: Key| settings.number(key).unwrap_or_default();
    let plain_retry = RetryPolicy {
        attempts: u32::try_from(number(Key::LlmRetryCount)).unwrap_or(u32::MAX).saturating_add(1),
        base: Duration::from_millis(number(Key::LlmRetryDelayMs)),
        ..defaults.plain_retry
    };
    Ok(Config {
        model: settings.get(Key::Model).map(str::to_owned),
        provider: settings.get(Key::Provider).map(str::parse).transpose().map_err(|error| usage(&error))?,
        api_key: settings.api_key().map(ApiKey::new),
        mechanism: mechanism(call.mechanism, settings)?,
        timeout: connection.timeout.map_or(Ok(defaults.timeout), timeout)?,
        max_parallel: usize::try_from(number(Key::MaxParallel)).unwrap_or(defaults.max_parallel),
        max_reasks: call.max_reasks.unwrap_or(defaults.max_reasks),
        headers: connection.headers.iter().map(|header| split_header(header)).collect::<Result<_, _>>()?,
        cache_dir: cache_dir(),
        refresh: call.refresh,
        plain_retry,
        ..defaults
    })
}

/// Where what is learnt about endpoints is kept: a directory, or `off`; by default that of the system for such files.
pub(crate) fn cache_dir() -> Option<PathBuf> {
    if let Some(named) = variable("SLMCODE_CACHE_DIR") {
        return (named != "off").then(|| PathBuf::from(named));
    }
    system_folder("XDG_CACHE_HOME", "LOCALAPPDATA", "Library/Caches", ".cache")
}

/// Our folder in the system's place for files of one kind: in what the variable `xdg` names, else on Windows in what
/// `windows` names, else below the home folder.
fn system_folder(xdg: &str, windows: &str, macos: &str, elsewhere: &str) -> Option<PathBuf> {
    let directory = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = directory(xdg).or_else(|| {
        if cfg!(windows) {
            directory(windows)
        } else {
            directory("HOME").map(|home| home.join(if cfg!(target_os = "macos") { macos } else { elsewhere }))
        }
    });
    base.map(|base| base.join("slmcode"))
}

/// The flag wins over `structured_decoding`, unless it leaves the choice open.
fn mechanism(flag: Option<&str>, settings: &Settings) -> Result<Option<Mechanism>, Failure> {
    match flag {
        Some(name) if name != "auto" => name.parse().map(Some).map_err(|error| usage(&error)),
        _ if settings.get(Key::StructuredDecoding) == Some("off") => Ok(Some(Mechanism::PromptOnly)),
        _ => Ok(None),
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

/// An environment variable; an empty one is none.
pub(crate) fn variable(name: &str) -> Option<String> {
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
