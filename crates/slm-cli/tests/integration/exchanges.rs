//! Recorded exchanges through `slmcode ask --json`: our own, and the public ones where they are at hand.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::command::slmcode;

const MECHANISMS: [&str; 5] = ["json_schema", "guided_json", "gbnf_grammar", "json_object", "prompt_only"];

/// What the server sends for a chat request, byte for byte.
fn bytes(response: &Value) -> Vec<u8> {
    let content_type = response["headers"]["content-type"].as_str().unwrap_or("application/json");
    let texts = |name: &str| response.get(name)?.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>();
    let body = match (texts("sse"), texts("sse_base64"), &response["body"]) {
        (Some(events), _, _) => events.concat().into_bytes(),
        (None, Some(pieces), _) => pieces.iter().flat_map(|piece| decoded(piece)).collect(),
        (None, None, Value::String(text)) => text.clone().into_bytes(),
        (None, None, body) => body.to_string().into_bytes(),
    };
    let mut head = format!("HTTP/1.1 {} X\r\nContent-Type: {content_type}\r\n", response["status"]);
    for (name, value) in response["headers"].as_object().into_iter().flatten() {
        if !["content-type", "content-length"].contains(&name.as_str()) {
            head.extend([name, ": ", value.as_str().unwrap(), "\r\n"]);
        }
    }
    head.push_str("Connection: close\r\n\r\n");
    [head.into_bytes(), body].concat()
}

/// Base64, as RFC 4648 has it.
fn decoded(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<usize> = text.bytes().filter_map(|byte| alphabet.iter().position(|known| *known == byte)).collect();
    let mut bytes = Vec::new();
    for four in bits.chunks(4) {
        let number = four.iter().fold(0, |sum, six| (sum << 6) | six) << (6 * (4 - four.len()));
        bytes.extend(&u32::try_from(number).unwrap().to_be_bytes()[1..four.len()]);
    }
    bytes
}

/// A server that answers every POST so; gives its address, and counts.
fn serve(bytes: Vec<u8>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream, &bytes, &counted);
        }
    });
    (url, count)
}

fn answer(mut stream: TcpStream, bytes: &[u8], count: &AtomicUsize) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut first, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        first = if first.is_empty() { line } else { first };
    }
    let mut body = vec![0; length];
    let _cut_off = reader.read_exact(&mut body);
    let _gone = if first.starts_with("POST") {
        count.fetch_add(1, Ordering::SeqCst);
        stream.write_all(bytes)
    } else {
        stream.write_all(b"HTTP/1.1 404 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    };
}

/// Every expected member is there and equal; a hint only has to begin so.
fn assert_holds(expected: &Value, actual: &Value, name: &str) {
    for (key, expected) in expected.as_object().unwrap() {
        match (key.as_str(), expected) {
            ("requests" | "client_leaves_early", _) => {}
            ("error", expected) => assert_holds(expected, &actual["error"], name),
            ("hint", Value::String(hint)) => {
                assert!(actual["hint"].as_str().unwrap().starts_with(hint), "{name}: {actual}");
            }
            _ => assert_eq!(actual.get(key).unwrap_or(&Value::Null), expected, "{name}: {key} of {actual}"),
        }
    }
}

fn replay(path: &Path, folder: &Path) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let exchange: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (context, expect) = (&exchange["request_context"], &exchange["expect"]);
    let (url, count) = serve(bytes(&exchange["response"]));
    let write = |name: &str, value: &Value| {
        let file = folder.join(name);
        std::fs::write(&file, value.to_string()).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let schema = write("schema.json", &context["original_schema"]);
    let tokens = usize::try_from(context["estimated_prompt_tokens"].as_u64().unwrap_or(1)).unwrap();
    let prompt = "four".repeat(tokens);
    let mechanism = MECHANISMS[usize::try_from(context["rank"].as_u64().unwrap()).unwrap() - 1];
    let mut args = vec!["ask", "--json", "--schema", &schema, &prompt, "--endpoint", &url, "--max-reasks", "0"];
    args.extend(["--mechanism", mechanism]);
    let cap = context["max_tokens"].as_u64().map(|cap| cap.to_string());
    args.extend(cap.iter().flat_map(|cap| ["--max-tokens", cap]));
    let tools = context.get("tools").map(|tools| write("tools.json", tools));
    args.extend(tools.iter().flat_map(|tools| ["--tools", tools]));
    args.extend((context["stream"] == true).then_some("--stream"));
    let document = slmcode(&args, "").document();
    assert_holds(expect, &document, &name);
    let count = count.load(Ordering::SeqCst);
    let bound = |key: &str| expect["requests"][key].as_u64().map(|bound| usize::try_from(bound).unwrap());
    assert!(bound("exactly").is_none_or(|exactly| count == exactly), "{name}: {count} requests");
    assert!(bound("at_most").is_none_or(|most| count <= most), "{name}: {count} requests");
    assert!(bound("at_least").is_none_or(|least| count >= least), "{name}: {count} requests");
}

#[test]
fn exchanges_end_as_they_should() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/exchanges");
    // The public ones are kept apart; fixtures/README.md says what they are.
    let public = std::env::var_os("SLM_TEST_DATA").map(|data| Path::new(&data).join("exchanges"));
    let mut paths = Vec::new();
    for source in [Some(own), public].into_iter().flatten() {
        let files = std::fs::read_dir(source).unwrap().map(|entry| entry.unwrap().path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "json")));
    }
    assert!(paths.len() >= 100, "{}", paths.len());
    // Most of them wait: for a process to start, or before a request is sent again.
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let (next, failed, paths) = (&next, &failed, &paths);
            scope.spawn(move || {
                let folder = std::env::temp_dir().join(format!("slmcode-exchanges-{}-{worker}", std::process::id()));
                std::fs::create_dir_all(&folder).unwrap();
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let replayed = std::panic::catch_unwind(|| replay(path, &folder));
                    failed.lock().unwrap().extend(replayed.is_err().then(|| path.display().to_string()));
                }
                std::fs::remove_dir_all(&folder).unwrap();
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} of {}: {failed:#?}", failed.len(), paths.len());
}
