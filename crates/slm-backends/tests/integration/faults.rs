//! A server that fails in every way: the right class, the right number of requests, bounded time and memory.

use slm_backends::{Error, ErrorClass, ErrorKind, Mechanism};

use crate::server::{Reaction, Server};
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
