//! `slmcode` from the outside: arguments, standard streams, exit codes.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed expectation is a failed test"
)]

mod agents;
mod ask;
mod batch;
mod command;
mod config;
mod doctor;
mod echo;
#[cfg(unix)]
mod examples;
mod exchanges;
mod explain;
mod folder;
#[cfg(unix)]
mod guide;
mod kinds;
mod offline;
mod pages;
mod readiness;
#[cfg(unix)]
mod recorded;
mod server;
mod status;
#[cfg(unix)]
mod terminal;
