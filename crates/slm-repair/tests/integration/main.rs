//! The crate seen from outside, one module per topic.

#![expect(
    clippy::print_stdout,
    reason = "a test that is skipped, and the score of the suite, are told to who runs them"
)]

mod coerce;
mod documents;
mod errors;
mod fixtures;
mod hostile;
mod properties;
mod rungs;
mod suite;
mod truncation;
