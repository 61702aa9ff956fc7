//! An endpoint, and single requests to it: where address, key, transport and clock come together.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use crate::capabilities::Capabilities;
use crate::class::ErrorClass;
use crate::config::Config;
use crate::endpoint::Endpoint;
use crate::error::ErrorKind;
use crate::failure::Failure;
use crate::mechanism::Mechanism;
use crate::provider::{KeyHeader, Preset, Provider, Streams};
use crate::reply::Reply;
use crate::retry::Clock;
use crate::stream::{self, Broken};
use crate::transport::{HttpRequest, HttpResponse, Transport, TransportError, TransportErrorKind};
use crate::watch::Watch;
use crate::wire::chat::Delivery;

const LEAST_SECRET: usize = 6;
const ACCEPT_JSON: &str = "application/json";
const ACCEPT_BOTH: &str = "text/event-stream, application/json";

/// An endpoint, and how requests get there.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) endpoint: Endpoint,
    pub(crate) config: Config,
    /// What serves the endpoint, where name or address tell before it is asked.
    pub(crate) provider: Option<Provider>,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) clock: Arc<dyn Clock>,
    /// One permit for each chat request that may be on its way.
    slots: Semaphore,
}

/// What one chat request came to.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) result: Result<Reply, Failure>,
    pub(crate) status: Option<u16>,
    pub(crate) elapsed: Duration,
}

impl Answer {
    pub(crate) fn class(&self) -> Option<ErrorClass> {
        self.result.as_ref().err().map(|failure| failure.class)
    }
}

impl Connection {
    pub(crate) fn new(
        endpoint: Endpoint,
        config: Config,
        transport: Arc<dyn Transport>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let slots = Semaphore::new(config.max_parallel.clamp(1, Semaphore::MAX_PERMITS));
        let provider = Provider::of(config.provider, &endpoint);
        Self { endpoint, config, provider, transport, clock, slots }
    }

    /// A GET, once.
    pub(crate) async fn get(&self, url: String) -> Result<HttpResponse, TransportError> {
        self.transport.send(self.with_headers(HttpRequest::new(url, None))).await
    }

    /// A chat request, once. `patience` bounds the time for its answer, and `watch` may end the reply early.
    pub(crate) async fn chat(
        &self,
        body: String,
        provider: Provider,
        patience: Option<Duration>,
        watch: &mut Watch<'_>,
    ) -> Answer {
        let begun = self.clock.now();
        let request = self.with_headers(HttpRequest::new(self.endpoint.chat_url(provider.preset().api), Some(body)));
        let mut status = None;
        let exchange = async {
            // It is never closed, and a request without a permit would be better than none.
            let _permit = self.slots.acquire().await.ok();
            let answer = self.transport.open(request).await?;
            status = Some(answer.status);
            stream::read(answer, self.config.idle_timeout, self.clock.date(), watch).await
        };
        let result = match patience {
            None => Ok(exchange.await),
            Some(patience) => tokio::time::timeout(patience, exchange).await.map_err(|_| silent(patience)),
        };
        let result = match result {
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(Broken::Answer(failure))) | Err(failure) => Err(failure),
            Ok(Err(Broken::Transport(error))) => Err(self.failure(&error, provider)),
        };
        let result = result.map_err(|failure| failure.without(&self.secrets()));
        Answer { result, status, elapsed: self.since(begun) }
    }

    /// No answer at all, with the hint that fits the address.
    pub(crate) fn failure(&self, error: &TransportError, provider: Provider) -> Failure {
        let is_local = self.endpoint.is_loopback();
        if is_local && self.endpoint.url().starts_with("https:") && error.kind != TransportErrorKind::Refused {
            let hint = "local servers speak plain HTTP: try http:// in place of https://";
            return Failure::from_transport(error, "").with_hint(hint);
        }
        Failure::from_transport(error, if is_local { provider.preset().start } else { "" })
    }

    /// How replies are asked for: as streams, wherever the endpoint gives them together with the mechanism.
    pub(crate) fn delivery(&self, preset: &Preset, mechanism: Mechanism, known: &Capabilities) -> Delivery {
        match preset.streams {
            _ if !self.config.streaming || !known.may_stream() => Delivery::Whole,
            Streams::Unconstrained if mechanism != Mechanism::PromptOnly => Delivery::Whole,
            Streams::Counted | Streams::Unconstrained => Delivery::StreamWithUsage,
            Streams::Uncounted => Delivery::Stream,
        }
    }

    /// What must not be written down: the key, the query of the address, the values of the caller's headers.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let key = self.config.api_key.iter().map(|key| key.expose().to_owned());
        let headers = self.config.headers.iter().map(|(_, value)| value.clone());
        // Shorter ones are none, and stand in words by chance.
        let others = headers.chain(self.endpoint.query().map(str::to_owned)).filter(|text| text.len() >= LEAST_SECRET);
        key.chain(others).collect()
    }

    pub(crate) fn since(&self, begun: Instant) -> Duration {
        self.clock.now().saturating_duration_since(begun)
    }

    fn with_headers(&self, mut request: HttpRequest) -> HttpRequest {
        // A packed stream may be held back until there is enough to pack; it is read if it comes all the same.
        let mut headers = vec![
            ("accept".to_owned(), if request.body.is_some() { ACCEPT_BOTH } else { ACCEPT_JSON }.to_owned()),
            ("accept-encoding".to_owned(), if request.body.is_some() { "identity" } else { "gzip" }.to_owned()),
            ("user-agent".to_owned(), concat!("slm-backends/", env!("CARGO_PKG_VERSION")).to_owned()),
        ];
        if request.body.is_some() {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        let preset = self.provider.unwrap_or_default().preset();
        headers.extend(preset.headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        headers.extend(self.config.api_key.as_ref().map(|key| match preset.key_header {
            KeyHeader::Bearer => ("authorization".to_owned(), format!("Bearer {}", key.expose())),
            KeyHeader::Named(name) => (name.to_owned(), key.expose().to_owned()),
        }));
        // The caller's own come last, so that they replace ours.
        headers.extend(self.config.headers.iter().cloned());
        request.headers = headers;
        request.loopback = self.endpoint.is_loopback();
        request
    }
}

fn silent(patience: Duration) -> Failure {
    let message = format!("no answer within {} s, not even to the list of models", patience.as_secs());
    Failure::new(ErrorKind::Timeout, ErrorClass::Canceled, message)
        .with_hint("something listens there and does not answer: is it a model server, and is it still loading?")
}
