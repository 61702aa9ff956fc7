//! What an answer of a chat endpoint says it cost, read off its bytes. Pure.

use serde_json::Value;

/// One answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    /// The HTTP status; 0 where there was no answer.
    pub(crate) status: u16,
    /// Tokens of the prompt.
    pub(crate) prompt_tokens: u64,
    /// Tokens of the reply. Where the client left the stream before its end, the pieces that had come.
    pub(crate) completion_tokens: u64,
    /// Did the endpoint say what it cost?
    pub(crate) is_counted: bool,
}

impl Usage {
    /// Of a whole HTTP response, head and body.
    pub(crate) fn of(response: &[u8]) -> Self {
        let Some(end) = find(response, b"\r\n\r\n") else { return Self::default() };
        let (head, body) = response.split_at(end);
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        let body = body.get(4..).unwrap_or_default();
        let body = if head.contains("transfer-encoding: chunked") { joined(body) } else { body.to_vec() };
        let body = String::from_utf8_lossy(&body);
        let mut usage = if head.contains("text/event-stream") { of_stream(&body) } else { of_document(&body) };
        usage.status = status;
        usage
    }
}

fn of_document(body: &str) -> Usage {
    serde_json::from_str(body).ok().and_then(|document: Value| counted(&document)).unwrap_or_default()
}

fn of_stream(body: &str) -> Usage {
    let mut pieces = 0;
    for event in body.lines().filter_map(|line| line.strip_prefix("data:")) {
        let Ok(event) = serde_json::from_str::<Value>(event.trim()) else { continue };
        if let Some(usage) = counted(&event) {
            return usage;
        }
        let piece = event.pointer("/choices/0/delta/content").and_then(Value::as_str);
        pieces += u64::from(piece.is_some_and(|piece| !piece.is_empty()));
    }
    Usage { completion_tokens: pieces, ..Usage::default() }
}

fn counted(document: &Value) -> Option<Usage> {
    let usage = document.get("usage").filter(|usage| usage.is_object())?;
    let count = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
    Some(Usage {
        status: 0,
        prompt_tokens: count("prompt_tokens"),
        completion_tokens: count("completion_tokens"),
        is_counted: true,
    })
}

/// The body that came in chunks; the last may be cut.
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = find(chunks, b"\r\n") {
        let (size, rest) = chunks.split_at(end);
        let size = std::str::from_utf8(size).ok().and_then(|text| usize::from_str_radix(text.trim(), 16).ok());
        let Some(size) = size.filter(|size| *size > 0) else { break };
        let rest = rest.get(2..).unwrap_or_default();
        body.extend_from_slice(rest.get(..size).unwrap_or(rest));
        chunks = rest.get(size + 2..).unwrap_or_default();
    }
    body
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_says_what_it_cost() {
        let response = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}";
        let expected = Usage { status: 200, prompt_tokens: 7, completion_tokens: 3, is_counted: true };
        assert_eq!(Usage::of(response), expected);
    }

    #[test]
    fn a_stream_in_chunks_says_so_at_its_end() {
        // The chunks are cut in the middle of the numbers.
        let response = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n\
                        35\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n\ndata: \r\n\
                        21\r\n{\"choices\":[],\"usage\":{\"prompt_to\r\n\
                        25\r\nkens\":120,\"completion_tokens\":45}}\n\n\r\n0\r\n\r\n";
        let usage = Usage::of(response.as_bytes());
        assert_eq!((usage.prompt_tokens, usage.completion_tokens, usage.is_counted), (120, 45, true));
    }

    #[test]
    fn of_a_stream_that_was_left_the_pieces_count() {
        let piece = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":null}\n\n";
        let begin = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n";
        let response =
            format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{begin}{piece}{piece}data: {{\"cho");
        let usage = Usage::of(response.as_bytes());
        assert_eq!(usage, Usage { status: 200, prompt_tokens: 0, completion_tokens: 2, is_counted: false });
    }

    #[test]
    fn what_is_no_answer_cost_nothing() {
        assert_eq!(Usage::of(b"HTTP/1.1 400 Bad Request\r\n\r\nno").status, 400);
        assert_eq!(Usage::of(b""), Usage::default());
    }
}
