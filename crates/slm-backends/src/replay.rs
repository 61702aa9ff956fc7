//! Answers requests from recorded exchanges: no endpoint, no network.

use std::path::Path;
use std::sync::Mutex;

use serde_json::Value;

use crate::base64;
use crate::error::{Error, ErrorKind};
use crate::record::path;
use crate::retry::BoxFuture;
use crate::transport::{
    HttpBody, HttpRequest, HttpResponse, HttpStream, Transport, TransportError, TransportErrorKind,
};

/// A transport that answers from files: those that [`RecordingTransport`](crate::RecordingTransport) wrote, or written by
/// hand.
///
/// A file is `{"request": {"method", "path", "body"}, "response": {"status", "headers", "body" | "sse" | "sse_base64"}}`. A
/// request is answered by the first exchange with its method, path and body that has not been used, or else by the last
/// of them; without `request` an exchange answers every POST. What nothing answers is an error of the transport.
#[derive(Debug)]
pub struct ReplayTransport {
    exchanges: Mutex<Vec<Exchange>>,
}

#[derive(Debug)]
struct Exchange {
    request: Option<Value>,
    answer: Answer,
    used: bool,
}

#[derive(Debug, Clone)]
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    pieces: Vec<Vec<u8>>,
}

impl ReplayTransport {
    /// Reads a file, or the `.json` files of a directory in the order of their names.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is no exchange; the error names it.
    pub fn read(place: impl AsRef<Path>) -> Result<Self, Error> {
        let place = place.as_ref();
        let failed = |error: std::io::Error| refused(place, &error.to_string());
        let mut files = Vec::new();
        if place.is_dir() {
            for entry in std::fs::read_dir(place).map_err(failed)? {
                files.push(entry.map_err(failed)?.path());
            }
            files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
            files.sort();
        } else {
            files.push(place.to_owned());
        }
        let exchanges = files.iter().map(|file| {
            let text = std::fs::read_to_string(file).map_err(|error| refused(file, &error.to_string()))?;
            let value: Value = serde_json::from_str(&text).map_err(|error| refused(file, &error.to_string()))?;
            Exchange::parse(&value).ok_or_else(|| refused(file, "it is no exchange: there is no usable \"response\""))
        });
        Ok(Self { exchanges: Mutex::new(exchanges.collect::<Result<_, _>>()?) })
    }

    fn find(&self, request: &HttpRequest) -> Result<Answer, TransportError> {
        let unanswered = || {
            let method = if request.body.is_some() { "POST" } else { "GET" };
            let message = format!("no recorded exchange answers this {method} {}", path(&request.url));
            TransportError::new(TransportErrorKind::Unsendable, message)
        };
        let mut exchanges = self.exchanges.lock().map_err(|_| unanswered())?;
        let body: Option<Value> = request.body.as_deref().map(|body| serde_json::from_str(body).unwrap_or(Value::Null));
        let mut fitting = exchanges.iter_mut().filter(|exchange| exchange.answers(request, body.as_ref()));
        let mut found = fitting.next().ok_or_else(unanswered)?;
        for other in fitting {
            if !found.used {
                break;
            }
            found = other;
        }
        found.used = true;
        Ok(found.answer.clone())
    }
}

fn refused(file: &Path, why: &str) -> Error {
    Error::new(ErrorKind::Config, format!("{}: {why}", file.display()))
}

impl Exchange {
    fn parse(value: &Value) -> Option<Self> {
        let response = value.get("response")?;
        let texts = |name: &str| response.get(name)?.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>();
        let pieces = match (texts("sse"), texts("sse_base64"), response.get("body")) {
            (Some(texts), _, _) => texts.into_iter().map(|text| text.as_bytes().to_vec()).collect(),
            (None, Some(texts), _) => texts.into_iter().map(base64::decode).collect::<Option<_>>()?,
            (None, None, Some(Value::String(text))) => vec![text.clone().into_bytes()],
            (None, None, body) => vec![body.map(Value::to_string).unwrap_or_default().into_bytes()],
        };
        let headers = response.get("headers").and_then(Value::as_object);
        let header = |(name, value): (&String, &Value)| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned()));
        let answer = Answer {
            status: response.get("status")?.as_u64()?.try_into().ok()?,
            headers: headers.into_iter().flatten().filter_map(header).collect(),
            pieces,
        };
        Some(Self { request: value.get("request").cloned(), answer, used: false })
    }

    fn answers(&self, request: &HttpRequest, body: Option<&Value>) -> bool {
        let Some(recorded) = &self.request else { return request.body.is_some() };
        let method = if request.body.is_some() { "POST" } else { "GET" };
        recorded.get("method").and_then(Value::as_str) == Some(method)
            && recorded.get("path").and_then(Value::as_str) == Some(path(&request.url))
            && recorded.get("body").filter(|body| !body.is_null()) == body
    }
}

impl Transport for ReplayTransport {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let found = self.find(&request);
        Box::pin(std::future::ready(found.map(|answer| HttpResponse {
            status: answer.status,
            headers: answer.headers,
            body: answer.pieces.concat(),
        })))
    }

    fn open(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpStream, TransportError>> {
        let found = self.find(&request);
        Box::pin(std::future::ready(
            found.map(|answer| {
                HttpStream::new(answer.status, answer.headers, Box::new(Pieces(answer.pieces.into_iter())))
            }),
        ))
    }
}

struct Pieces(std::vec::IntoIter<Vec<u8>>);

impl HttpBody for Pieces {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, TransportError>> {
        Box::pin(std::future::ready(Ok(self.0.next())))
    }
}
