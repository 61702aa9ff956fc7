//! `Client`: whatever an endpoint answers, by whatever API, whole or as a stream.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use slm_backends::{
    ApiKey, BoxFuture, Client, Clock, Config, Endpoint, HttpBody, HttpRequest, HttpResponse, HttpStream, Mechanism,
    Provider, Request, RetryPolicy, Tools, Transport, TransportError,
};
use slm_schema::Contract;

const KEY: &str = "sk-of-the-fuzzer-0123456789";
const SCHEMA: &str = r#"{"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string", "maxLength": 9}},
    "required": ["n"], "additionalProperties": false}"#;
const TOOLS: &str = r#"[{"type": "function", "function": {"name": "read", "parameters": {"type": "object",
    "properties": {"path": {"type": "string"}}, "required": ["path"]}}}]"#;

/// The first byte chooses the API, the second the call, the third the size of the pieces. Then comes the answer to every
/// request: its status and its headers a line each, an empty line, its body.
pub fn check(data: &[u8]) {
    let [api, call, size, answer @ ..] = data else { return };
    let answer = read(answer, usize::from(*size).max(1));
    let repeats_key = String::from_utf8_lossy(&answer.body).contains("sk-of")
        || answer.headers.iter().any(|(_, value)| value.contains("sk-of"));
    let provider = Provider::ALL.get(usize::from(*api) % Provider::ALL.len()).copied();
    let mechanism = Mechanism::ALL.get(usize::from(call / 8) % 6).copied();
    let config = Config {
        // Whoever it is, is found out.
        provider: provider.filter(|_| *api < 0x80),
        // Without one it is probed.
        mechanism,
        model: (call % 2 == 0).then(|| "m".to_owned()),
        api_key: Some(ApiKey::new(KEY)),
        streaming: call & 4 != 0,
        ..Config::default()
    };
    let endpoint = Endpoint::parse("http://127.0.0.1:9/v1").expect("the address is sound");
    let client = Client::with_transport(endpoint, config, Arc::new(answer), Arc::new(NoTime)).expect("it can be sent");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let said = runtime.block_on(ask(&client, call & 3));
    assert!(!said.is_empty());
    assert!(repeats_key || !said.contains("sk-of"), "the key is told to nobody: {said}");
}

/// Makes one call, and tells all that came of it.
async fn ask(client: &Client, call: u8) -> String {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    let contract = CONTRACT.get_or_init(|| Contract::from_json("c", SCHEMA).expect("the schema is sound"));
    let tools = Tools::from_json(TOOLS).expect("the tools are sound");
    let request = Request::new("p").max_tokens(64);
    let outcome = match call {
        0 => client.structured(contract, request).await,
        1 => client.turn(Some(contract), &tools, request).await,
        2 => client.complete(request).await,
        _ => return format!("{:?}", client.diagnose().await),
    };
    match outcome {
        Ok(outcome) => format!("{outcome:?}"),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            format!("{error} {error:?} {:?}", error.hint())
        }
    }
}

fn read(data: &[u8], size: usize) -> Answer {
    let end = data.windows(2).position(|pair| pair == b"\n\n");
    let (head, body) = data.split_at(end.unwrap_or(0));
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.trim().parse().ok()).unwrap_or(200);
    let header = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    Answer { status, headers: lines.filter_map(header).collect(), body: body.trim_ascii_start().to_owned(), size }
}

#[derive(Debug, Clone)]
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    size: usize,
}

impl Transport for Answer {
    fn send(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
        let Self { status, headers, body, .. } = self.clone();
        Box::pin(std::future::ready(Ok(HttpResponse { status, headers, body })))
    }

    fn open(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpStream, TransportError>> {
        let pieces: Vec<Vec<u8>> = self.body.chunks(self.size).map(<[u8]>::to_vec).collect();
        let body = Box::new(Pieces(pieces.into_iter()));
        Box::pin(std::future::ready(Ok(HttpStream::new(self.status, self.headers.clone(), body))))
    }
}

struct Pieces(std::vec::IntoIter<Vec<u8>>);

impl HttpBody for Pieces {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, TransportError>> {
        Box::pin(std::future::ready(Ok(self.0.next())))
    }
}

/// Waits for nothing, but notices who would wait too long.
#[derive(Debug)]
struct NoTime;

impl Clock for NoTime {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        assert!(duration <= RetryPolicy::default().ceiling, "no wait is longer than the policy allows");
        Box::pin(std::future::ready(()))
    }

    fn random(&self) -> f64 {
        0.5
    }
}
