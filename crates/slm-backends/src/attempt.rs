//! The requests of a call, one by one.

use std::time::Duration;

use serde::Serialize;

use crate::class::ErrorClass;
use crate::mechanism::Mechanism;

/// What a demotion took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Demotion {
    /// The mechanism, for this contract alone.
    Contract,
    /// The mechanism, for every contract.
    Mechanism,
}

/// One request that was sent, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// The mechanism it used.
    pub mechanism: Mechanism,
    /// The class of its failure; `None` where a reply came.
    pub class: Option<ErrorClass>,
    /// The HTTP status, where there was an answer.
    pub status: Option<u16>,
    /// How long it took.
    pub elapsed: Duration,
    /// What it cost the mechanism.
    pub demoted: Option<Demotion>,
}
