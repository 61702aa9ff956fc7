//! A server on loopback that gives every request of a path the same answer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

/// What the server does with a request.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    /// Status, content type, body.
    Http(u16, &'static str, &'static str),
    /// These bytes, whatever they are.
    Raw(&'static [u8]),
    /// Nothing, and the connection stays open.
    Silence,
}

/// Serves until the test process ends; `models` answers GET, `chat` answers POST. Gives the URL.
pub(crate) fn serve(models: Answer, chat: Answer) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming().flatten() {
            held.extend(answer(stream, models, chat));
        }
    });
    url
}

/// Answers one request; gives back a connection that is to stay open.
fn answer(mut stream: TcpStream, models: Answer, chat: Answer) -> Option<TcpStream> {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    let _cut_off = reader.read_exact(&mut body);
    match if head.starts_with("POST") { chat } else { models } {
        Answer::Http(status, content_type, body) => {
            let head = format!(
                "HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _gone = stream.write_all([head.as_bytes(), body.as_bytes()].concat().as_slice());
            None
        }
        Answer::Raw(bytes) => {
            let _gone = stream.write_all(bytes);
            None
        }
        Answer::Silence => Some(stream),
    }
}

/// A list of one model, as any server gives it.
pub(crate) const MODELS: Answer =
    Answer::Http(200, "application/json", r#"{"object":"list","data":[{"id":"m","object":"model"}]}"#);

/// A chat reply with this content, which stopped by itself.
macro_rules! reply {
    ($content:literal) => {
        $crate::server::Answer::Http(
            200,
            "application/json",
            concat!(
                r#"{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"#,
                $content,
                r#"}}],"usage":{"prompt_tokens":9,"completion_tokens":7}}"#
            ),
        )
    };
}
pub(crate) use reply;
