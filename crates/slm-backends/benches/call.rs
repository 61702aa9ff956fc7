//! What a structured call costs over a bare request of the same HTTP client to the same server: with a mechanism that is
//! set, and with one that is negotiated.
//!
//! `cargo bench -p slm-backends`

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints what it measured, and stops where it cannot"
)]

use std::time::{Duration, Instant};

use slm_backends::{Client, Config, Endpoint, Mechanism, Provider, Request};
use slm_schema::{Contract, Registry};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const ROUNDS: usize = 2000;
const CONTRACT: &str = "clarify";
const REPLY: &str = r#"{"reason":"It could be the start or the run.","needs_clarification":true,"questions":[]}"#;
/// What only a probe asks for, and an answer that obeys it.
const PROBED: &str = "zq";
const CANARY: &str = r#"{"zq":true}"#;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    // A thread of its own: what the server does is no part of the call.
    let listener = listener.into_std().expect("a listener");
    std::thread::spawn(move || serve(listener));

    let contract = Registry::builtin().get(CONTRACT).expect("built in");
    let set = client(&url, Config { mechanism: Some(Mechanism::JsonSchema), ..Config::default() });
    // Here two mechanisms are compared for the contract.
    let negotiated = client(&url, Config { provider: Some(Provider::LlamaCpp), ..Config::default() });
    let bare = reqwest::Client::builder().no_proxy().build().expect("a client");
    let url = format!("{url}/chat/completions");
    let body = format!(r#"{{"model":"m","messages":[],"schema":{}}}"#, contract.to_json());

    let (mut theirs, mut with_set, mut with_negotiated) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // In turns, so that all see the same machine.
        let begun = Instant::now();
        let text = bare.post(&url).body(body.clone()).send().await.expect("an answer").text().await.expect("a body");
        assert!(text.contains("choices"));
        theirs.push(begun.elapsed());
        for (client, times) in [(&set, &mut with_set), (&negotiated, &mut with_negotiated)] {
            let begun = Instant::now();
            call(client, contract, round).await;
            times.push(begun.elapsed());
        }
    }
    let theirs = median(theirs);
    println!("bare request       {theirs:>9.1?}");
    for (name, times) in [("set", with_set), ("negotiated", with_negotiated)] {
        let ours = median(times);
        let added = ours.saturating_sub(theirs);
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        println!("{name:<10}         {ours:>9.1?}, added {added:>9.1?}  (x{ratio:.2})");
    }
}

fn client(url: &str, config: Config) -> Client {
    let provider = config.provider.or(Some(Provider::Custom));
    let config = Config { model: Some("m".to_owned()), provider, ..config };
    Client::with_config(Endpoint::parse(url).expect("an address"), config).expect("a client")
}

async fn call(client: &Client, contract: &Contract, round: usize) {
    let request = Request::new(format!("Make it faster ({round})"));
    let outcome = client.structured(contract, request).await.expect("an outcome");
    assert!(outcome.value().is_some(), "{}", outcome.text());
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn serve(listener: std::net::TcpListener) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("an event loop");
    runtime.block_on(async {
        let listener = TcpListener::from_std(listener).expect("a listener");
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream));
        }
    });
}

async fn answer(mut stream: TcpStream) {
    let [answer, canary] = [REPLY, CANARY].map(answer_of);
    let mut bytes = Vec::new();
    // Each request is read to its end, then answered; the connection stays.
    loop {
        while let Some(length) = request_length(&bytes) {
            let request: Vec<u8> = bytes.drain(..length).collect();
            let is_probe = request.windows(PROBED.len()).any(|window| window == PROBED.as_bytes());
            let answer = if is_probe { &canary } else { &answer };
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
        if !stream.read_buf(&mut bytes).await.is_ok_and(|count| count > 0) {
            return;
        }
    }
}

fn answer_of(content: &str) -> String {
    let content = serde_json::Value::from(content);
    let body = format!(r#"{{"choices":[{{"message":{{"content":{content}}},"finish_reason":"stop"}}]}}"#);
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

/// The length of the first request, if it has come whole.
fn request_length(bytes: &[u8]) -> Option<usize> {
    let head_end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(bytes.get(..head_end)?).ok()?;
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let whole = head_end + length.unwrap_or(0);
    (bytes.len() >= whole).then_some(whole)
}
