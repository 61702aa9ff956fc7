//! A server on loopback whose answers follow from the requests: what it was asked stands in what it says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What the server saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The prompts of all requests, in the order they came.
    pub(crate) prompts: Mutex<Vec<String>>,
    running: AtomicUsize,
    /// The most requests that were there at once.
    pub(crate) most: AtomicUsize,
}

/// Answers a chat request with a value that names its prompt; `gate` is called before it answers.
pub(crate) fn serve(gate: impl Fn(&str) + Send + Sync + 'static) -> (String, Arc<Seen>) {
    serve_some(usize::MAX, gate)
}

/// The same, for this many requests; then nobody is there any more.
pub(crate) fn serve_some(requests: usize, gate: impl Fn(&str) + Send + Sync + 'static) -> (String, Arc<Seen>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let (seen, gate) = (Arc::new(Seen::default()), Arc::new(gate));
    let server = Arc::clone(&seen);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten().take(requests) {
            let (seen, gate) = (Arc::clone(&server), Arc::clone(&gate));
            std::thread::spawn(move || answer(stream, &seen, &*gate));
        }
    });
    (url, seen)
}

/// A client that was killed leaves requests cut in the middle: no answer to those.
fn answer(mut stream: TcpStream, seen: &Seen, gate: &dyn Fn(&str)) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first).ok()?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let reply = if first.starts_with("POST") {
        seen.most.fetch_max(seen.running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let reply = chat(&serde_json::from_slice(&body).ok()?, seen, gate);
        seen.running.fetch_sub(1, Ordering::SeqCst);
        reply
    } else {
        json!({"object": "list", "data": [{"id": "m", "object": "model"}]})
    };
    let reply = reply.to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        reply.len()
    );
    stream.write_all([head.as_bytes(), reply.as_bytes()].concat().as_slice()).ok()
}

fn chat(request: &Value, seen: &Seen, gate: &dyn Fn(&str)) -> Value {
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    let prompt = messages.last().and_then(|last| last["content"].as_str()).unwrap_or_default().to_owned();
    seen.prompts.lock().unwrap().push(prompt.clone());
    gate(&prompt);
    let content = match prompt.as_str() {
        "fenced" => "```json\n{\"needs_clarification\": true, \"questions\": []}\n```".to_owned(),
        // What is quoted of it in the next request is no prompt of this kind.
        "once prose" | "prose" => "I would rather not.".to_owned(),
        "cut" => "{\"needs_clarification\": true, \"questions\": [\"Wh".to_owned(),
        // A complaint is longer than a question may be.
        _ => {
            json!({"needs_clarification": true, "questions": [prompt.chars().take(60).collect::<String>()]}).to_string()
        }
    };
    json!({
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 3}
    })
}
