//! A server that fails in every way: the right class, the right number of requests, bounded time and memory.
//!
//! What each hint of a rate limit comes to is in `retries`, what memory it takes in the test `memory`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use slm_backends::{
    ApiKey, BoxFuture, Client, Config, Endpoint, ErrorClass, ErrorKind, HttpBody, HttpRequest, HttpResponse,
    HttpStream, HttpTransport, Mechanism, Outcome, SystemClock, Transport, TransportError,
};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

use crate::bomb::bomb;
use crate::clock::TestClock;
use crate::server::{End, Reaction, Server, delta, finish};
use crate::{city, client, forced, said};

use ErrorClass::{Canceled, Permanent, Transient, Unknown};
use ErrorKind::{Connect, Http, Protocol, Timeout};

const VALID: &str = r#"{"population": 1, "city": "Lyon"}"#;
const JSON: &str = "content-type: application/json\r\n";
const EVENTS: &str = "content-type: text/event-stream\r\n";

/// What the server does about the first request, the second, and so on; the last is for all that follow.
type Script = Vec<Reaction>;
/// How the call ends: with its value, or with an error of this kind and class.
type Ends = Result<(), (ErrorKind, ErrorClass)>;

/// An answer as bytes, with these headers.
fn bytes(headers: &str, body: impl AsRef<[u8]>) -> Reaction {
    Reaction::Raw([format!("HTTP/1.1 200 X\r\n{headers}\r\n").as_bytes(), body.as_ref()].concat())
}

/// One that goes on until it is left.
fn endless(headers: &str, begin: &str) -> Reaction {
    Reaction::Endless(format!("HTTP/1.1 200 X\r\n{headers}\r\n{begin}").into_bytes())
}

/// This text in gzip, stored as it is.
fn zipped(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap();
    let crc = text.bytes().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    });
    let mut zipped = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x01".to_vec();
    zipped.extend([length.to_le_bytes(), (!length).to_le_bytes()].concat());
    zipped.extend(text.bytes());
    zipped.extend([(!crc).to_le_bytes(), u32::from(length).to_le_bytes()].concat());
    zipped
}

