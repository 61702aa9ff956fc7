//! How a client behaves.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::api_key::ApiKey;
use crate::mechanism::Mechanism;
use crate::provider::Provider;
use crate::retry::RetryPolicy;

/// How a client behaves. Every field has a default that fits a local server.
#[derive(Clone)]
pub struct Config {
    /// The model; the first that the endpoint lists if none is named.
    pub model: Option<String>,
    /// What serves the endpoint; found out if it is not named.
    pub provider: Option<Provider>,
    /// Sent as a bearer token.
    pub api_key: Option<ApiKey>,
    /// Forces a mechanism: no probe is sent and no ladder is walked.
    pub mechanism: Option<Mechanism>,
    /// For a whole call, with everything that it sends and waits for.
    pub timeout: Duration,
    /// How long a reply that has begun may pause.
    pub idle_timeout: Duration,
    /// Ask for replies as streams, where the endpoint gives them together with the mechanism: a stream that is dropped stops
    /// the server, and one that runs away is ended early.
    pub streaming: bool,
    /// How often a reply that breaks its contract is asked for again.
    pub max_reasks: u32,
    /// Requests to the endpoint at once, over all clones of a client; further ones wait. At least one.
    pub max_parallel: usize,
    /// Where what is learnt about endpoints is kept between runs, in `capabilities.json`. `None`: nowhere.
    pub cache_dir: Option<PathBuf>,
    /// Finds everything out anew, whatever the cache says.
    pub refresh: bool,
    /// Sent with every request.
    pub headers: Vec<(String, String)>,
    /// When a failed request is sent again.
    pub retry: RetryPolicy,
    /// The same for free text.
    pub plain_retry: RetryPolicy,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            model: None,
            provider: None,
            api_key: None,
            mechanism: None,
            timeout: Duration::from_mins(5),
            idle_timeout: Duration::from_mins(1),
            streaming: true,
            max_reasks: 1,
            max_parallel: 8,
            cache_dir: None,
            refresh: false,
            headers: Vec::new(),
            retry: RetryPolicy::default(),
            plain_retry: RetryPolicy::default(),
        }
    }
}

impl fmt::Debug for Config {
    /// Headers by name alone: their values may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            model,
            provider,
            api_key,
            mechanism,
            timeout,
            idle_timeout,
            streaming,
            max_reasks,
            max_parallel,
            cache_dir,
            refresh,
            headers,
            retry,
            plain_retry,
        } = self;
        let headers: Vec<&str> = headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Config")
            .field("model", model)
            .field("provider", provider)
            .field("api_key", api_key)
            .field("mechanism", mechanism)
            .field("timeout", timeout)
            .field("idle_timeout", idle_timeout)
            .field("streaming", streaming)
            .field("max_reasks", max_reasks)
            .field("max_parallel", max_parallel)
            .field("cache_dir", cache_dir)
            .field("refresh", refresh)
            .field("headers", &headers)
            .field("retry", retry)
            .field("plain_retry", plain_retry)
            .finish()
    }
}
