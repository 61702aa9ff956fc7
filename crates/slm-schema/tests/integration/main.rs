//! The crate from the outside: contracts, grammars against an independent engine, lowering, validation.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed expectation is a failed test"
)]
#![expect(clippy::print_stdout, reason = "the official suite prints its count, or why it was skipped")]

mod automaton;
mod boundaries;
mod contracts;
mod deviations;
mod engine;
mod extended_profile;
mod generators;
mod grammar;
mod hostile;
mod integers;
mod lowering;
mod official_suite;
mod portable_profile;
mod properties;
mod samples;
mod seeds;
mod spacing;
mod stacks;
mod types;
