//! Asks a local model server for a document of a contract, and says how it was got.
//!
//! `cargo run -p slm-backends --example ask -- "A walk through Lyon" http://127.0.0.1:8080/v1`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use slm_backends::{Client, Endpoint, find_local};
use slm_schema::Contract;

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 40, "description": "The city's name"},
        "stops": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 60}},
        "hours": {"type": "integer", "minimum": 1, "maximum": 12}
    },
    "required": ["city", "stops", "hours"],
    "additionalProperties": false
}"#;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let prompt = arguments.next().unwrap_or_else(|| "Plan a short walk through Lyon.".to_owned());
    let endpoint = match arguments.next() {
        Some(url) => Endpoint::parse(&url)?,
        None => find_local().await.ok_or("no local model server answers; name an endpoint")?,
    };
    let client = Client::new(endpoint);
    let contract = Contract::from_json("walk", SCHEMA)?;

    let outcome = client.structured(&contract, prompt).await?;
    println!("{}: {}", outcome.ending().as_str(), outcome.text());
    println!("by {} in {:?}; {}", outcome.mechanism(), outcome.elapsed(), outcome.report());
    for attempt in outcome.attempts() {
        println!("  {} {:?} {:?} {:?}", attempt.mechanism, attempt.status, attempt.elapsed, attempt.demoted);
    }

    let diagnosis = client.diagnose().await;
    println!("{} ({}), model {:?}", diagnosis.endpoint, diagnosis.provider, diagnosis.model);
    for report in &diagnosis.mechanisms {
        println!("  {:<12} {:<9} {}", report.mechanism, report.state.as_str(), report.detail);
    }
    for cause in &diagnosis.causes {
        println!("  {cause}");
    }
    Ok(())
}
