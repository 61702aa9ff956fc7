//! Calls a language model endpoint with the strongest output constraint it was seen to enforce, and returns a validated
//! value.
//!
//! Servers differ in what they enforce and seldom say. A [`Client`] finds out by asking for something the constraint
//! forbids, sends each contract by the strongest [`Mechanism`] that held, walks down where the endpoint refuses, repairs
//! what can be repaired without guessing, and judges by the original schema. An [`Outcome`] says how it went.
//!
//! ```
//! use slm_backends::{Client, Endpoint, ErrorKind};
//! use slm_schema::Contract;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = r#"{
//!     "type": "object",
//!     "properties": {"city": {"type": "string", "maxLength": 40}, "warm": {"type": "boolean"}},
//!     "required": ["city", "warm"],
//!     "additionalProperties": false
//! }"#;
//! let contract = Contract::from_json("weather", schema)?;
//! let client = Client::new(Endpoint::parse("http://127.0.0.1:9")?);
//!
//! match client.structured(&contract, "What is Lyon like in July?").await {
//!     Ok(outcome) => println!("{} by {}: {:?}", outcome.ending().as_str(), outcome.mechanism(), outcome.value()),
//!     Err(error) => {
//!         // Nothing listens there: the error says so in one line, and what to do.
//!         assert_eq!(error.kind(), ErrorKind::Connect);
//!         assert!(error.hint().is_some_and(|hint| hint.contains("is the server running?")));
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Rules
//!
//! * A capability is what was seen enforced, not what was answered with 200. What was not seen is not used.
//! * A refusal of one schema is not a refusal of the mechanism; failures of the endpoint demote nothing.
//! * A reply that was cut is truncated, never simply a value. Its cut is read before its text.
//! * The endpoint is untrusted: sizes and times are bounded, redirects are not followed, keys are never shown.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod api;
mod api_key;
mod attempt;
mod base64;
mod cache;
mod call;
mod capabilities;
mod class;
mod classify;
mod client;
mod config;
mod connection;
mod diagnose;
mod endpoint;
mod error;
mod failure;
mod hash;
mod identify;
mod judge;
mod knowledge;
mod local;
mod lower_further;
mod mechanism;
mod names;
mod negotiate;
mod observe;
mod outcome;
mod partial;
mod plain;
mod probe;
mod prompt;
mod provider;
mod reask;
mod record;
mod repetition;
mod replay;
mod reply;
mod request;
mod retry;
mod room;
mod session;
mod setting;
mod step_down;
mod stop;
mod stream;
mod tool_judge;
mod tools;
mod transport;
mod turn;
mod watch;
mod wire;

pub use api_key::ApiKey;
pub use attempt::{Attempt, Demotion};
pub use cache::{Remembered, remembered};
pub use capabilities::{Capabilities, State};
pub use class::ErrorClass;
pub use client::Client;
pub use config::Config;
pub use diagnose::{Diagnosis, MechanismReport};
pub use endpoint::Endpoint;
pub use error::{Error, ErrorKind};
pub use identify::Server;
pub use local::find_local;
pub use mechanism::Mechanism;
pub use outcome::{AnswerSource, Ending, FinishReason, Outcome, Phase, Usage, Warning};
pub use partial::StructuredStream;
pub use provider::Provider;
pub use record::RecordingTransport;
pub use replay::ReplayTransport;
pub use request::Request;
pub use retry::{BoxFuture, Clock, RetryPolicy, SystemClock};
pub use tools::{Tool, Tools};
pub use transport::{
    HttpBody, HttpRequest, HttpResponse, HttpStream, HttpTransport, Transport, TransportError, TransportErrorKind,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

// This crate knows all that the workspace's own front page shows.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct WorkspaceReadmeDoctests;
