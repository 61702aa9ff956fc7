//! A scripted server: a tiny HTTP/1.1 on loopback that writes down what it is sent.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::said;

/// One request, as it came.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) head: String,
    /// The body as text: key order is as it was sent.
    pub(crate) text: String,
    pub(crate) body: Value,
}

impl Ask {
    pub(crate) fn is_chat(&self) -> bool {
        let path = self.path.split('?').next().unwrap();
        ["/chat/completions", "/v1/messages", "/api/chat"].iter().any(|tail| path.ends_with(tail))
    }

    /// Is it a canary, not a call?
    pub(crate) fn is_probe(&self) -> bool {
        self.prompt().contains("clear sky") || self.prompt().contains("Do not write JSON")
    }

    pub(crate) fn prompt(&self) -> &str {
        self.body["messages"].as_array().and_then(|all| all.last()).map_or("", |last| last["content"].as_str().unwrap())
    }

    /// The field that carries a constraint, as a mechanism's name.
    pub(crate) fn mechanism(&self) -> &'static str {
        match &self.body {
            body if body["response_format"]["type"] == "json_schema" => "json_schema",
            body if body["response_format"]["type"] == "json_object" => "json_object",
            body if body["output_config"]["format"]["type"] == "json_schema" => "json_schema",
            body if body["format"] == "json" => "json_object",
            body if body["format"].is_object() => "json_schema",
            body if body.get("structured_outputs").is_some() => "structured_outputs",
            body if body.get("guided_json").is_some() => "guided_json",
            body if body.get("grammar").is_some() => "gbnf_grammar",
            _ => "prompt_only",
        }
    }
}

/// What a script does about a request.
#[derive(Debug, Clone)]
pub(crate) enum Reaction {
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    /// A body in pieces, in chunked encoding.
    Stream {
        content_type: &'static str,
        pieces: Vec<Vec<u8>>,
        end: End,
    },
    /// These bytes, whatever they are; then the connection is closed.
    Raw(Vec<u8>),
    /// These bytes, and then more of the last one, until the client leaves.
    Endless(Vec<u8>),
    /// The connection is closed without an answer.
    Reset,
}

/// What follows the last piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The body ends as it should.
    Close,
    /// The connection breaks.
    Break,
    /// Nothing, until the client leaves.
    Open,
}

impl Reaction {
    pub(crate) fn status(status: u16, body: &Value) -> Self {
        Self::raw(status, "application/json", &body.to_string())
    }

    pub(crate) fn ok(body: &Value) -> Self {
        Self::status(200, body)
    }

    pub(crate) fn raw(status: u16, content_type: &str, body: &str) -> Self {
        Self::Answer { status, headers: vec![("content-type", content_type.to_owned())], body: body.to_owned() }
    }

    pub(crate) fn with_header(self, name: &'static str, value: &str) -> Self {
        match self {
            Self::Answer { status, mut headers, body } => {
                headers.push((name, value.to_owned()));
                Self::Answer { status, headers, body }
            }
            other @ (Self::Stream { .. } | Self::Raw(_) | Self::Endless(_) | Self::Reset) => other,
        }
    }

    /// A stream of chunks with these texts, then `stop` and `[DONE]`.
    pub(crate) fn stream(texts: &[&str]) -> Self {
        let mut events: Vec<String> = texts.iter().map(|text| delta(text)).collect();
        events.push(finish("stop"));
        events.push("data: [DONE]\n\n".to_owned());
        Self::events(&events, End::Close)
    }

    pub(crate) fn events(events: &[String], end: End) -> Self {
        let pieces = events.iter().map(|event| event.as_bytes().to_vec()).collect();
        Self::Stream { content_type: "text/event-stream", pieces, end }
    }
}

/// The event that adds this text.
pub(crate) fn delta(text: &str) -> String {
    event(&json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}))
}

