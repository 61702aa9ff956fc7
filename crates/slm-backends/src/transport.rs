//! HTTP underneath: the only file that names reqwest.

use std::error::Error as _;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::retry::BoxFuture;

/// No reply of a model is anywhere near this size.
pub(crate) const LARGEST_BODY: usize = 16 << 20;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Words by which TLS says that it failed.
const TLS_WORDS: [&str; 6] =
    ["certificate", "tls", "handshake", "corrupt message", "fatal alert", "peer is incompatible"];

/// What is asked of an endpoint.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpRequest {
    /// The address.
    pub url: String,
    /// The headers; one of them may be a key, so `Debug` shows their names alone.
    pub headers: Vec<(String, String)>,
    /// The body of a POST; a request without one is a GET.
    pub body: Option<String>,
    /// Is the address this very machine? Then it is asked without a proxy.
    pub loopback: bool,
}

impl HttpRequest {
    pub(crate) fn new(url: String, body: Option<String>) -> Self {
        Self { url, headers: Vec::new(), body, loopback: false }
    }
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        let url = self.url.split('?').next().unwrap_or_default();
        f.debug_struct("HttpRequest").field("url", &url).field("headers", &headers).finish_non_exhaustive()
    }
}

/// What an endpoint answered, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// The headers; names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// A header by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as text; bytes that are none are replaced.
    pub(crate) fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

/// An answer whose body is still coming. Dropping it ends the request: a server that notices stops generating.
#[non_exhaustive]
pub struct HttpStream {
    /// The status.
    pub status: u16,
    /// The headers; names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Box<dyn HttpBody>,
}

impl HttpStream {
    /// An answer with this head, whose body comes from `body`.
    #[must_use]
    pub fn new(status: u16, headers: Vec<(String, String)>, body: Box<dyn HttpBody>) -> Self {
        Self { status, headers, body }
    }
}

impl fmt::Debug for HttpStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpStream").field("status", &self.status).finish_non_exhaustive()
    }
}

impl From<HttpResponse> for HttpStream {
    /// The whole body as one piece.
    fn from(response: HttpResponse) -> Self {
        Self::new(response.status, response.headers, Box::new(Whole(Some(response.body))))
    }
}

/// A body that comes in pieces.
pub trait HttpBody: Send {
    /// The next piece; `None` after the last.
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, TransportError>>;
}

struct Whole(Option<Vec<u8>>);

impl HttpBody for Whole {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, TransportError>> {
        let piece = self.0.take();
        Box::pin(std::future::ready(Ok(piece)))
    }
}

/// Why there was no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// Nobody listens there, or the way to it is closed.
    Refused,
    /// The host's name is not known.
    UnknownHost,
    /// The connection broke before the answer was whole.
    Reset,
    /// No connection within the time for one.
    Timeout,
    /// TLS could not be agreed on.
    Tls,
    /// The answer was larger than any reply is.
    TooLarge,
    /// The answer was packed, and could not be unpacked.
    Packed,
    /// The request could not be sent as it is.
    Unsendable,
}

/// No answer: why, and the words of whoever noticed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TransportError {
    /// Why.
    pub kind: TransportErrorKind,
    /// In words.
    pub message: String,
}

impl TransportError {
    /// An error of this kind.
    pub fn new(kind: TransportErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn too_large() -> Self {
        Self::new(TransportErrorKind::TooLarge, format!("the answer is larger than {} MB", LARGEST_BODY >> 20))
    }
}

/// Sends requests. The default one is real; tests bring their own.
///
/// It answers every status with `Ok`, follows no redirect, and never sends a request twice.
pub trait Transport: fmt::Debug + Send + Sync {
    /// Sends one request, and waits for the whole answer.
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>>;

