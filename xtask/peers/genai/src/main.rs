//! genai with a JSON specification, set up for a server of one's own as its example `c06-target-resolver` shows.
//!
//! A job a line on standard input, an answer a line on standard output: like `peer.py` beside it.

use std::io::{BufRead as _, Write as _};

use genai::adapter::AdapterKind;
use genai::chat::{ChatMessage, ChatOptions, ChatRequest, JsonSpec};
use genai::resolver::{AuthData, Endpoint, ServiceTargetResolver};
use genai::{Client, ModelIden, ServiceTarget};
use serde_json::{Value, json};

type Failed = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failed> {
    let url = std::env::args().nth(1).ok_or("usage: genai-peer URL")?;
    let resolver = ServiceTargetResolver::from_resolver_fn(
        move |target: ServiceTarget| -> Result<ServiceTarget, genai::resolver::Error> {
            Ok(ServiceTarget {
                // It joins by the rules of URLs: without the stroke the last part would go.
                endpoint: Endpoint::from_owned(format!("{url}/")),
                auth: AuthData::from_single("none"),
                model: ModelIden::new(AdapterKind::OpenAI, target.model.model_name),
            })
        },
    );
    let client = Client::builder().with_service_target_resolver(resolver).build()?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", json!({"ready": "genai"}))?;
    for line in std::io::stdin().lock().lines() {
        let answer = match ask(&client, &serde_json::from_str(&line?)?).await {
            Ok(value) => json!({"value": value}),
            Err(error) => json!({"error": error.to_string().lines().next()}),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

async fn ask(client: &Client, job: &Value) -> Result<Value, Failed> {
    let text = |key: &str| job[key].as_str().unwrap_or_default().to_owned();
    let request = ChatRequest::new(vec![ChatMessage::user(text("prompt"))]).with_system(text("system"));
    let options = ChatOptions::default()
        .with_response_format(JsonSpec::new(text("contract"), job["schema"].clone()))
        .with_max_tokens(u32::try_from(job["max_tokens"].as_u64().unwrap_or_default())?)
        .with_temperature(job["temperature"].as_f64().unwrap_or_default())
        .with_seed(job["seed"].as_u64().unwrap_or_default());
    let response = client.exec_chat(&text("model"), request, Some(&options)).await?;
    let text = response.first_text().ok_or("no text in the reply")?;
    serde_json::from_str(text).map_err(|error| format!("serde_json: {error}").into())
}
