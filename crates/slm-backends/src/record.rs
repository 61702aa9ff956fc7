//! Writes exchanges with an endpoint to files, without secrets, so that tests can replay them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};

use crate::base64;
use crate::plain::without_secrets;
use crate::retry::BoxFuture;
use crate::transport::{HttpBody, HttpRequest, HttpResponse, HttpStream, Transport, TransportError};

/// Headers that may be written down; all others may be a key.
const OPEN_HEADERS: [&str; 4] = ["accept", "accept-encoding", "content-type", "user-agent"];
/// Headers of answers that stand for a session.
const CLOSED_HEADERS: [&str; 3] = ["set-cookie", "www-authenticate", "authorization"];

/// A transport that writes down what another one sends and gets: one file an exchange, in order.
///
/// Keys, cookies and the query of the address are left out, and whatever a request's other headers held is cut out of the
/// bodies. Prompts and replies are written as they are. [`ReplayTransport`](crate::ReplayTransport) reads the files.
#[derive(Debug)]
pub struct RecordingTransport {
    inner: Arc<dyn Transport>,
    directory: PathBuf,
    count: AtomicUsize,
}

impl RecordingTransport {
    /// Records what `inner` does into files in this directory, which is made if it is not there.
    #[must_use]
    pub fn new(inner: Arc<dyn Transport>, directory: impl Into<PathBuf>) -> Self {
        Self { inner, directory: directory.into(), count: AtomicUsize::new(0) }
    }

    fn page(&self, request: &HttpRequest) -> Page {
        let number = self.count.fetch_add(1, Ordering::SeqCst);
        let closed = request.headers.iter().filter(|(name, _)| !OPEN_HEADERS.contains(&name.as_str()));
        let secrets: Vec<String> =
            closed.map(|(_, value)| value.trim_start_matches("Bearer ").to_owned()).filter(|v| v.len() >= 6).collect();
        let (url, query) = request.url.split_once('?').unwrap_or((&request.url, ""));
        let secrets: Vec<String> = secrets.into_iter().chain([query.to_owned()]).collect();
        let body = request.body.as_deref().map(|body| document(&without_secrets(body, &secrets)));
        let method = if request.body.is_some() { "POST" } else { "GET" };
        let request = json!({"method": method, "path": path(url), "body": body});
        Page { file: self.directory.join(format!("{number:04}.json")), secrets, request }
    }
}

impl Transport for RecordingTransport {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        Box::pin(async move {
            let page = self.page(&request);
            let response = self.inner.send(request).await?;
            page.write(response.status, &response.headers, std::slice::from_ref(&response.body));
            Ok(response)
        })
    }

    fn open(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpStream, TransportError>> {
        Box::pin(async move {
            let page = self.page(&request);
            let answer = self.inner.open(request).await?;
            let (status, headers) = (answer.status, answer.headers.clone());
            let body =
                Recorded { inner: answer.body, page: Some(page), status, headers: answer.headers, pieces: Vec::new() };
            Ok(HttpStream::new(status, headers, Box::new(body)))
        })
    }
}

/// A body that is written down when it has ended, or when whoever reads it has had enough.
struct Recorded {
    inner: Box<dyn HttpBody>,
    page: Option<Page>,
    status: u16,
    headers: Vec<(String, String)>,
    pieces: Vec<Vec<u8>>,
}

impl HttpBody for Recorded {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, TransportError>> {
        Box::pin(async move {
            let piece = self.inner.next().await?;
            self.pieces.extend(piece.clone());
            Ok(piece)
        })
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        if let Some(page) = self.page.take() {
            page.write(self.status, &self.headers, &self.pieces);
        }
    }
}

/// One exchange on its way to a file.
struct Page {
    file: PathBuf,
    secrets: Vec<String>,
    request: Value,
}

impl Page {
    fn write(self, status: u16, headers: &[(String, String)], pieces: &[Vec<u8>]) {
        let open = headers.iter().filter(|(name, _)| !CLOSED_HEADERS.contains(&name.as_str()));
        let text = |value: &str| Value::from(without_secrets(value, &self.secrets));
        let headers: Map<String, Value> = open.map(|(name, value)| (name.clone(), text(value))).collect();
        let is_stream =
            headers.get("content-type").and_then(Value::as_str).is_some_and(|kind| kind.contains("event-stream"));
        let mut response = json!({"status": status, "headers": headers});
        let texts: Result<Vec<&str>, _> = pieces.iter().map(|piece| std::str::from_utf8(piece)).collect();
        let (name, body) = match texts {
            Ok(texts) if is_stream => ("sse", texts.into_iter().map(text).collect()),
            // A piece may end inside a character.
            Err(_) if is_stream => {
                ("sse_base64", pieces.iter().map(|piece| Value::from(base64::encode(piece))).collect())
            }
            _ => {
                let whole = String::from_utf8_lossy(&pieces.concat()).into_owned();
                ("body", document(&without_secrets(&whole, &self.secrets)))
            }
        };
        if let Some(response) = response.as_object_mut() {
            response.insert(name.to_owned(), body);
        }
        let exchange = json!({"request": self.request, "response": response});
        let written = save(&self.file, &format!("{exchange:#}\n"));
        if let Err(error) = written {
            tracing::warn!(file = %self.file.display(), %error, "an exchange could not be recorded");
        }
    }
}

/// Whole or not at all.
fn save(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(directory) = file.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let temporary = file.with_extension("tmp");
    std::fs::write(&temporary, text)?;
    std::fs::rename(temporary, file)
}

fn document(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// The path of an address: what is the same wherever the server stands.
pub(crate) fn path(url: &str) -> &str {
    let url = url.split('?').next().unwrap_or_default();
    let behind = url.split_once("://").map_or(url, |(_, rest)| rest);
    behind.find('/').and_then(|place| behind.get(place..)).unwrap_or("/")
}
