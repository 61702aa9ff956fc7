//! A real server's replies, kept in `fixtures/guide.json` and given again to whoever asks the same.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/guide.json");

/// A server on loopback, until the test process ends.
pub(crate) struct Recorded {
    pub(crate) url: String,
    /// What was said, by what was asked.
    exchanges: Arc<Mutex<Vec<Value>>>,
}

impl Recorded {
    /// Writes down what was recorded, if anything was.
    pub(crate) fn keep(&self) {
        if real().is_some() {
            let text = serde_json::to_string_pretty(&*self.exchanges.lock().unwrap()).unwrap();
            std::fs::write(FILE, text + "\n").unwrap();
        }
    }
}

/// The server to record from.
fn real() -> Option<String> {
    std::env::var("SLMCODE_RECORD").ok()
}

pub(crate) fn serve() -> Recorded {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let known = if real().is_some() {
        json!([])
    } else {
        serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap()
    };
    let exchanges = Arc::new(Mutex::new(known.as_array().cloned().unwrap()));
    let shared = Arc::clone(&exchanges);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let exchanges = Arc::clone(&shared);
            std::thread::spawn(move || answer(stream, &exchanges));
        }
    });
    Recorded { url, exchanges }
}

fn answer(mut stream: TcpStream, exchanges: &Mutex<Vec<Value>>) -> Option<()> {
    let (first, body) = read(&mut BufReader::new(stream.try_clone().ok()?))?;
    let asked = question(&first, &body);
    let known = exchanges.lock().unwrap().iter().find(|one| one["asked"] == asked).map(|one| one["said"].clone());
    let said = match (known, real()) {
        (Some(said), _) => said,
        (None, Some(real)) => {
            let said = forward(&real, &first, &body)?;
            exchanges.lock().unwrap().push(json!({"asked": asked, "said": said}));
            said
        }
        (None, None) => {
            json!({"status": 500, "type": "text/plain", "body": format!("nothing is recorded for {asked}")})
        }
    };
    let (text, kind) = (said["body"].as_str()?, said["type"].as_str()?);
    let head = format!(
        "HTTP/1.1 {} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        said["status"],
        text.len()
    );
    stream.write_all([head, text.to_owned()].concat().as_bytes()).ok()
}

/// The first line and the body of a message.
fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let (mut first, mut length, mut is_chunked) = (String::new(), None, false);
    reader.read_line(&mut first).ok()?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let lower = line.to_ascii_lowercase();
        if line == "\r\n" {
            break;
        }
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse::<usize>().ok();
        }
        is_chunked |= lower.starts_with("transfer-encoding:") && lower.contains("chunked");
    }
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    while is_chunked {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        let mut chunk = vec![0; size + 2];
        reader.read_exact(&mut chunk).ok()?;
        is_chunked = size > 0;
        body.extend_from_slice(&chunk[..size]);
    }
    Some((first, body))
}

/// What tells one request from another, and stays when their spelling changes: the prompt, and how it is constrained.
fn question(first: &str, body: &[u8]) -> Value {
    let line: Vec<&str> = first.split_whitespace().take(2).collect();
    let request: Value = serde_json::from_slice(body).unwrap_or_default();
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    let constraints = ["response_format", "structured_outputs", "guided_json", "grammar"];
    let constraint = constraints.iter().find(|field| request.get(**field).is_some());
    json!({
        "line": line.join(" "),
        "prompt": messages.last().map(|last| last["content"].clone()),
        "constraint": constraint,
        "type": request["response_format"]["type"],
    })
}

fn forward(real: &str, first: &str, body: &[u8]) -> Option<Value> {
    let mut stream = TcpStream::connect(real).ok()?;
    let head = format!(
        "{}\r\nHost: {real}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        first.trim_end(),
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body].concat()).ok()?;
    let (first, body) = read(&mut BufReader::new(stream))?;
    let status: u16 = first.split_whitespace().nth(1)?.parse().ok()?;
    let text = String::from_utf8(body).ok()?;
    let kind = if text.starts_with("data:") { "text/event-stream" } else { "application/json" };
    Some(json!({"status": status, "type": kind, "body": text}))
}
