//! Endpoints that do not answer. Time is paused: the runtime moves it on where everyone waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use slm_backends::{
    BoxFuture, Client, Config, Endpoint, ErrorClass, ErrorKind, HttpRequest, HttpResponse, Mechanism, State,
    SystemClock, Transport, TransportError, TransportErrorKind,
};

use crate::{city, forced, said};

/// What a path is answered with.
#[derive(Debug, Clone)]
enum Line {
    Silent,
    Refused,
    Text(u16, &'static str),
}

#[derive(Debug)]
struct Scripted {
    models: Line,
    chat: Line,
    chats: AtomicUsize,
}

impl Transport for Scripted {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let is_chat = request.url.ends_with("/chat/completions");
        if is_chat {
            self.chats.fetch_add(1, Ordering::SeqCst);
        }
        let line = if is_chat { self.chat.clone() } else { self.models.clone() };
        Box::pin(async move {
            match line {
                Line::Silent => std::future::pending().await,
                Line::Refused => Err(TransportError::new(TransportErrorKind::Refused, "Connection refused")),
                Line::Text(status, body) => {
                    Ok(HttpResponse { status, headers: Vec::new(), body: body.as_bytes().to_vec() })
                }
            }
        })
    }
}

fn scripted(models: Line, chat: Line, config: Config) -> (Client, Arc<Scripted>) {
    let transport = Arc::new(Scripted { models, chat, chats: AtomicUsize::new(0) });
    let endpoint = Endpoint::parse("http://127.0.0.1:8080").unwrap();
    let shared: Arc<dyn Transport> = Arc::<Scripted>::clone(&transport);
    (Client::with_transport(endpoint, config, shared, Arc::new(SystemClock)).unwrap(), transport)
}

const MODELS: Line = Line::Text(200, r#"{"data":[{"id":"m"}]}"#);

#[tokio::test(start_paused = true)]
async fn a_silent_endpoint_ends_in_one_error_within_a_minute() {
    let (client, transport) = scripted(Line::Silent, Line::Silent, Config::default());
    let begun = tokio::time::Instant::now();
    let error = client.structured(&city(), "Lyon?").await.unwrap_err();
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
    assert_eq!((error.kind(), error.class()), (ErrorKind::Timeout, ErrorClass::Canceled));
    assert_eq!(transport.chats.load(Ordering::SeqCst), 1);
    assert!(error.hint().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_call_ends_with_its_time() {
    let config = Config { timeout: Duration::from_secs(90), ..forced(Mechanism::PromptOnly) };
    let (client, transport) = scripted(MODELS, Line::Silent, config);
    let begun = tokio::time::Instant::now();
    let error = client.structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!(begun.elapsed().as_secs(), 90);
    assert_eq!((error.kind(), error.class()), (ErrorKind::Timeout, ErrorClass::Canceled));
    assert!(error.hint().unwrap().contains("--timeout"));
    assert_eq!(transport.chats.load(Ordering::SeqCst), 1, "a deadline is not retried");
}

#[tokio::test(start_paused = true)]
async fn probes_that_are_not_answered_cost_twenty_seconds_once() {
    let config = Config { timeout: Duration::from_secs(30), ..Config::default() };
    let (client, transport) = scripted(MODELS, Line::Silent, config);
    client.structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!(transport.chats.load(Ordering::SeqCst), 2, "one probe, one call");
    assert_eq!(client.capabilities().await.state(Mechanism::JsonSchema), State::Untried);
    client.structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!(transport.chats.load(Ordering::SeqCst), 3, "it rests from probing");
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_refuses_connections_degrades_and_then_fails() {
    let (client, transport) = scripted(Line::Refused, Line::Refused, Config::default());
    let error = client.structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!((error.kind(), error.class()), (ErrorKind::Connect, ErrorClass::Transient));
    assert_eq!(transport.chats.load(Ordering::SeqCst), 3);
    assert!(error.attempts().iter().all(|attempt| attempt.mechanism == Mechanism::PromptOnly));
    assert_eq!(error.to_string(), "http://127.0.0.1:8080/v1: no connection: Connection refused");
    assert!(error.hint().unwrap().contains("is the server running?"));
}

#[tokio::test(start_paused = true)]
async fn an_unreachable_list_of_models_does_not_fail_the_call() {
    let reply = said(r#"{"population": 1, "city": "Lyon"}"#).to_string().leak();
    let (client, _) = scripted(Line::Refused, Line::Text(200, reply), Config::default());
    let outcome = client.structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.mechanism(), Mechanism::PromptOnly);
    assert!(outcome.value().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_model_that_loads_is_waited_for_within_the_budget() {
    let loading = Line::Text(503, r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#);
    let (client, transport) = scripted(loading.clone(), loading, Config::default());
    let begun = tokio::time::Instant::now();
    let error = client.structured(&city(), "Lyon?").await.unwrap_err();
    let waited = begun.elapsed().as_secs();
    assert!((20..30).contains(&waited), "{waited}");
    assert_eq!(error.status(), Some(503));
    assert!(error.hint().unwrap().contains("loading"));
    assert_eq!(transport.chats.load(Ordering::SeqCst), 3, "no probe, three attempts");
}

#[tokio::test(start_paused = true)]
async fn diagnosis_of_silence_says_what_to_start() {
    for line in [Line::Silent, Line::Refused] {
        let (client, transport) = scripted(line.clone(), line, Config::default());
        let diagnosis = client.diagnose().await;
        assert!(!diagnosis.reachable);
        assert_eq!(diagnosis.selected, Mechanism::PromptOnly);
        assert_eq!(diagnosis.mechanisms.len(), 5);
        assert!(diagnosis.causes[0].contains("llama-server"), "{:?}", diagnosis.causes);
        assert_eq!(transport.chats.load(Ordering::SeqCst), 0);
    }
}
