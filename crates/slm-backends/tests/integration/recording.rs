//! Exchanges are written down without secrets, and replayed without an endpoint.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use slm_backends::{
    ApiKey, Client, Config, Ending, Endpoint, ErrorKind, HttpTransport, Mechanism, RecordingTransport, ReplayTransport,
    SystemClock,
};

use crate::remembering::Folder;
use crate::server::{End, Reaction, Server, delta, finish};
use crate::{city, forced};

fn value() -> Ending {
    Ending::Value(json!({"population": 1, "city": "Lyon"}))
}

#[tokio::test]
async fn what_was_recorded_is_replayed() {
    let folder = Folder::new();
    let pieces = Reaction::Stream {
        content_type: "text/event-stream",
        pieces: vec![
            delta("{\"population\": 1, ").into_bytes(),
            delta("\"city\": \"Lyon\"}").into_bytes(),
            finish("stop").into_bytes(),
        ],
        end: End::Close,
    };
    let server = Server::enforcing(&["gbnf_grammar"], move |ask| match ask.prompt() {
        "Lyon?" => pieces.clone(),
        _ => Reaction::status(404, &json!({"error": ask.head})).with_header("set-cookie", "sk-cookie"),
    })
    .await;
    let endpoint = Endpoint::parse(&format!("{}?key=sk-query", server.url())).unwrap();
    let config = Config {
        api_key: Some(ApiKey::new("sk-secret")),
        headers: vec![("X-Team".to_owned(), "sk-header".to_owned())],
        ..Config::default()
    };
    let recording = RecordingTransport::new(Arc::new(HttpTransport::new()), &folder.0);
    let client = Client::with_transport(endpoint, config.clone(), Arc::new(recording), Arc::new(SystemClock)).unwrap();
    assert_eq!(client.structured(&city(), "Lyon?").await.unwrap().ending(), &value());
    client.structured(&city(), "Nice?").await.unwrap_err();
    drop(server);
    let mut files = 0;
    for entry in std::fs::read_dir(&folder.0).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains("sk-"), "{text}");
        files += 1;
    }
    assert_eq!(files, 7, "a list of models, four probes, two calls");
    // Elsewhere, without a server.
    let replay = Arc::new(ReplayTransport::read(&folder.0).unwrap());
    let endpoint = Endpoint::parse("http://127.0.0.1:9/v1").unwrap();
    let client = Client::with_transport(endpoint, config, replay, Arc::new(SystemClock)).unwrap();
    let outcome = client.structured(&city(), "Lyon?").await.unwrap();
    assert_eq!((outcome.ending(), outcome.mechanism()), (&value(), Mechanism::GbnfGrammar));
    assert_eq!(client.structured(&city(), "Nice?").await.unwrap_err().status(), Some(404));
    let error = client.structured(&city(), "Paris?").await.unwrap_err();
    assert!(error.kind() == ErrorKind::Config && error.to_string().contains("no recorded exchange"), "{error}");
}

#[tokio::test]
async fn our_own_fixtures_are_exchanges_too() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/exchanges/finish-reason-empty.json");
    let replay = Arc::new(ReplayTransport::read(file).unwrap());
    let endpoint = Endpoint::parse("http://127.0.0.1:9/v1").unwrap();
    let config = forced(Mechanism::JsonSchema);
    let client = Client::with_transport(endpoint, config, replay, Arc::new(SystemClock)).unwrap();
    let outcome = client.structured(&city(), "Lyon?").await.unwrap();
    assert!(outcome.attempts().len() == 1 && outcome.text().starts_with('{'), "{}", outcome.text());
}

#[test]
fn what_is_no_exchange_is_refused_by_name() {
    let folder = Folder::new();
    std::fs::create_dir_all(&folder.0).unwrap();
    for text in ["", "{}", r#"{"response": {"status": "x"}}"#, r#"{"response": {"status": 200, "sse_base64": ["?"]}}"#]
    {
        let file = folder.0.join("bad.json");
        std::fs::write(&file, text).unwrap();
        let error = ReplayTransport::read(&file).unwrap_err();
        assert!(error.to_string().contains("bad.json"), "{error}");
    }
    assert!(ReplayTransport::read(folder.0.join("none.json")).is_err());
}
