//! What a call shows to whoever traces it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use serde_json::json;
use slm_backends::{ApiKey, Config, Request};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::server::{Reaction, Server};
use crate::{city, client, said};

/// Writes down everything that is said at a level and above.
#[derive(Debug, Clone, Default)]
struct Listener {
    fields: Arc<Mutex<BTreeMap<String, String>>>,
    words: Arc<Mutex<String>>,
}

struct Fields<'a>(&'a Listener, bool);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.words.lock().unwrap().extend([field.name(), "=", &format!("{value:?}"), "\n"]);
        if self.1 {
            self.0.fields.lock().unwrap().insert(field.name().to_owned(), format!("{value:?}"));
        }
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("slm_") && *metadata.level() <= Level::INFO
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Fields(self, true));
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Fields(self, true));
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut Fields(self, false));
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn a_call_is_a_span_by_the_conventions_and_tells_no_secret() {
    let listener = Listener::default();
    // With one listener alone, whether anybody listens at a place is asked of the thread that comes there first and kept: of
    // another test's thread, where nobody does. With two it is asked of both.
    let _second = tracing::Dispatch::new(Listener::default());
    let _guard = tracing::subscriber::set_default(listener.clone());
    let server = Server::enforcing(&["json_schema"], |ask| match ask.prompt() {
        "Lyon, privately?" => Reaction::ok(&said(r#"{"population": 1, "city": "Reply"}"#)),
        _ => Reaction::status(400, &json!({"error": {"message": "no"}})),
    })
    .await;
    // A place that another test reached while the listener was made may have asked before it was there.
    tracing::callsite::rebuild_interest_cache();
    let config = Config { api_key: Some(ApiKey::new("sk-secret")), ..Config::default() };
    let client = client(&server, config);
    let request = Request::new("Lyon, privately?").max_tokens(64).temperature(0.5).seed(3);
    client.structured(&city(), request).await.unwrap();
    let fields = listener.fields.lock().unwrap().clone();
    for (name, value) in [
        ("gen_ai.operation.name", "\"chat\""),
        ("gen_ai.provider.name", "\"custom\""),
        ("gen_ai.request.model", "\"m\""),
        ("gen_ai.request.max_tokens", "64"),
        ("gen_ai.request.temperature", "0.5"),
        ("gen_ai.request.seed", "3"),
        ("gen_ai.output.type", "\"json\""),
        ("gen_ai.response.finish_reasons", "\"stop\""),
        ("gen_ai.usage.input_tokens", "40"),
        ("gen_ai.usage.output_tokens", "9"),
        ("server.address", "\"127.0.0.1\""),
        ("slm.mechanism", "\"json_schema\""),
        ("slm.rung", "\"none\""),
        ("slm.attempts", "1"),
    ] {
        assert_eq!(fields.get(name).map(String::as_str), Some(value), "{name}");
    }
    client.structured(&city(), "Nice, privately?").await.unwrap_err();
    assert_eq!(listener.fields.lock().unwrap()["error.type"], "\"permanent\"");
    let words = listener.words.lock().unwrap().clone();
    assert!(words.contains("probed"), "{words}");
    for secret in ["sk-secret", "privately", "Reply"] {
        assert!(!words.contains(secret), "{secret} in {words}");
    }
}
