//! Between all contestants and the server: counts what each really sends, silent retries included, by one yardstick.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::usage::Usage;
use crate::Outcome;

/// A request's head ends within so many bytes.
const LARGEST_HEAD: usize = 64 * 1024;

/// A proxy on loopback; it serves until the process ends.
#[derive(Debug)]
pub(crate) struct Proxy {
    url: String,
    ledger: Arc<Ledger>,
}

#[derive(Debug, Default)]
struct Ledger {
    book: Mutex<Book>,
    settled: Condvar,
}

#[derive(Debug, Default)]
struct Book {
    open: usize,
    done: Vec<Usage>,
}

impl Ledger {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Proxy {
    /// A proxy to `upstream`, an address like `http://127.0.0.1:8080/v1`.
    pub(crate) fn start(upstream: &str) -> Outcome<Self> {
        let no = |error: &dyn std::fmt::Display| format!("no proxy to {upstream} can be started: {error}");
        let rest = upstream.strip_prefix("http://").ok_or_else(|| no(&"only plain HTTP is counted"))?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let server: SocketAddr = host.parse().map_err(|error| no(&error))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| no(&error))?;
        let own = listener.local_addr().map_err(|error| no(&error))?;
        let ledger = Arc::new(Ledger::default());
        let shared = Arc::clone(&ledger);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let ledger = Arc::clone(&shared);
                std::thread::spawn(move || relay(client, server, &ledger));
            }
        });
        Ok(Self { url: format!("http://{own}/{path}").trim_end_matches('/').to_owned(), ledger })
    }

    /// What clients are given.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The calls since this was last asked, once none is under way.
    pub(crate) fn take(&self) -> Vec<Usage> {
        let mut book = self.ledger.book();
        while book.open > 0 {
            book = self.ledger.settled.wait(book).unwrap_or_else(PoisonError::into_inner);
        }
        std::mem::take(&mut book.done)
    }
}

/// One connection, one exchange: both sides are told to close, so that the end of an answer is the end of its connection.
fn relay(mut client: TcpStream, server: SocketAddr, ledger: &Ledger) {
    // A client that connects and says nothing has made no call.
    let Ok(Some(request)) = read_request(&mut client) else { return };
    if request.is_chat {
        ledger.book().open += 1;
    }
    let mut answer = Vec::new();
    // Either side may leave in the middle; what came until then is counted.
    let _left = forward(&mut client, server, &request.bytes, &mut answer);
    if request.is_chat {
        let mut book = ledger.book();
        book.open -= 1;
        book.done.push(Usage::of(&answer));
        ledger.settled.notify_all();
    }
    let _gone_already = client.shutdown(Shutdown::Both);
}

fn forward(client: &mut TcpStream, server: SocketAddr, request: &[u8], answer: &mut Vec<u8>) -> io::Result<()> {
    let mut server = TcpStream::connect(server)?;
    server.set_nodelay(true)?;
    client.set_nodelay(true)?;
    server.write_all(request)?;
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = server.read(&mut buffer)?;
        let piece = buffer.get(..count).unwrap_or_default();
        if piece.is_empty() {
            return Ok(());
        }
        answer.extend_from_slice(piece);
        client.write_all(piece)?;
    }
}

struct Request {
    bytes: Vec<u8>,
    is_chat: bool,
}

/// The request with its body, and with a header that says to close afterwards.
fn read_request(client: &mut impl Read) -> io::Result<Option<Request>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        let count = client.read(&mut buffer)?;
        if count == 0 || bytes.len() > LARGEST_HEAD {
            return Ok(None);
        }
        bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
    };
    let body = bytes.split_off(head);
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.trim_end().split("\r\n");
    let first = lines.next().unwrap_or_default();
    let kept: Vec<&str> = lines.filter(|line| !named(line, "connection")).collect();
    let length: usize =
        kept.iter().find(|line| named(line, "content-length")).map_or(0, |line| value(line).parse().unwrap_or(0));
    let is_chat = first.starts_with("POST ") && first.contains("/chat/completions");
    let mut whole = [&[first], kept.as_slice(), &["connection: close", "", ""]].concat().join("\r\n").into_bytes();
    let begun = whole.len();
    whole.extend_from_slice(&body);
    while whole.len() < begun + length {
        let count = client.read(&mut buffer)?;
        if count == 0 {
            return Ok(None);
        }
        whole.extend_from_slice(buffer.get(..count).unwrap_or_default());
    }
    Ok(Some(Request { bytes: whole, is_chat }))
}

fn named(line: &str, name: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| key.eq_ignore_ascii_case(name))
}

fn value(line: &str) -> &str {
    line.split_once(':').map_or("", |(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that answers each connection with `answer`, and hands over what it was sent.
    fn server(answer: &'static str) -> (String, std::sync::mpsc::Receiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (sender, requests) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for mut client in listener.incoming().flatten() {
                let request = read_request(&mut client).unwrap().unwrap();
                sender.send(String::from_utf8(request.bytes).unwrap()).unwrap();
                client.write_all(answer.as_bytes()).unwrap();
            }
        });
        (url, requests)
    }

    fn exchange(url: &str, request: &str) -> String {
        let address: SocketAddr = url.trim_start_matches("http://").split('/').next().unwrap().parse().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    const ANSWER: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}";

    #[test]
    fn calls_are_counted_and_arrive_as_they_were_sent() {
        let (upstream, requests) = server(ANSWER);
        let proxy = Proxy::start(&upstream).unwrap();
        let request = "POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nContent-Length: 7\r\n\r\n{\"a\":1}";
        assert_eq!(exchange(proxy.url(), request), ANSWER);
        let sent = requests.recv().unwrap();
        assert!(sent.ends_with("\r\n\r\n{\"a\":1}"), "{sent}");
        assert!(
            sent.contains("Host: a") && sent.contains("connection: close") && !sent.contains("keep-alive"),
            "{sent}"
        );
        let expected = Usage { status: 200, prompt_tokens: 5, completion_tokens: 2, is_counted: true };
        assert_eq!(proxy.take(), [expected]);
        assert_eq!(proxy.take(), []);
    }

    #[test]
    fn other_requests_pass_uncounted() {
        let (upstream, _requests) = server(ANSWER);
        let proxy = Proxy::start(&upstream).unwrap();
        assert_eq!(exchange(proxy.url(), "GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n"), ANSWER);
        assert_eq!(proxy.take(), []);
    }

    #[test]
    fn a_server_that_is_gone_is_a_call_without_an_answer() {
        let proxy = Proxy::start("http://127.0.0.1:9/v1").unwrap();
        let request = "POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 0\r\n\r\n";
        assert_eq!(exchange(proxy.url(), request), "");
        assert_eq!(proxy.take(), [Usage::default()]);
    }
}
