//! Stop strings beside a document.

use serde_json::json;
use slm_backends::{Config, Ending, ErrorKind, Mechanism, Request};

use crate::server::{Ask, End, Reaction, Server, delta};
use crate::{city, client, forced, said};

const VALID: &str = r#"{"population": 1, "city": "Lyon"}"#;
const STOPS: [&str; 3] = ["\n## ", "```\n\n", "\nNote:"];

fn request() -> Request {
    STOPS.into_iter().fold(Request::new("Lyon?"), Request::stop)
}

fn sent(server: &Server) -> Vec<bool> {
    server.calls().iter().map(|ask| ask.body.get("stop").is_some()).collect()
}

#[tokio::test]
async fn they_go_along_and_cut_nothing() {
    let server = Server::start(|_| Reaction::ok(&said(VALID))).await;
    let outcome = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), request()).await.unwrap();
    assert!(outcome.value().is_some());
    assert_eq!(server.calls()[0].body["stop"], json!(STOPS));
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn one_that_could_cut_a_document_is_refused_before_anything_is_sent() {
    let server = Server::start(|_| Reaction::ok(&said(VALID))).await;
    let client = client(&server, forced(Mechanism::JsonSchema));
    for stop in ["ok", "}", "\n\n", "\": \n"] {
        let error = client.structured(&city(), Request::new("Lyon?").stop(stop)).await.unwrap_err();
        assert!(error.kind() == ErrorKind::Usage && error.to_string().contains("stop string"), "{error}");
        assert!(client.structured_stream(&city(), Request::new("Lyon?").stop(stop)).is_err());
    }
    assert_eq!(server.chats().len(), 0);
    // Free text may be stopped anywhere.
    client.complete(Request::new("Lyon?").stop("ok")).await.unwrap();
    assert_eq!(server.calls()[0].body["stop"], json!(["ok"]));
}

#[tokio::test]
async fn a_model_that_thinks_in_its_content_is_not_stopped() {
    let server = Server::start(|ask| match ask {
        ask if !ask.is_chat() => Reaction::ok(&json!({"data": [{"id": "m"}]})),
        ask if ask.is_probe() => Reaction::ok(&said("<think>\nHm.\nNote: easy.</think>{\"zq\": true}")),
        _ => Reaction::ok(&said(VALID)),
    })
    .await;
    client(&server, Config::default()).structured(&city(), request()).await.unwrap();
    assert_eq!(sent(&server), [false]);
}

#[tokio::test]
async fn a_server_that_refuses_them_is_asked_without_and_remembered() {
    let server = Server::start(|ask: &Ask| match ask.body.get("stop") {
        Some(_) => {
            let words = "Unsupported parameter: 'stop' is not supported with this model.";
            Reaction::status(
                400,
                &json!({"error": {"message": words, "param": "stop", "code": "unsupported_parameter"}}),
            )
        }
        None => Reaction::ok(&said(VALID)),
    })
    .await;
    let client = client(&server, forced(Mechanism::JsonSchema));
    let outcome = client.structured(&city(), request()).await.unwrap();
    assert!(outcome.value().is_some());
    assert!(outcome.attempts().iter().all(|attempt| attempt.demoted.is_none()));
    client.structured(&city(), request()).await.unwrap();
    assert_eq!(sent(&server), [true, false, false]);
}

#[tokio::test]
async fn a_reply_that_was_stopped_before_its_document_is_asked_for_once_without() {
    for stopped in ["", "Here it is:"] {
        let server = Server::start(move |ask: &Ask| match ask.body.get("stop") {
            Some(_) => Reaction::ok(&said(stopped)),
            None => Reaction::ok(&said(VALID)),
        })
        .await;
        let outcome = client(&server, forced(Mechanism::PromptOnly)).structured(&city(), request()).await.unwrap();
        assert!(outcome.value().is_some(), "{stopped:?}");
        assert_eq!(sent(&server), [true, false]);
    }
    // It came to its end by itself, or nothing could have stopped it.
    let server = Server::start(|_| Reaction::ok(&said("I know no such town."))).await;
    let client = client(&server, forced(Mechanism::PromptOnly));
    let outcome = client.structured(&city(), request()).await.unwrap();
    assert!(matches!(outcome.ending(), Ending::Invalid { .. }));
    assert_eq!(sent(&server), [true]);
    let server = Server::start(|_| Reaction::ok(&said(""))).await;
    let outcome = crate::client(&server, forced(Mechanism::PromptOnly)).structured(&city(), request()).await.unwrap();
    assert_eq!(*outcome.ending(), Ending::Empty);
    assert_eq!(sent(&server), [true, false], "once");
}

#[tokio::test]
async fn a_stream_is_left_at_one_once_its_document_has_closed() {
    let server = Server::start(|_| {
        let events = [VALID, "\n\nNo", "te: towns grow"].map(delta);
        Reaction::events(&events, End::Open)
    })
    .await;
    let outcome = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), request()).await.unwrap();
    assert!(outcome.value().is_some(), "{:?}", outcome.ending());
    server.is_left().await;
}
