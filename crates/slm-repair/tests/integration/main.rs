//! The crate seen from outside, one module per topic.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed, in its helpers too"
)]
#![expect(clippy::print_stdout, reason = "the score of the suite, and that it was skipped, are told to who runs it")]

mod changes;
mod coerce;
mod damage;
mod documents;
mod errors;
mod fixtures;
mod hostile;
mod properties;
mod rungs;
mod seeds;
mod stats;
mod stream;
mod suite;
mod truncation;