fn connection() -> Vec<(&'static str, Script, Ends, usize)> {
    let broken = Err((ErrorKind::Transport, Transient));
    let long_head = format!("HTTP/1.1 200 X\r\nx-long: {}\r\n", "a".repeat(4 << 20));
    let piece = "12\r\ndata: {\"choices\": [\r\n";
    vec![
        ("reset before the headers", vec![Reaction::Reset], broken, 3),
        ("reset in the headers", vec![Reaction::Raw(b"HTTP/1.1 200 X\r\ncontent-le".to_vec())], broken, 3),
        ("reset after the headers", vec![bytes("content-length: 99\r\n", "")], broken, 3),
        ("reset in the body", vec![bytes("content-length: 99\r\n", "{\"choices\": [")], broken, 3),
        ("reset in an event", vec![bytes(&format!("{EVENTS}transfer-encoding: chunked\r\n"), piece)], broken, 3),
        ("reset once", vec![Reaction::Reset, Reaction::ok(&said(VALID))], Ok(()), 2),
        ("the greeting of something else", vec![Reaction::Raw(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec())], broken, 3),
        ("a TLS record", vec![Reaction::Raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc".to_vec())], broken, 3),
        ("garbage", vec![Reaction::Raw(vec![0xff; 4096])], broken, 3),
        ("headers without end", vec![Reaction::Raw(long_head.into_bytes())], broken, 3),
    ]
}

fn bodies() -> Vec<(&'static str, Script, Ends, usize)> {
    let (large, no_reply) = (Err((Protocol, Permanent)), Err((Protocol, Unknown)));
    let gzip = format!("{JSON}content-encoding: gzip\r\n");
    let gzip_events = format!("{EVENTS}content-encoding: gzip\r\n");
    let events = [delta(VALID), finish("stop"), "data: [DONE]\n\n".to_owned()].concat();
    let deep = format!("{{\"choices\": {}", "[".repeat(100_000));
    vec![
        ("a document without end", vec![endless(JSON, "{\"choices\": \"x")], large, 1),
        ("a stream without end", vec![endless(EVENTS, "data: x")], large, 1),
        ("a document that is packed", vec![bytes(&gzip, zipped(&said(VALID).to_string()))], Ok(()), 1),
        ("a stream that is packed", vec![bytes(&gzip_events, zipped(&events))], Ok(()), 1),
        ("a bomb", vec![bytes(&gzip, bomb(100))], large, 1),
        ("a bomb in a stream", vec![bytes(&gzip_events, bomb(100))], large, 1),
        ("said to be packed", vec![bytes(&gzip, said(VALID).to_string())], no_reply, 1),
        ("packed as nobody asked for", vec![bytes(&format!("{JSON}content-encoding: br\r\n"), [1, 2])], no_reply, 1),
        ("nested without end", vec![bytes(JSON, deep)], no_reply, 1),
        ("plain text by its type", vec![bytes("content-type: text/plain\r\n", said(VALID).to_string())], Ok(()), 1),
        ("a stream by its type", vec![bytes(EVENTS, said(VALID).to_string())], Ok(()), 1),
        ("no type at all", vec![bytes("", events)], Ok(()), 1),
        ("a page", vec![bytes("content-type: text/html\r\n", "<!DOCTYPE html><title>Sign in</title>")], no_reply, 1),
        ("nothing", vec![bytes(JSON, "")], no_reply, 1),
    ]
}

fn statuses() -> Vec<(&'static str, Script, Ends, usize)> {
    let status = |status| Reaction::status(status, &json!({"error": "no"}));
    let fine = || Reaction::ok(&said(VALID));
    let page = Reaction::raw(502, "text/html", "<html><title>Bad Gateway</title></html>");
    vec![
        ("429 then fine", vec![status(429), status(429), fine()], Ok(()), 3),
        ("429 for ever", vec![status(429)], Err((Http, ErrorClass::RateLimited)), 3),
        ("503 then fine", vec![status(503), fine()], Ok(()), 2),
        ("503 for ever", vec![status(503)], Err((Http, Transient)), 3),
        ("a gateway's page, then fine", vec![page, fine()], Ok(()), 2),
        ("401 then fine", vec![status(401), fine()], Err((Http, Permanent)), 1),
        ("404 then fine", vec![status(404), fine()], Err((Http, Permanent)), 1),
    ]
}

#[tokio::test]
async fn every_fault_ends_in_its_class_after_its_number_of_requests() {
    for (name, script, ends, requests) in [connection(), bodies(), statuses()].concat() {
        let is_endless = matches!(script[0], Reaction::Endless(_));
        let asked = AtomicUsize::new(0);
        let server = Server::start(move |_| {
            let place = asked.fetch_add(1, Ordering::SeqCst).min(script.len() - 1);
            script[place].clone()
        })
        .await;
        let result = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await;
        let ended = result.as_ref().map(|outcome| assert!(outcome.value().is_some(), "{name}: {outcome:?}"));
        assert_eq!(ended.map_err(|error| (error.kind(), error.class())), ends, "{name}: {result:?}");
        assert_eq!(server.chats().len(), requests, "{name}");
        if is_endless {
            server.is_left().await;
        }
    }
}

#[tokio::test]
async fn redirects_are_followed_nowhere() {
    let other = Server::start(|_| Reaction::ok(&said(VALID))).await;
    let elsewhere = format!("{}?token=abc", other.url());
    for (status, location) in [(301, "/v1/chat/completions"), (302, ""), (307, &elsewhere), (308, &elsewhere)] {
        let moved = Reaction::raw(status, "text/html", "").with_header("location", location);
        let server = Server::start(move |_| moved.clone()).await;
        let config = Config { api_key: Some(ApiKey::new("sk-hunter2")), ..forced(Mechanism::PromptOnly) };
        let error = client(&server, config).structured(&city(), "Lyon?").await.unwrap_err();
        assert_eq!((error.kind(), error.class()), (Protocol, Permanent), "{error}");
        let place = location.split('?').next().unwrap();
        assert!(error.to_string().contains(place) && !error.to_string().contains("abc"), "{error}");
        assert_eq!(server.chats().len(), 1, "{status}");
    }
    assert_eq!(other.chats().len(), 0, "the key went along");
}

/// The error of a call to `scheme` on loopback, where these bytes are all that ever comes, or nobody listens at all.
async fn unanswered(scheme: &str, bytes: Option<&'static [u8]>) -> slm_backends::Error {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint::parse(&format!("{scheme}://{}/v1", listener.local_addr().unwrap())).unwrap();
    let server = bytes.map(|bytes| {
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let _sent = stream.write_all(bytes).await;
            }
        })
    });
    let (transport, clock) = (Arc::new(HttpTransport::new()), Arc::new(TestClock::default()));
    let client = Client::with_transport(endpoint, forced(Mechanism::PromptOnly), transport, clock).unwrap();
    let error = client.structured(&city(), "Lyon?").await.unwrap_err();
    server.inspect(tokio::task::JoinHandle::abort);
    error
}

#[tokio::test]
async fn what_speaks_no_tls_is_told_and_nobody_at_all_is_asked_again() {
    let error = unanswered("http", None).await;
    assert_eq!((error.kind(), error.class(), error.attempts().len()), (Connect, Transient, 3), "{error}");
    for bytes in [b"HTTP/1.1 400 Bad Request\r\n\r\n".as_slice(), &[0xff; 64]] {
        let error = unanswered("https", Some(bytes)).await;
        assert_eq!((error.kind(), error.class(), error.attempts().len()), (Connect, Permanent, 1), "{error}");
        assert!(error.hint().unwrap().contains("try http://"), "{:?}", error.hint());
    }
}

/// An answer in pieces, each after so many seconds; then silence, with the connection open.
#[derive(Debug)]
struct Slow {
    head: u64,
    pieces: Vec<(u64, String)>,
    asked: AtomicUsize,
}

