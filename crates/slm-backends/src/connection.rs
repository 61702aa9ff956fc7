//! An endpoint, and single requests to it: where address, key, transport and clock come together.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::class::ErrorClass;
use crate::config::Config;
use crate::endpoint::Endpoint;
use crate::error::ErrorKind;
use crate::failure::Failure;
use crate::provider::Provider;
use crate::reply::Reply;
use crate::retry::Clock;
use crate::transport::{HttpRequest, HttpResponse, Transport, TransportError, TransportErrorKind};

/// An endpoint, and how requests get there.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) endpoint: Endpoint,
    pub(crate) config: Config,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) clock: Arc<dyn Clock>,
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
    /// A GET, once.
    pub(crate) async fn get(&self, url: String) -> Result<HttpResponse, TransportError> {
        self.transport.send(self.with_headers(HttpRequest::new(url, None))).await
    }

    /// A chat request, once. `patience` bounds the wait for its answer.
    pub(crate) async fn chat(&self, body: String, provider: Provider, patience: Option<Duration>) -> Answer {
        let begun = self.clock.now();
        let request = self.with_headers(HttpRequest::new(self.endpoint.api("/chat/completions"), Some(body)));
        let sent = self.transport.send(request);
        let answer = match patience {
            None => Ok(sent.await),
            Some(patience) => tokio::time::timeout(patience, sent).await.map_err(|_| patience),
        };
        let (result, status) = match answer {
            Ok(Ok(response)) => (Reply::read(&response, self.clock.date()), Some(response.status)),
            Ok(Err(error)) => (Err(self.failure(&error, provider)), None),
            Err(patience) => (Err(silent(patience)), None),
        };
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

    pub(crate) fn since(&self, begun: Instant) -> Duration {
        self.clock.now().saturating_duration_since(begun)
    }

    fn with_headers(&self, mut request: HttpRequest) -> HttpRequest {
        let mut headers = vec![
            ("accept".to_owned(), "application/json".to_owned()),
            ("accept-encoding".to_owned(), "identity".to_owned()),
            ("user-agent".to_owned(), concat!("slm-backends/", env!("CARGO_PKG_VERSION")).to_owned()),
        ];
        if request.body.is_some() {
            headers.push(("content-type".to_owned(), "application/json".to_owned()));
        }
        if let Some(key) = &self.config.api_key {
            headers.push(("authorization".to_owned(), format!("Bearer {}", key.expose())));
        }
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
