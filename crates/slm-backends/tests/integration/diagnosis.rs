//! What a person is told about an endpoint.

use serde_json::json;
use slm_backends::{Client, Config, Endpoint, Mechanism, Provider, State};

use crate::client;
use crate::server::{Reaction, Server, probe_reply};

#[tokio::test]
async fn all_five_are_tried_and_the_server_is_named() {
    let server = Server::start(|ask| match ask {
        ask if ask.path.ends_with("/v1/models") => Reaction::ok(&json!({"data": [
            {"id": "qwen", "owned_by": "vllm", "max_model_len": 512}, {"id": "other"}
        ]})),
        ask if ask.path == "/version" => Reaction::ok(&json!({"version": "0.32.0"})),
        ask if ask.mechanism() == "json_object" => Reaction::status(422, &json!({"detail": "json_object: no"})),
        ask if ask.is_chat() => Reaction::ok(&probe_reply(ask, &["json_schema"])),
        _ => Reaction::status(404, &json!({})),
    })
    .await;
    let diagnosis = client(&server, Config::default()).diagnose().await;
    assert!(diagnosis.reachable);
    assert_eq!(diagnosis.provider, Provider::Vllm);
    let named = diagnosis.server.unwrap();
    assert_eq!((named.name.as_str(), named.version.as_deref()), ("vllm", Some("0.32.0")));
    assert_eq!(diagnosis.model.as_deref(), Some("qwen"));
    assert_eq!(diagnosis.models, ["qwen", "other"]);
    assert_eq!(diagnosis.context_window, Some(512));
    assert!(diagnosis.latency.is_some());
    assert_eq!(diagnosis.selected, Mechanism::JsonSchema);
    let states: Vec<_> = diagnosis.mechanisms.iter().map(|report| (report.mechanism, report.state)).collect();
    assert_eq!(
        states,
        [
            (Mechanism::JsonSchema, State::Enforced),
            (Mechanism::GuidedJson, State::Ignored),
            (Mechanism::GbnfGrammar, State::Ignored),
            (Mechanism::JsonObject, State::Rejected),
            (Mechanism::PromptOnly, State::Untried),
        ]
    );
    assert!(diagnosis.mechanisms.iter().all(|report| !report.detail.is_empty()));
    assert!(diagnosis.causes.is_empty(), "{:?}", diagnosis.causes);
}

#[tokio::test]
async fn causes_name_what_is_wrong_and_the_fix() {
    let server = Server::enforcing(&["json_object"], |_| Reaction::Reset).await;
    let config = Config { model: Some("n".to_owned()), ..Config::default() };
    let diagnosis = client(&server, config).diagnose().await;
    assert_eq!(diagnosis.selected, Mechanism::JsonObject);
    let causes = diagnosis.causes.join("\n");
    assert!(causes.contains("does not list the model \"n\""), "{causes}");
    assert!(causes.contains("json_schema: taken with a 200 and ignored"), "{causes}");

    let server = Server::start(|_| Reaction::status(401, &json!({"error": "Unauthorized"}))).await;
    let diagnosis = client(&server, Config::default()).diagnose().await;
    assert!(diagnosis.reachable);
    assert!(diagnosis.causes[0].contains("SLMCODE_API_KEY"), "{:?}", diagnosis.causes);
    assert_eq!(server.chats().len(), 1, "a missing key is not asked for five times");

    // What LiteLLM says of a key that it does not know.
    let unknown =
        json!({"error": {"message": "No connected db.", "type": "no_db_connection", "param": null, "code": "400"}});
    let server = Server::start(move |_| Reaction::status(400, &unknown)).await;
    let diagnosis = client(&server, Config::default()).diagnose().await;
    assert!(diagnosis.causes[0].contains("SLMCODE_API_KEY"), "{:?}", diagnosis.causes);
    assert_eq!((diagnosis.mechanisms[0].state, server.chats().len()), (State::Untried, 1), "no mechanism is at fault");
}

#[tokio::test]
async fn nobody_there_is_a_finding() {
    // Port 9 is where nothing is discarded any more.
    let diagnosis = Client::new(Endpoint::parse("http://127.0.0.1:9").unwrap()).diagnose().await;
    assert!(!diagnosis.reachable);
    assert!(diagnosis.causes[0].contains("is the server running?"), "{:?}", diagnosis.causes);
}
