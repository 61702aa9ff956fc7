//! A type of the caller's own, filled by a model: the schema follows from the type, and the reply is one of it.
//!
//! `cargo run -p slm-cli --example own_type -- http://127.0.0.1:8080`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use schemars::JsonSchema;
use serde::Deserialize;
use slm_backends::{Client, Endpoint, find_local};
use slm_schema::Contract;

/// What a support ticket is about.
#[derive(Debug, Deserialize, JsonSchema)]
struct Ticket {
    /// The ticket in a few words.
    #[schemars(length(max = 60))]
    title: String,
    kind: Kind,
    /// From 1 (whenever) to 5 (at once).
    #[schemars(range(min = 1, max = 5))]
    urgency: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Bug,
    Wish,
    Question,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let endpoint = match std::env::args().nth(1) {
        Some(url) => Endpoint::parse(&url)?,
        None => find_local().await.ok_or("no local model server answers; name an endpoint")?,
    };
    let client = Client::new(endpoint);
    let contract = Contract::of::<Ticket>("ticket")?;

    let outcome = client.structured(&contract, "The app crashes whenever I open its settings.").await?;
    let ticket: Ticket = outcome.parse()?;
    println!("{:?}, urgency {}: {}", ticket.kind, ticket.urgency, ticket.title);
    println!("{} · {}", outcome.mechanism(), outcome.report());
    Ok(())
}