    /// Sends one request, and gives its answer as soon as it begins. Left out, the whole answer is waited for.
    fn open(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpStream, TransportError>> {
        Box::pin(async move { self.send(request).await.map(HttpStream::from) })
    }
}

/// The real one: HTTP/1.1, a body of at most 16 MB once it is unpacked (gzip), no proxy for this very machine.
#[derive(Debug, Default)]
pub struct HttpTransport {
    // Made when first needed: reading the system's certificates takes time that a local call does not have to spend twice.
    direct: OnceLock<Result<reqwest::Client, TransportError>>,
    proxied: OnceLock<Result<reqwest::Client, TransportError>>,
}

impl HttpTransport {
    /// A transport with connections of its own.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn client(&self, loopback: bool) -> Result<&reqwest::Client, TransportError> {
        let build = |builder: reqwest::ClientBuilder| builder.build().map_err(|error| read_error(&error));
        let client = if loopback {
            self.direct.get_or_init(|| build(builder().no_proxy()))
        } else {
            self.proxied.get_or_init(|| build(builder()))
        };
        client.as_ref().map_err(Clone::clone)
    }
}

fn builder() -> reqwest::ClientBuilder {
    // A redirect to another host would carry the key there; a base address that moved is better told than followed.
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT_TIMEOUT)
}

impl Transport for HttpTransport {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        Box::pin(async move {
            let mut answer = begin(self.client(request.loopback)?, request).await?;
            let mut body = Vec::new();
            while let Some(piece) = answer.body.next().await? {
                if body.len() + piece.len() > LARGEST_BODY {
                    return Err(TransportError::too_large());
                }
                body.extend_from_slice(&piece);
            }
            Ok(HttpResponse { status: answer.status, headers: answer.headers, body })
        })
    }

    fn open(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpStream, TransportError>> {
        Box::pin(async move { begin(self.client(request.loopback)?, request).await })
    }
}

struct Coming(reqwest::Response);

impl HttpBody for Coming {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, TransportError>> {
        Box::pin(async move {
            let piece = self.0.chunk().await.map_err(|error| read_error(&error))?;
            Ok(piece.map(|piece| piece.to_vec()))
        })
    }
}

async fn begin(client: &reqwest::Client, request: HttpRequest) -> Result<HttpStream, TransportError> {
    let headers = header_map(&request.headers)?;
    let builder = match request.body {
        Some(body) => client.post(&request.url).body(body),
        None => client.get(&request.url),
    };
    let response = builder.headers(headers).send().await.map_err(|error| read_error(&error))?;
    let status = response.status().as_u16();
    let headers = response
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    Ok(HttpStream::new(status, headers, Box::new(Coming(response))))
}

fn header_map(headers: &[(String, String)]) -> Result<HeaderMap, TransportError> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let unsendable = || {
            let message = format!("the header \"{}\" cannot be sent", name.escape_debug());
            TransportError::new(TransportErrorKind::Unsendable, message)
        };
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsendable())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| unsendable())?;
        value.set_sensitive(true);
        map.insert(name, value);
    }
    Ok(map)
}

/// Can this header be sent?
pub(crate) fn is_header(name: &str, value: &str) -> bool {
    HeaderName::from_bytes(name.as_bytes()).is_ok() && HeaderValue::from_str(value).is_ok()
}

fn read_error(error: &reqwest::Error) -> TransportError {
    let mut causes = Vec::new();
    let mut cause = error.source();
    let mut io_kind = None;
    while let Some(error) = cause {
        if let Some(io) = error.downcast_ref::<std::io::Error>() {
            io_kind = Some(io.kind());
        }
        causes.push(error.to_string());
        cause = error.source();
    }
    // The outermost text repeats the address, with its query.
    let message = causes.last().cloned().unwrap_or_else(|| "the request failed".to_owned());
    let all = causes.join(": ").to_ascii_lowercase();
    let kind = if error.is_builder() {
        TransportErrorKind::Unsendable
    } else if error.is_decode() && error.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>) {
        // What the connection itself did wrong stands one level deeper.
        TransportErrorKind::Packed
    } else if error.is_timeout() {
        TransportErrorKind::Timeout
    } else if TLS_WORDS.iter().any(|word| all.contains(word)) {
        TransportErrorKind::Tls
    } else if all.contains("dns error") || all.contains("failed to lookup") {
        TransportErrorKind::UnknownHost
    } else if error.is_connect() && io_kind != Some(std::io::ErrorKind::ConnectionReset) {
        TransportErrorKind::Refused
    } else {
        TransportErrorKind::Reset
    };
    TransportError::new(kind, message)
}
