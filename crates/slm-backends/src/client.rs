//! One endpoint, and calls to it.

use std::sync::Arc;

use slm_schema::Contract;

use crate::config::Config;
use crate::diagnose::Diagnosis;
use crate::endpoint::Endpoint;
use crate::error::{Error, ErrorKind};
use crate::outcome::Outcome;
use crate::request::Request;

/// A client of one endpoint. Clones share what was learnt about it.
#[derive(Debug, Clone)]
pub struct Client(Arc<(Endpoint, Config)>);

impl Client {
    /// A client with the default configuration.
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        Self(Arc::new((endpoint, Config::default())))
    }

    /// A client with this configuration.
    ///
    /// # Errors
    ///
    /// A header, or the key, cannot be sent.
    pub fn with_config(endpoint: Endpoint, config: Config) -> Result<Self, Error> {
        Ok(Self(Arc::new((endpoint, config))))
    }

    /// One structured call.
    ///
    /// # Errors
    ///
    /// The request cannot be sent as it is, or no reply came.
    pub async fn structured(&self, contract: &Contract, request: impl Into<Request>) -> Result<Outcome, Error> {
        let request = request.into();
        request.check()?;
        Err(Error::new(ErrorKind::Connect, format!("{}: {} is not called yet", self.0.0, contract.name())))
    }

    /// What the endpoint is and does. Never an error.
    pub async fn diagnose(&self) -> Diagnosis {
        Diagnosis {
            reachable: false,
            server: None,
            provider: self.0.1.provider.unwrap_or_default(),
            endpoint: self.0.0.clone(),
            model: None,
            models: Vec::new(),
            context_window: None,
            slots: None,
            latency: None,
            mechanisms: Vec::new(),
            selected: crate::mechanism::Mechanism::PromptOnly,
            causes: Vec::new(),
        }
    }
}
