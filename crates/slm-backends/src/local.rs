//! The usual ports of the usual local servers.

use std::sync::Arc;
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
    let (transport, clock) = (Arc::new(HttpTransport::new()), Arc::new(SystemClock));
    let connection = Connection::new(endpoint.clone(), Config::default(), transport, clock);
    match tokio::time::timeout(PATIENCE, connection.get(endpoint.api("/models"))).await {
        Ok(Ok(answer)) => is_loading(&answer) || (answer.status == 200 && read_models(&answer.text()).is_some()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// A server that answers everything so.
    async fn serving(body: &'static str) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = Endpoint::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 4096];
                assert!(stream.read(&mut request).await.unwrap() > 0);
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
            }
        });
        endpoint
    }

    #[tokio::test]
    async fn the_first_model_server_is_found_among_others() {
        let closed = Endpoint::parse("http://127.0.0.1:9").unwrap();
        let page = serving("<html>not me</html>").await;
        let first = serving(r#"{"data": [{"id": "m"}]}"#).await;
        let second = serving(r#"{"data": []}"#).await;
        let found = first_alive(vec![closed.clone(), page.clone(), first.clone(), second]).await;
        assert_eq!(found, Some(first));
        assert_eq!(first_alive(vec![closed, page]).await, None);
    }
}