/// The event that ends the reply.
pub(crate) fn finish(reason: &str) -> String {
    event(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
}

pub(crate) fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

type Script = Arc<dyn Fn(&Ask) -> Reaction + Send + Sync>;

/// A server that lives as long as its value.
#[derive(Debug)]
pub(crate) struct Server {
    port: u16,
    log: Arc<Mutex<Vec<Ask>>>,
    left: Arc<tokio::sync::Semaphore>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Starts a server that does about every request what the script says.
    pub(crate) async fn start(script: impl Fn(&Ask) -> Reaction + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let log: Arc<Mutex<Vec<Ask>>> = Arc::default();
        let left = Arc::new(tokio::sync::Semaphore::new(0));
        let (script, written, leavers): (Script, _, _) = (Arc::new(script), Arc::clone(&log), Arc::clone(&left));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&script), Arc::clone(&written), Arc::clone(&leavers)));
            }
        });
        Self { port, log, left, task }
    }

    /// A server that lists one model, enforces these mechanisms, and answers calls by the script.
    pub(crate) async fn enforcing(
        enforced: &'static [&'static str],
        script: impl Fn(&Ask) -> Reaction + Send + Sync + 'static,
    ) -> Self {
        Self::start(move |ask| match ask {
            ask if ask.path.ends_with("/v1/models") => Reaction::ok(&json!({"data": [{"id": "m", "owned_by": "me"}]})),
            ask if !ask.is_chat() => Reaction::status(404, &json!({"detail": "Not Found"})),
            ask if ask.is_probe() => Reaction::ok(&probe_reply(ask, enforced)),
            ask => script(ask),
        })
        .await
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Waits until a client has left an open stream.
    pub(crate) async fn is_left(&self) {
        self.left.acquire().await.unwrap().forget();
    }

    /// Every chat request so far.
    pub(crate) fn chats(&self) -> Vec<Ask> {
        self.log.lock().unwrap().iter().filter(|ask| ask.is_chat()).cloned().collect()
    }

    /// The chat requests that were no canaries.
    pub(crate) fn calls(&self) -> Vec<Ask> {
        self.chats().into_iter().filter(|ask| !ask.is_probe()).collect()
    }
}

/// What a canary is answered by a server that enforces these mechanisms and ignores the others.
pub(crate) fn probe_reply(ask: &Ask, enforced: &[&str]) -> Value {
    match ask.mechanism() {
        mechanism if !enforced.contains(&mechanism) => said("The sky is blue."),
        "json_object" => said(r#"{"word": "hello"}"#),
        _ => said(r#"{"zq": true}"#),
    }
}

async fn serve(mut stream: TcpStream, script: Script, log: Arc<Mutex<Vec<Ask>>>, left: Arc<tokio::sync::Semaphore>) {
    let Some(ask) = read(&mut stream).await else { return };
    let reaction = script(&ask);
    log.lock().unwrap().push(ask);
    match reaction {
        Reaction::Reset => {}
        Reaction::Raw(bytes) => {
            let _sent = stream.write_all(&bytes).await;
        }
        Reaction::Endless(bytes) => {
            let _sent = stream.write_all(&bytes).await;
            let more = vec![*bytes.last().unwrap(); 1 << 16];
            while stream.write_all(&more).await.is_ok() {}
            left.add_permits(1);
        }
        Reaction::Stream { content_type, pieces, end } => {
            let head = format!("HTTP/1.1 200 X\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\n\r\n");
            let _sent = stream.write_all(head.as_bytes()).await;
            for piece in pieces {
                let chunk = [format!("{:x}\r\n", piece.len()).as_bytes(), &piece, b"\r\n"].concat();
                let _sent = stream.write_all(&chunk).await;
                // Each piece is read on its own, as far as the system lets it.
                let _flushed = stream.flush().await;
                tokio::task::yield_now().await;
            }
            match end {
                End::Break => {}
                End::Close => {
                    let _sent = stream.write_all(b"0\r\n\r\n").await;
                }
                End::Open => {
                    let mut rest = Vec::new();
                    while stream.read_buf(&mut rest).await.is_ok_and(|count| count > 0) {}
                    left.add_permits(1);
                }
            }
        }
        Reaction::Answer { status, headers, body } => {
            let length = body.len();
            let mut head = format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n");
            for (name, value) in &headers {
                head.extend([name, ": ", value.as_str(), "\r\n"]);
            }
            // The client may have gone.
            let _sent = stream.write_all(format!("{head}\r\n{body}").as_bytes()).await;
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Ask> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).unwrap();
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let length: usize = length.unwrap_or_default();
    while bytes.len() < head_end + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let text = String::from_utf8(bytes[head_end + 4..].to_vec()).unwrap();
    let mut words = head.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Some(Ask { method, path, head, text, body })
}
