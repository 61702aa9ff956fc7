//! A server that fails in every way: the right class, the right number of requests, bounded time and memory.

use slm_backends::{Error, ErrorClass, ErrorKind, Mechanism};

use crate::server::{End, Reaction, Server};
use crate::{city, client, forced};

/// The error of a call to a server that always does this, and how many requests it took.
async fn failed(reaction: Reaction) -> (Error, usize) {
    let server = Server::start(move |_| reaction.clone()).await;
    let error = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await.unwrap_err();
    (error, server.chats().len())
}

#[tokio::test]
async fn a_connection_that_breaks_is_transient_at_every_stage() {
    let head = "HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 99\r\n";
    let whole_head = format!("{head}\r\n");
    let mid_body = format!("{whole_head}{{\"choices\": [");
    let chunked = "HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let mid_frame = format!("{chunked}12\r\ndata: {{\"choices\": [\r\n");
    for bytes in ["", head, &whole_head, &mid_body, &mid_frame] {
        let (error, requests) = failed(Reaction::Raw(bytes.as_bytes().to_vec())).await;
        assert_eq!((error.kind(), error.class()), (ErrorKind::Transport, ErrorClass::Transient), "{bytes}: {error}");
        assert_eq!(requests, 3, "{bytes}");
    }
}

#[tokio::test]
async fn what_is_no_http_is_told_and_not_believed() {
    for bytes in [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc".as_slice(), b"SSH-2.0-OpenSSH_9.6\r\n", &[0xff; 4096]] {
        let (error, requests) = failed(Reaction::Raw(bytes.to_vec())).await;
        assert_eq!((error.kind(), error.class()), (ErrorKind::Transport, ErrorClass::Transient), "{error}");
        assert_eq!(requests, 3);
    }
}

#[tokio::test]
async fn headers_without_end_are_not_read() {
    let head = format!("HTTP/1.1 200 X\r\nx-long: {}\r\n", "a".repeat(4 << 20));
    let (error, requests) = failed(Reaction::Raw(head.into_bytes())).await;
    assert_eq!(error.kind(), ErrorKind::Transport, "{error}");
    assert!(requests <= 3);
}

#[tokio::test]
async fn a_stream_of_any_size_is_left() {
    let piece = format!("data: {{\"x\": \"{}\"}}\n\n", "a".repeat(1 << 20));
    let reaction = Reaction::events(&vec![piece; 20], End::Open);
    let server = Server::start(move |_| reaction.clone()).await;
    let error = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!((error.kind(), error.class()), (ErrorKind::Protocol, ErrorClass::Permanent), "{error}");
    assert_eq!(server.chats().len(), 1);
}

#[tokio::test]
async fn a_compressed_body_is_not_unpacked() {
    // Nobody asked for one, so a bomb stays as small as it is.
    let body = Reaction::raw(200, "application/json", "\u{1f}\u{8b}\u{8}").with_header("content-encoding", "gzip");
    let (error, requests) = failed(body).await;
    assert_eq!((error.kind(), requests), (ErrorKind::Protocol, 1), "{error}");
}

#[tokio::test]
async fn a_document_that_is_nested_too_deep_is_none() {
    let deep = format!("{{\"choices\": {}", "[".repeat(100_000));
    let (error, requests) = failed(Reaction::raw(200, "application/json", &deep)).await;
    assert_eq!((error.kind(), requests), (ErrorKind::Protocol, 1), "{error}");
    let text = format!("{{\"population\": {}", "[".repeat(100_000));
    let server = Server::start(move |_| Reaction::stream(&[&text])).await;
    let outcome = client(&server, forced(Mechanism::PromptOnly)).structured(&city(), "Lyon?").await.unwrap();
    assert!(outcome.value().is_none());
}

#[tokio::test]
async fn a_wrong_content_type_is_no_reason_to_refuse_a_reply() {
    let reply = crate::said(r#"{"population": 1, "city": "Lyon"}"#).to_string();
    for content_type in ["text/plain", "application/octet-stream", "text/event-stream"] {
        let reaction = Reaction::raw(200, content_type, &reply);
        let server = Server::start(move |_| reaction.clone()).await;
        let outcome = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await.unwrap();
        assert!(outcome.value().is_some(), "{content_type}");
    }
}

#[tokio::test]
async fn a_key_that_is_refused_once_is_not_tried_again() {
    let (error, requests) = failed(Reaction::status(401, &serde_json::json!({"error": "Unauthorized"}))).await;
    assert_eq!((error.class(), requests), (ErrorClass::Permanent, 1));
}
