//! Many calls at once: none lost, none doubled, one probe, and never more on their way than allowed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use slm_backends::{
    BoxFuture, Client, Config, Endpoint, HttpRequest, HttpResponse, HttpTransport, Mechanism, SystemClock, Transport,
    TransportError,
};

use crate::server::{Reaction, Server};
use crate::{city, said};

/// Counts the requests that are on their way.
#[derive(Debug, Default)]
struct Counting {
    inner: HttpTransport,
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Transport for Counting {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        Box::pin(async move {
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            let answer = self.inner.send(request).await;
            self.now.fetch_sub(1, Ordering::SeqCst);
            answer
        })
    }
}

#[tokio::test]
async fn a_thousand_calls_share_one_probe_and_get_each_its_own_answer() {
    let server = Server::enforcing(&["json_schema"], |ask| {
        let number: u64 = ask.prompt().trim_start_matches("Town ").parse().unwrap();
        Reaction::ok(&said(&json!({"population": number, "city": "Lyon"}).to_string()))
    })
    .await;
    let transport = Arc::new(Counting::default());
    let shared: Arc<dyn Transport> = Arc::<Counting>::clone(&transport);
    let endpoint = Endpoint::parse(&server.url()).unwrap();
    let config = Config { max_parallel: 64, ..Config::default() };
    let client = Client::with_transport(endpoint, config, shared, Arc::new(SystemClock)).unwrap();
    let contract = Arc::new(city());
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..1000 {
        let (client, contract) = (client.clone(), Arc::clone(&contract));
        calls.spawn(async move {
            let outcome = client.structured(&contract, format!("Town {number}")).await.unwrap();
            assert_eq!(outcome.mechanism(), Mechanism::JsonSchema);
            (number, outcome.value().unwrap()["population"].as_u64().unwrap())
        });
    }
    let answers = calls.join_all().await;
    assert_eq!(answers.len(), 1000);
    assert!(answers.iter().all(|(asked, answered)| asked == answered));
    assert_eq!(server.chats().len(), 1001, "one probe, a thousand calls");
    let most = transport.most.load(Ordering::SeqCst);
    assert!((2..=64).contains(&most), "{most} at once");
}