struct Coming(std::vec::IntoIter<(u64, String)>);

impl HttpBody for Coming {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, TransportError>> {
        let next = self.0.next();
        Box::pin(async move {
            let Some((seconds, text)) = next else { return std::future::pending().await };
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Ok(Some(text.into_bytes()))
        })
    }
}

impl Transport for Slow {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        Box::pin(std::future::pending())
    }

    fn open(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpStream, TransportError>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        let body = Coming(self.pieces.clone().into_iter());
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(self.head)).await;
            Ok(HttpStream::new(200, headers, Box::new(body)))
        })
    }
}

/// How a call ends that is answered so, how many requests it took, and how many seconds. Time is paused: the runtime
/// moves it on where everyone waits.
async fn waited(head: u64, pieces: Vec<(u64, String)>) -> (Result<Outcome, slm_backends::Error>, usize, u64) {
    let transport = Arc::new(Slow { head, pieces, asked: AtomicUsize::new(0) });
    let shared: Arc<dyn Transport> = Arc::<Slow>::clone(&transport);
    let endpoint = Endpoint::parse("http://127.0.0.1:8080").unwrap();
    let client =
        Client::with_transport(endpoint, forced(Mechanism::JsonSchema), shared, Arc::new(SystemClock)).unwrap();
    let begun = tokio::time::Instant::now();
    let result = client.structured(&city(), "Lyon?").await;
    (result, transport.asked.load(Ordering::SeqCst), begun.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn slowness_is_bounded_by_the_time_of_a_call_and_silence_by_the_idle_time() {
    let all = Config::default().timeout.as_secs();
    let idle = Config::default().idle_timeout.as_secs();
    let begun = || (0, delta("{"));
    let letters = || VALID.chars().map(|letter| (1, delta(&letter.to_string())));
    let end = || (0, finish("stop"));

    // Half open: a connection, and nothing on it.
    for head in [u64::from(u32::MAX), 0] {
        let (result, requests, seconds) = waited(head, Vec::new()).await;
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.class(), requests, seconds), (Timeout, Canceled, 1, all), "{head}");
    }
    // Half open in the middle of the reply.
    let (result, requests, seconds) = waited(0, vec![begun()]).await;
    let error = result.unwrap_err();
    assert_eq!((error.kind(), error.class(), requests), (Timeout, Transient, 3));
    assert!((3 * idle..3 * idle + 3).contains(&seconds), "{seconds}");
    // A byte a second, and never a whole line.
    let drops = std::iter::once(begun()).chain((0..2 * all).map(|_| (1, ":".to_owned()))).collect();
    let (result, requests, seconds) = waited(0, drops).await;
    let error = result.unwrap_err();
    assert_eq!((error.kind(), error.class(), requests, seconds), (Timeout, Canceled, 1, all));
    // A letter a second is slow, and an answer.
    let (result, requests, _) = waited(0, letters().chain([end()]).collect()).await;
    assert_eq!((result.unwrap().value().is_some(), requests), (true, 1));
    // So is a first token that takes longer than any other may: the model reads, or waits for its turn.
    for (head, first) in [(0, 3 * idle), (3 * idle, 0)] {
        let (result, requests, seconds) = waited(head, vec![(first, delta(VALID)), end()]).await;
        assert!(result.unwrap().value().is_some());
        assert_eq!(requests, 1);
        assert!((3 * idle..4 * idle).contains(&seconds), "{seconds}");
    }
}

#[tokio::test]
async fn a_reply_whose_text_is_nested_without_end_is_no_value() {
    let text = format!("{{\"population\": {}", "[".repeat(100_000));
    let server = Server::start(move |_| Reaction::stream(&[&text])).await;
    let outcome = client(&server, forced(Mechanism::PromptOnly)).structured(&city(), "Lyon?").await.unwrap();
    assert!(outcome.value().is_none());
}

#[tokio::test]
async fn pieces_of_any_size_come_to_an_end() {
    let piece = format!("data: {{\"x\": \"{}\"}}\n\n", "a".repeat(1 << 20));
    let reaction = Reaction::events(&vec![piece; 20], End::Open);
    let server = Server::start(move |_| reaction.clone()).await;
    let error = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!((error.kind(), error.class()), (Protocol, Permanent), "{error}");
    assert!(error.to_string().contains("16 MB"), "{error}");
    server.is_left().await;
    assert_eq!(server.chats().len(), 1);
}

/// The name leads to an IPv6 address first, where nobody is.
#[tokio::test]
async fn localhost_reaches_a_server_that_listens_on_ipv4_alone() {
    let server = Server::start(|_| Reaction::ok(&said(VALID))).await;
    let url = server.url().replace("127.0.0.1", "localhost");
    let client = Client::with_config(Endpoint::parse(&url).unwrap(), forced(Mechanism::JsonSchema)).unwrap();
    assert!(client.structured(&city(), "Lyon?").await.unwrap().value().is_some());
}
