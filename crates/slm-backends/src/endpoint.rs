//! The endpoint's address, normalised once.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use crate::api::Api;
use crate::error::{Error, ErrorKind};
use crate::plain::plain;

/// Tails of an address that people paste with it.
const PASTED_TAILS: [(&str, Option<Api>); 6] = [
    ("/chat/completions", Some(Api::Completions)),
    ("/completions", Some(Api::Completions)),
    ("/responses", Some(Api::Completions)),
    ("/messages", Some(Api::Messages)),
    ("/api/chat", Some(Api::OllamaChat)),
    ("/models", None),
];

/// The base address of an OpenAI-like API, such as `http://127.0.0.1:8080/v1`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Endpoint {
    origin: String,
    host: String,
    path: String,
    query: Option<String>,
    url: String,
    named_api: Option<Api>,
}

impl Endpoint {
    /// Reads an address.
    ///
    /// Slashes are trimmed, `/v1` is appended where the path is empty, a pasted `/chat/completions` is removed. An address
    /// that ends in `/v1/messages` or `/api/chat` asks for Anthropic's or Ollama's own API.
    ///
    /// # Errors
    ///
    /// The scheme is not `http` or `https`; there is no host; the port is no number; a user name or password stands in it.
    ///
    /// ```
    /// use slm_backends::Endpoint;
    ///
    /// assert_eq!(Endpoint::parse("http://127.0.0.1:8080/")?.url(), "http://127.0.0.1:8080/v1");
    /// # Ok::<(), slm_backends::Error>(())
    /// ```
    pub fn parse(url: &str) -> Result<Self, Error> {
        let url = url.trim();
        if url.is_empty() {
            return Err(invalid("the endpoint's address is empty".to_owned()).with_hint(EXAMPLE));
        }
        if url.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(invalid("the endpoint's address holds white space or control characters".to_owned()));
        }
        let Some((scheme, rest)) = url.split_once("://") else { return Err(no_scheme(url)) };
        let scheme = scheme.to_ascii_lowercase();
        let default_port = match scheme.as_str() {
            "http" => "80",
            "https" => "443",
            _ => {
                let message = format!("an endpoint is http or https, not \"{}\"", plain(&scheme).escape_debug());
                return Err(invalid(message).with_hint(EXAMPLE));
            }
        };
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query.to_owned()).filter(|query| !query.is_empty())),
            None => (rest, None),
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err(invalid("the endpoint's address holds a user name or password".to_owned())
                .with_hint("leave it out of the address and set SLMCODE_API_KEY"));
        }
        let (host, port) = host_and_port(authority)?;
        let port = port.filter(|port| *port != default_port).map(|port| format!(":{port}")).unwrap_or_default();
        let origin = format!("{scheme}://{host}{port}");
        let (path, named_api) = normal_path(path);
        let url = format!("{origin}{path}");
        Ok(Self { origin, host, path, query, url, named_api })
    }

    /// The normalised base address, without a trailing slash and without a query.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Is it this very machine? Then no proxy stands between.
    pub fn is_loopback(&self) -> bool {
        let host = self.host.as_str();
        host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || host == "[::1]"
    }

    pub(crate) fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// The API that the address was given with.
    pub(crate) fn named_api(&self) -> Option<Api> {
        self.named_api
    }

    /// The address of one API call.
    pub(crate) fn api(&self, tail: &str) -> String {
        format!("{}{tail}{}", self.url, self.query_text())
    }

    /// Where chat requests go.
    pub(crate) fn chat_url(&self, api: Api) -> String {
        match api {
            Api::Completions => self.api("/chat/completions"),
            Api::Messages => self.api("/messages"),
            Api::OllamaChat => self.beside("/api/chat"),
        }
    }

    /// Where the models are listed.
    pub(crate) fn models_url(&self, api: Api) -> String {
        match api {
            Api::Completions | Api::Messages => self.api("/models"),
            Api::OllamaChat => self.beside("/api/tags"),
        }
    }

    /// The address of a path beside the API, where servers keep what is their own: `/props`, `/version`.
    pub(crate) fn beside(&self, path: &str) -> String {
        let own = ["/v1", "/api"].iter().find_map(|tail| self.path.strip_suffix(tail));
        let parent = own.unwrap_or(&self.path);
        format!("{}{parent}{path}{}", self.origin, self.query_text())
    }

    /// Does the path end in a version, as OpenAI-like APIs have it?
    pub(crate) fn names_a_version(&self) -> bool {
        self.path.rsplit('/').next().is_some_and(|last| {
            last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    }

    fn query_text(&self) -> String {
        self.query.as_ref().map(|query| format!("?{query}")).unwrap_or_default()
    }
}

const EXAMPLE: &str = "an address looks like http://127.0.0.1:8080/v1";

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::Config, message)
}

fn no_scheme(url: &str) -> Error {
    // What stands before an `@` may be a password: it is not shown.
    let shown = plain(url.rsplit('@').next().unwrap_or_default().split('?').next().unwrap_or_default());
    invalid(format!("the endpoint \"{shown}\" has no scheme")).with_hint(format!("did you mean http://{shown}?"))
}

fn host_and_port(authority: &str) -> Result<(String, Option<&str>), Error> {
    // The colons of an IPv6 address stand inside brackets.
    let after_host = authority.rfind(']').map_or(0, |bracket| bracket + 1);
    let tail = authority.get(after_host..).unwrap_or_default();
    let (host, port) = match tail.rfind(':') {
        Some(colon) => {
            let (host, port) = authority.split_at(after_host + colon);
            (host, port.strip_prefix(':').filter(|port| !port.is_empty()))
        }
        None => (authority, None),
    };
    let is_host = match host.strip_prefix('[') {
        Some(inner) => inner.strip_suffix(']').is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok()),
        None => !host.is_empty() && !host.contains(['[', ']', ':', '\\']),
    };
    if !is_host {
        return Err(invalid("the endpoint's address names no host".to_owned()).with_hint(EXAMPLE));
    }
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok();
    if port.is_some_and(|port| !is_port(port)) {
        return Err(invalid("the endpoint's port is no number from 0 to 65535".to_owned()).with_hint(EXAMPLE));
    }
    Ok((host.to_ascii_lowercase(), port))
}

fn normal_path(path: &str) -> (String, Option<Api>) {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let mut path: String = segments.iter().flat_map(|segment| ["/", segment]).collect();
    let mut named = None;
    let tail_of = |path: &str| PASTED_TAILS.iter().find(|(tail, _)| path.ends_with(tail)).copied();
    while let Some((tail, api)) = tail_of(&path) {
        path.truncate(path.len() - tail.len());
        named = named.or(api);
    }
    while let Some(base) = path.strip_suffix("/v1/v1") {
        path = format!("{base}/v1");
    }
    (if path.is_empty() { "/v1".to_owned() } else { path }, named)
}

impl FromStr for Endpoint {
    type Err = Error;

    fn from_str(url: &str) -> Result<Self, Error> {
        Self::parse(url)
    }
}

impl fmt::Display for Endpoint {
    /// The address without its query, which may hold a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.url)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Endpoint").field(&self.url).finish()
    }
}
