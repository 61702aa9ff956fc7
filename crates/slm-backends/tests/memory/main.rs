//! How much memory calls take, counted by the allocator: a binary of its own, since every test of one shares it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed expectation is a failed test")]

#[path = "../integration/bomb.rs"]
mod bomb;

use std::sync::Arc;

use peak_alloc::PeakAlloc;
use serde_json::json;
use slm_backends::{Client, Config, Endpoint, Mechanism, Provider};
use slm_schema::Contract;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;
/// Held while a test counts.
static ALONE: Mutex<()> = Mutex::const_new(());

const KILOBYTE: usize = 1 << 10;
const MEGABYTE: usize = 1 << 20;

/// What a request is answered with.
#[derive(Clone, Copy)]
enum Answer {
    /// A valid reply.
    Value,
    /// This much of a reply, packed or not.
    Megabytes(usize, &'static str),
}

async fn serve(mut stream: TcpStream, answer: Answer) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    loop {
        // One request after the other, on a connection that stays.
        let head = loop {
            if let Some(place) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break place + 4;
            }
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(());
            }
        };
        let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
        while bytes.len() < head + length {
            stream.read_buf(&mut bytes).await?;
        }
        bytes.drain(..head + length);
        match answer {
            Answer::Value => {
                let message = json!({"content": r#"{"population": 1, "city": "Lyon"}"#});
                let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]}).to_string();
                let head = format!("HTTP/1.1 200 X\r\ncontent-length: {}\r\n\r\n", body.len());
                stream.write_all(format!("{head}{body}").as_bytes()).await?;
            }
            Answer::Megabytes(count, headers) => {
                stream.write_all(format!("HTTP/1.1 200 X\r\n{headers}\r\n").as_bytes()).await?;
                if headers.contains("gzip") {
                    return stream.write_all(&bomb::bomb(count)).await;
                }
                for _ in 0..count {
                    stream.write_all(&vec![b'x'; MEGABYTE]).await?;
                }
                return Ok(());
            }
        }
    }
}

/// A client of a server that answers so.
async fn client(answer: Answer) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint::parse(&format!("http://{}/v1", listener.local_addr().unwrap())).unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, answer));
        }
    });
    let config = Config {
        mechanism: Some(Mechanism::JsonSchema),
        provider: Some(Provider::Custom),
        model: Some("m".to_owned()),
        max_parallel: 64,
        ..Config::default()
    };
    Client::with_config(endpoint, config).unwrap()
}

fn city() -> Arc<Contract> {
    let schema = r#"{"type":"object","properties":{"population":{"type":"integer"},"city":{"type":"string","maxLength":40}},"required":["population","city"],"additionalProperties":false}"#;
    Arc::new(Contract::from_json("city", schema).unwrap())
}

/// The bytes that so many calls at once take at most.
async fn cost(client: &Client, contract: &Arc<Contract>, count: usize) -> usize {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..count {
        let (client, contract) = (client.clone(), Arc::clone(contract));
        calls.spawn(async move {
            let outcome = client.structured(&contract, format!("Town {number}")).await.unwrap();
            assert!(outcome.value().is_some());
        });
    }
    calls.join_all().await;
    HEAP.peak_usage().saturating_sub(before)
}

#[tokio::test]
async fn a_thousand_calls_leave_nothing_behind_and_wait_in_little_room() {
    let _alone = ALONE.lock().await;
    let (client, contract) = (client(Answer::Value).await, city());
    // Connections and buffers stay.
    let first = cost(&client, &contract, 1000).await;
    assert!(first < 1000 * 32 * KILOBYTE, "{first} bytes for a thousand calls");
    let before = HEAP.current_usage();
    for _ in 0..4 {
        let peak = cost(&client, &contract, 1000).await;
        assert!(peak < first + MEGABYTE, "{peak} bytes at most, after {first}");
    }
    let left = HEAP.current_usage().saturating_sub(before);
    assert!(left < MEGABYTE, "{left} bytes are left behind by four thousand calls");
}

#[tokio::test]
async fn an_answer_of_any_size_takes_no_more_than_the_largest_that_is_read() {
    let _alone = ALONE.lock().await;
    for (headers, count) in [
        ("content-type: application/json\r\n", 100),
        ("content-type: text/event-stream\r\n", 100),
        ("content-type: application/json\r\ncontent-encoding: gzip\r\n", 1000),
        ("content-type: text/event-stream\r\ncontent-encoding: gzip\r\n", 1000),
    ] {
        let client = client(Answer::Megabytes(count, headers)).await;
        let before = HEAP.current_usage();
        HEAP.reset_peak_usage();
        let error = client.structured(&city(), "Lyon?").await.unwrap_err();
        let peak = HEAP.peak_usage().saturating_sub(before);
        assert!(error.to_string().contains("larger than 16 MB"), "{error}");
        // What is read is at most 16 MB; a growing buffer takes its old room and twice as much for a moment.
        assert!(peak < 56 * MEGABYTE, "{peak} bytes for {headers}");
    }
}
