//! What an endpoint is and does, for a person who wants to know why.

use std::time::Duration;

use crate::capabilities::State;
use crate::endpoint::Endpoint;
use crate::mechanism::Mechanism;
use crate::provider::Provider;

/// What serves the endpoint, as far as it says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Its version or build.
    pub version: Option<String>,
}

/// What was found out about one mechanism.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MechanismReport {
    /// Which.
    pub mechanism: Mechanism,
    /// What the probe showed.
    pub state: State,
    /// In one line, what it rests on.
    pub detail: String,
}

/// Everything that could be found out about an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// Did anything answer?
    pub reachable: bool,
    /// What serves it.
    pub server: Option<Server>,
    /// The preset in use: the configured one, or the one that was recognised.
    pub provider: Provider,
    /// The address.
    pub endpoint: Endpoint,
    /// The model that calls will use.
    pub model: Option<String>,
    /// The models that it lists.
    pub models: Vec<String>,
    /// The tokens that prompt and answer have together.
    pub context_window: Option<u64>,
    /// How many requests it works on at once.
    pub slots: Option<u64>,
    /// How long it took to list its models.
    pub latency: Option<Duration>,
    /// All five mechanisms, strongest first.
    pub mechanisms: Vec<MechanismReport>,
    /// The mechanism that calls will use.
    pub selected: Mechanism,
    /// Why that is not a stronger one, each with the fix; for an unreachable endpoint, what to start.
    pub causes: Vec<String>,
}
