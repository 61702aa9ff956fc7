//! What serves an endpoint, and which models: asked without generating anything.

use std::time::Duration;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::plain::plain;
use crate::provider::Provider;
use crate::transport::HttpResponse;
use crate::wire::models::{Models, is_litellm_alive, read_models, read_props, read_version};

/// A server that is awake lists its models at once, even while it generates.
const PATIENCE: Duration = Duration::from_secs(10);
/// llama.cpp answers 503 to everything while it loads, without saying for how long.
const LOADING_PAUSE: Duration = Duration::from_millis(500);

/// What serves the endpoint, as far as it says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Its version or build.
    pub version: Option<String>,
}

/// Did anything answer?
#[derive(Debug, Clone)]
pub(crate) enum Reach {
    /// Yes, with this status.
    Answered(u16),
    /// No connection.
    Unreachable(Failure),
    /// A connection, and nothing on it.
    Silent,
}

/// What is known about an endpoint before anything is generated.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    pub(crate) reach: Reach,
    pub(crate) provider: Provider,
    pub(crate) server: Option<Server>,
    pub(crate) models: Vec<String>,
    pub(crate) builds: Vec<String>,
    pub(crate) window: Option<u64>,
    pub(crate) slots: Option<u64>,
    pub(crate) supports_tools: Option<bool>,
    pub(crate) latency: Option<Duration>,
}

impl Identity {
    fn unknown(provider: Option<Provider>, reach: Reach) -> Self {
        Self {
            reach,
            provider: provider.unwrap_or_default(),
            server: None,
            models: Vec::new(),
            builds: Vec::new(),
            window: None,
            slots: None,
            supports_tools: None,
            latency: None,
        }
    }

    /// Nothing was asked: everything that matters is configured.
    pub(crate) fn configured(provider: Provider) -> Self {
        Self::unknown(Some(provider), Reach::Answered(200))
    }

    pub(crate) fn is_reachable(&self) -> bool {
        matches!(self.reach, Reach::Answered(_))
    }

    /// What tells this server, with this model, from another one behind the same address.
    pub(crate) fn fingerprint(&self, model: &str) -> String {
        let server = self.server.as_ref();
        let name = server.map(|server| server.name.as_str()).unwrap_or_default();
        let version = server.and_then(|server| server.version.as_deref()).unwrap_or_default();
        // A server of one model takes any name for it: what it lists counts.
        let place = self.models.iter().position(|known| known == model).unwrap_or(0);
        let listed = self.models.get(place).map(String::as_str).unwrap_or_default();
        let build = self.builds.get(place).map(String::as_str).unwrap_or_default();
        plain(&[self.provider.as_str(), name, version, listed, build].join(" | "))
    }

    pub(crate) fn is_silent(&self) -> bool {
        matches!(self.reach, Reach::Silent)
    }
}

/// Asks the endpoint what it is. Never an error: what cannot be found out stays unknown.
pub(crate) async fn identify(connection: &Connection) -> Identity {
    let configured = connection.provider;
    let address = connection.endpoint.models_url(configured.unwrap_or_default().preset().api);
    loop {
        let begun = connection.clock.now();
        let asked = connection.get(address.clone());
        match tokio::time::timeout(PATIENCE, asked).await {
            Err(_) => return Identity::unknown(configured, Reach::Silent),
            Ok(Err(error)) => {
                let failure = connection.failure(&error, configured.unwrap_or_default());
                return Identity::unknown(configured, Reach::Unreachable(failure));
            }
            Ok(Ok(answer)) if is_loading(&answer) => connection.clock.sleep(LOADING_PAUSE).await,
            Ok(Ok(answer)) => {
                let latency = connection.since(begun);
                let listed = (answer.status == 200).then(|| read_models(&answer.text())).flatten().unwrap_or_default();
                let claims_openai = listed.owned_by.as_deref() == Some("openai");
                let mut identity = from_models(listed, &answer, configured);
                identity.latency = Some(latency);
                ask_more(connection, claims_openai, &mut identity).await;
                return identity;
            }
        }
    }
}

/// Is it llama.cpp's "Loading model"?
pub(crate) fn is_loading(answer: &HttpResponse) -> bool {
    answer.status == 503 && answer.text().contains("Loading model")
}

fn from_models(listed: Models, answer: &HttpResponse, configured: Option<Provider>) -> Identity {
    let Models { ids, builds, owned_by, window } = listed;
    let signs = [owned_by.as_deref(), answer.header("server")];
    // Nothing else has a list of this form there.
    let is_ollama = configured == Some(Provider::OllamaChat) && !ids.is_empty();
    let by_sign = signs.into_iter().flatten().find_map(Provider::from_sign);
    let recognised = by_sign.or(Some(Provider::Ollama).filter(|_| is_ollama));
    let server = match (recognised, answer.header("server")) {
        (Some(provider), _) => Some(Server { name: provider.as_str().to_owned(), version: None }),
        (None, Some(header)) => Some(Server { name: plain(header), version: None }),
        (None, None) => None,
    };
    let provider = configured.or(recognised).unwrap_or_default();
    Identity {
        provider,
        server,
        models: ids,
        builds,
        window,
        ..Identity::unknown(configured, Reach::Answered(answer.status))
    }
}

/// What servers tell in places of their own.
async fn ask_more(connection: &Connection, claims_openai: bool, identity: &mut Identity) {
    let ask = async |path: &str| {
        let asked = connection.get(connection.endpoint.beside(path));
        match tokio::time::timeout(PATIENCE, asked).await {
            Ok(Ok(answer)) if answer.status == 200 => Some(answer),
            _ => None,
        }
    };
    // Where a gateway hides what it is, only `/props` can give llama.cpp away. A hosted API is not asked for it.
    let may_hide_it = identity.provider == Provider::Custom
        && connection.endpoint.is_loopback()
        && matches!(identity.reach, Reach::Answered(200));
    let may_be_llama_cpp = may_hide_it || identity.provider == Provider::LlamaCpp;
    if may_be_llama_cpp && let Some(props) = ask("/props").await.and_then(|answer| read_props(&answer.text())) {
        if connection.provider.is_none() {
            identity.provider = Provider::LlamaCpp;
        }
        let version = props.build.as_deref().map(plain);
        identity.server = Some(Server { name: Provider::LlamaCpp.as_str().to_owned(), version });
        identity.window = props.window.or(identity.window);
        identity.slots = props.slots;
        identity.supports_tools = props.supports_tools;
    }
    // It claims to be OpenAI; at a host that is not, its sign of life tells.
    let may_be_litellm = claims_openai && matches!(identity.provider, Provider::Custom | Provider::Litellm);
    if may_be_litellm && ask("/health/liveliness").await.is_some_and(|answer| is_litellm_alive(&answer.text())) {
        if connection.provider.is_none() {
            identity.provider = Provider::Litellm;
        }
        identity.server = Some(Server { name: Provider::Litellm.as_str().to_owned(), version: None });
    }
    if let Some(path) = identity.provider.preset().version_path {
        let version = ask(path).await.and_then(|answer| read_version(&answer.text()));
        if let (Some(server), Some(version)) = (&mut identity.server, version) {
            server.version = Some(plain(&version));
        }
    }
}
