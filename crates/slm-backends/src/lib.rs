//! Calls a language model endpoint with the strongest output constraint it was seen to enforce.

mod api_key;
mod capabilities;
mod client;
mod config;
mod diagnose;
mod endpoint;
mod error;
mod local;
mod mechanism;
mod outcome;
mod plain;
mod provider;
mod request;
mod retry;
mod transport;

pub use api_key::ApiKey;
pub use capabilities::{Capabilities, State};
pub use client::Client;
pub use config::Config;
pub use diagnose::{Diagnosis, MechanismReport, Server};
pub use endpoint::Endpoint;
pub use error::{Error, ErrorClass, ErrorKind};
pub use local::find_local;
pub use mechanism::Mechanism;
pub use outcome::{AnswerSource, Attempt, Demotion, Ending, FinishReason, Outcome, Phase, Usage, Warning};
pub use provider::Provider;
pub use request::Request;
pub use retry::{BoxFuture, Clock, RetryPolicy, SystemClock};
pub use transport::{HttpRequest, HttpResponse, Transport, TransportError, TransportErrorKind};
