//! The crate from the outside: a scripted server on loopback, a scripted transport, recorded exchanges.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed expectation is a failed test")]
#![expect(clippy::print_stdout, reason = "a test that needs public data says that it was skipped, and how to get it")]

mod bomb;
mod clock;
mod diagnosis;
mod endpoints;
mod errors;
mod exchanges;
mod faults;
mod ladder;
mod native;
mod parallel;
mod probing;
mod reasks;
mod recording;
mod remembering;
mod retries;
mod seeds;
mod server;
mod silence;
mod stops;
mod streams;
mod tools;
mod traces;
mod wire;

use std::sync::Arc;

use serde_json::{Value, json};
use slm_backends::{Client, Config, Endpoint, HttpTransport, Mechanism, Provider};
use slm_schema::Contract;

use clock::TestClock;
use server::Server;

const CITY: &str = r#"{"type":"object","properties":{"population":{"type":"integer","minimum":0},"city":{"type":"string","maxLength":40}},"required":["population","city"],"additionalProperties":false}"#;

fn city() -> Contract {
    Contract::from_json("city", CITY).unwrap()
}

/// A client of a scripted server whose waits take no time.
fn client(server: &Server, config: Config) -> Client {
    client_with_clock(server, config, TestClock::default())
}

fn client_with_clock(server: &Server, config: Config, clock: TestClock) -> Client {
    let endpoint = Endpoint::parse(&server.url()).unwrap();
    Client::with_transport(endpoint, config, Arc::new(HttpTransport::new()), Arc::new(clock)).unwrap()
}

/// A configuration with which nothing but the chat request is sent.
fn forced(mechanism: Mechanism) -> Config {
    Config {
        mechanism: Some(mechanism),
        model: Some("m".to_owned()),
        provider: Some(Provider::Custom),
        max_reasks: 0,
        ..Config::default()
    }
}

/// A whole chat reply with this text.
fn said(text: &str) -> Value {
    finished(text, "stop")
}

fn finished(text: &str, reason: &str) -> Value {
    json!({
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}],
        "usage": {"prompt_tokens": 40, "completion_tokens": 9}
    })
}
