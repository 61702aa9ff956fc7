//! The usual ports of the usual local servers.

use std::time::Duration;

use tokio::task::JoinSet;

use crate::config::Config;
use crate::connection::Connection;
use crate::endpoint::Endpoint;
use crate::identify::is_loading;
use crate::provider::Provider;
use crate::retry::SystemClock;
use crate::transport::HttpTransport;
use crate::wire::models::read_models;

/// In order of preference.
const PROVIDERS: [Provider; 5] =
    [Provider::LlamaCpp, Provider::Ollama, Provider::LmStudio, Provider::Vllm, Provider::Sglang];
/// A local server lists its models in milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// The first local model server that answers: llama.cpp, Ollama, LM Studio, vLLM, SGLang, each on its usual port.
///
/// All are asked at once, and a program that listens on such a port and is no model server is passed over.
pub async fn find_local() -> Option<Endpoint> {
    let ports = PROVIDERS.into_iter().filter_map(|provider| provider.preset().local_port);
    let endpoints = ports.filter_map(|port| Endpoint::parse(&format!("http://127.0.0.1:{port}/v1")).ok()).collect();
    first_alive(endpoints).await
}

async fn first_alive(endpoints: Vec<Endpoint>) -> Option<Endpoint> {
    let mut asked = JoinSet::new();
    for (place, endpoint) in endpoints.into_iter().enumerate() {
        asked.spawn(async move { is_model_server(&endpoint).await.then_some((place, endpoint)) });
    }
    let mut best: Option<(usize, Endpoint)> = None;
    while let Some(result) = asked.join_next().await {
        if let Ok(Some(found)) = result
            && best.as_ref().is_none_or(|(place, _)| found.0 < *place)
        {
            best = Some(found);
        }
    }
    best.map(|(_, endpoint)| endpoint)
}

async fn is_model_server(endpoint: &Endpoint) -> bool {
    let connection = Connection {
        endpoint: endpoint.clone(),
        config: Config::default(),
        transport: std::sync::Arc::new(HttpTransport::new()),
        clock: std::sync::Arc::new(SystemClock),
    };
    match tokio::time::timeout(PATIENCE, connection.get(endpoint.api("/models"))).await {
        Ok(Ok(answer)) => is_loading(&answer) || (answer.status == 200 && read_models(&answer.text()).is_some()),
        _ => false,
    }
}
