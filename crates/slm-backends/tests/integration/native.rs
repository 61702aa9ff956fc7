//! APIs of their own: Anthropic's Messages, Ollama's chat.

use std::sync::Arc;

use serde_json::{Value, json};
use slm_backends::{
    ApiKey, Client, Config, Ending, Endpoint, ErrorClass, FinishReason, HttpTransport, Mechanism, Outcome, Provider,
    Request, Tools, Usage,
};

use crate::clock::TestClock;
use crate::server::{Ask, End, Reaction, Server};
use crate::{city, client, forced};

const VALID: &str = r#"{"population": 1, "city": "Lyon"}"#;
const TOOLS: &str = r#"[{"type": "function", "function": {"name": "look", "description": "Looks", "parameters":
    {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}}}]"#;

fn anthropic() -> Config {
    Config { provider: Some(Provider::AnthropicMessages), ..forced(Mechanism::JsonSchema) }
}

fn ollama() -> Config {
    Config { provider: Some(Provider::OllamaChat), ..forced(Mechanism::JsonSchema) }
}

fn message(content: &Value, stop_reason: &str) -> Value {
    json!({"type": "message", "role": "assistant", "content": content, "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 30, "cache_read_input_tokens": 10, "output_tokens": 9}})
}

fn line(content: &str) -> Value {
    json!({"model": "m", "message": {"role": "assistant", "content": content}, "done": false})
}

fn last(reason: &str) -> Value {
    json!({"model": "m", "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": reason,
        "prompt_eval_count": 40, "eval_count": 9})
}

fn lines(lines: &[Value]) -> Reaction {
    let pieces = lines.iter().map(|line| format!("{line}\n").into_bytes()).collect();
    Reaction::Stream { content_type: "application/x-ndjson", pieces, end: End::Close }
}

fn events(events: &[Value]) -> Reaction {
    let written = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    Reaction::events(&events.iter().map(written).collect::<Vec<_>>(), End::Close)
}

fn block(delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": 0, "delta": delta})
}

async fn ask(reaction: Reaction, config: Config) -> Outcome {
    let server = Server::start(move |_| reaction.clone()).await;
    client(&server, config).structured(&city(), "Lyon?").await.unwrap()
}

/// A client of a scripted server at an address with this path.
fn client_at(server: &Server, path: &str, config: Config) -> Client {
    let endpoint = Endpoint::parse(&server.url().replace("/v1", path)).unwrap();
    Client::with_transport(endpoint, config, Arc::new(HttpTransport::new()), Arc::new(TestClock::default())).unwrap()
}

#[tokio::test]
async fn messages_are_asked_for_in_their_own_form() {
    let server = Server::start(|_| Reaction::ok(&message(&json!([{"type": "text", "text": VALID}]), "end_turn"))).await;
    let config = Config { api_key: Some(ApiKey::new("k-123456")), ..anthropic() };
    let request =
        Request { temperature: Some(1.5), ..Request::new("Lyon?").system("Be brief.").stop("\n## ").stop("\n\n#") }
            .extra("output_config", json!({"effort": "low"}));
    let outcome = client(&server, config).structured(&city(), request).await.unwrap();
    assert!(outcome.value().is_some());
    assert_eq!(outcome.usage(), Some(Usage { prompt_tokens: 40, completion_tokens: 9 }));
    let asked = &server.chats()[0];
    assert_eq!(asked.path, "/v1/messages");
    let head = asked.head.to_ascii_lowercase();
    assert!(head.contains("x-api-key: k-123456") && head.contains("anthropic-version: 2023-06-01"), "{head}");
    assert!(!head.contains("authorization"), "{head}");
    let body = &asked.body;
    assert!(body["system"].as_str().unwrap().starts_with("Be brief."));
    assert_eq!(body["messages"], json!([{"role": "user", "content": "Lyon?"}]));
    assert!(body["max_tokens"].as_u64().unwrap() > 0);
    assert_eq!((&body["temperature"], &body["stop_sequences"]), (&json!(1.0), &json!(["\n## ", "\n\n#"])));
    assert_eq!(body["output_config"]["effort"], "low");
    assert_eq!(body["output_config"]["format"]["type"], "json_schema");
    assert_eq!(body["output_config"]["format"]["schema"]["required"], json!(["population", "city"]));
    for absent in ["response_format", "stream_options", "stop", "seed"] {
        assert!(body.get(absent).is_none(), "{absent}");
    }
}

#[tokio::test]
async fn free_text_has_a_cap_too() {
    let server = Server::start(|_| Reaction::ok(&message(&json!([{"type": "text", "text": "Hi."}]), "end_turn"))).await;
    let outcome = client(&server, anthropic()).complete("Hello").await.unwrap();
    assert_eq!(*outcome.ending(), Ending::Text("Hi.".to_owned()));
    assert!(server.chats()[0].body["max_tokens"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn a_stream_of_messages_is_read() {
    let outcome = ask(
        events(&[
            json!({"type": "message_start", "message": {"type": "message", "content": [], "stop_reason": null,
                "usage": {"input_tokens": 40, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
            json!({"type": "ping"}),
            block(&json!({"type": "thinking_delta", "thinking": "Hm."})),
            block(&json!({"type": "signature_delta", "signature": "x"})),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
            block(&json!({"type": "text_delta", "text": r#"{"population": 1,"#})),
            block(&json!({"type": "text_delta", "text": r#" "city": "Lyon"}"#})),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}),
            json!({"type": "message_stop"}),
        ]),
        anthropic(),
    )
    .await;
    assert_eq!(outcome.value(), Some(&serde_json::from_str(VALID).unwrap()));
    assert_eq!(outcome.finish_reason(), Some(FinishReason::Stop));
    assert_eq!(outcome.usage(), Some(Usage { prompt_tokens: 40, completion_tokens: 9 }));
}

#[tokio::test]
async fn every_stop_reason_has_its_ending() {
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let cut = ask(Reaction::ok(&message(&text(r#"{"population": 1, "ci"#), "max_tokens")), anthropic()).await;
    assert_eq!(cut.ending().as_str(), "truncated");
    let full = ask(Reaction::ok(&message(&text("{"), "model_context_window_exceeded")), anthropic()).await;
    assert_eq!(full.ending().as_str(), "truncated");
    let refused = ask(Reaction::ok(&message(&text("I will not."), "refusal")), anthropic()).await;
    assert_eq!((refused.ending().as_str(), refused.finish_reason_raw()), ("refused", Some("refusal")));
    let stopped = ask(Reaction::ok(&message(&text(VALID), "stop_sequence")), anthropic()).await;
    assert!(stopped.value().is_some());
}

#[tokio::test]
async fn errors_of_messages_are_classified_in_streams_too() {
    let error = |kind: &str, words: &str| json!({"type": "error", "error": {"type": kind, "message": words}});
    for (status, body, class) in [
        (529, error("overloaded_error", "Overloaded"), ErrorClass::Transient),
        (413, error("request_too_large", "Request exceeds the maximum size"), ErrorClass::ContextOverflow),
        (
            400,
            error("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"),
            ErrorClass::ContextOverflow,
        ),
        (401, error("authentication_error", "invalid x-api-key"), ErrorClass::Permanent),
    ] {
        let server = Server::start(move |_| Reaction::status(status, &body)).await;
        let error = client(&server, anthropic()).structured(&city(), "Lyon?").await.unwrap_err();
        assert_eq!(error.class(), class, "{error}");
    }
    let overloaded = error("overloaded_error", "Overloaded");
    let server = Server::start(move |_| events(std::slice::from_ref(&overloaded))).await;
    let error = client(&server, anthropic()).structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!(error.class(), ErrorClass::Transient, "{error}");
}

#[tokio::test]
async fn tools_have_an_input_schema_and_their_input_is_validated() {
    let tools = Tools::from_json(TOOLS).unwrap().required();
    let whole = message(
        &json!([{"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "t", "name": "look", "input": {"n": "7"}}]),
        "tool_use",
    );
    let server = Server::start(move |_| Reaction::ok(&whole)).await;
    let outcome = client(&server, anthropic()).turn(None, &tools, "Look").await.unwrap();
    assert_eq!(*outcome.ending(), Ending::ToolCall { name: "look".to_owned(), arguments: json!({"n": 7}) });
    let body = &server.chats()[0].body;
    assert_eq!((&body["tools"][0]["name"], &body["tools"][0]["strict"]), (&json!("look"), &json!(true)));
    assert_eq!(body["tools"][0]["input_schema"]["required"], json!(["n"]));
    assert_eq!(body["tool_choice"], json!({"type": "any"}));
    assert!(body.get("output_config").is_none());

    let start = json!({"type": "tool_use", "id": "t", "name": "look", "input": {}});
    let piece = |text: &str| block(&json!({"type": "input_json_delta", "partial_json": text}));
    let server = Server::start(move |_| {
        events(&[
            json!({"type": "content_block_start", "index": 0, "content_block": start}),
            piece("{\"n\""),
            piece(": 7}"),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}),
            json!({"type": "message_stop"}),
        ])
    })
    .await;
    let outcome = client(&server, anthropic()).turn(None, &tools, "Look").await.unwrap();
    assert_eq!(*outcome.ending(), Ending::ToolCall { name: "look".to_owned(), arguments: json!({"n": 7}) });
}

#[tokio::test]
async fn ollama_is_asked_in_its_own_form() {
    let server =
        Server::start(|_| lines(&[line(r#"{"population": 1,"#), line(r#" "city": "Lyon"}"#), last("stop")])).await;
    let request =
        Request { temperature: Some(0.5), seed: Some(7), max_tokens: Some(100), ..Request::new("Lyon?").stop("\n## ") };
    let outcome =
        client(&server, ollama()).structured(&city(), request.extra("options", json!({"top_k": 4}))).await.unwrap();
    assert_eq!(outcome.value(), Some(&serde_json::from_str(VALID).unwrap()));
    assert_eq!(outcome.usage(), Some(Usage { prompt_tokens: 40, completion_tokens: 9 }));
    let asked = &server.chats()[0];
    assert_eq!(asked.path, "/api/chat");
    assert_eq!(asked.body["format"]["required"], json!(["population", "city"]));
    let options = json!({"num_predict": 100, "temperature": 0.5, "seed": 7, "stop": ["\n## "], "top_k": 4});
    assert_eq!(asked.body["options"], options);
    assert!(asked.body.get("response_format").is_none() && asked.body.get("max_tokens").is_none());
}

#[tokio::test]
async fn ollama_gets_a_window_that_a_long_prompt_fits() {
    let server = Server::start(|_| lines(&[line(VALID), last("stop")])).await;
    let client = client(&server, ollama());
    client.structured(&city(), Request::new("word ".repeat(4000)).max_tokens(100)).await.unwrap();
    assert_eq!(server.chats()[0].body["options"]["num_ctx"], json!(8192));
    let own = Request::new("word ".repeat(4000)).max_tokens(100).extra("options", json!({"num_ctx": 5000}));
    client.structured(&city(), own).await.unwrap();
    assert_eq!(server.chats()[1].body["options"]["num_ctx"], json!(5000));
}

#[tokio::test]
async fn what_ollama_answers_is_read() {
    let whole =
        json!({"message": {"content": VALID, "thinking": "Hm."}, "done": true, "done_reason": "stop", "eval_count": 3});
    assert!(ask(Reaction::ok(&whole), ollama()).await.value().is_some());
    let cut = ask(lines(&[line(r#"{"population": 1, "#), last("length")]), ollama()).await;
    assert_eq!((cut.ending().as_str(), cut.finish_reason()), ("truncated", Some(FinishReason::Length)));
    // It broke off: nothing says that the model was done.
    let lost = ask(lines(&[line(r#"{"population": 1, "#)]), ollama()).await;
    assert_eq!(lost.ending().as_str(), "truncated");

    let server =
        Server::start(|_| lines(&[line("{"), json!({"error": "an error was encountered while running the model"})]))
            .await;
    let error = client(&server, ollama()).structured(&city(), "Lyon?").await.unwrap_err();
    assert!(error.to_string().contains("while running the model"), "{error}");

    let call = json!({"message": {"content": "", "tool_calls": [{"function": {"name": "look", "arguments": {"n": 7}}}]}, "done": false});
    let server = Server::start(move |_| lines(&[call.clone(), last("stop")])).await;
    let tools = Tools::from_json(TOOLS).unwrap();
    let outcome = client(&server, ollama()).turn(None, &tools, "Look").await.unwrap();
    assert_eq!(*outcome.ending(), Ending::ToolCall { name: "look".to_owned(), arguments: json!({"n": 7}) });
}

#[tokio::test]
async fn the_address_chooses_the_api_where_the_name_leaves_it_open() {
    let script = |asked: &Ask| match asked.path.as_str() {
        "/v1/messages" => Reaction::ok(&message(&json!([{"type": "text", "text": VALID}]), "end_turn")),
        "/api/chat" => lines(&[line(VALID), last("stop")]),
        _ => Reaction::ok(&crate::said(VALID)),
    };
    for (path, provider, expected) in [
        ("/v1/messages", None, "/v1/messages"),
        ("/v1/messages", Some(Provider::Anthropic), "/v1/messages"),
        ("/v1", Some(Provider::Anthropic), "/v1/chat/completions"),
        ("/v1/chat/completions", Some(Provider::Anthropic), "/v1/chat/completions"),
        ("/api/chat", None, "/api/chat"),
        ("/api/chat", Some(Provider::Ollama), "/api/chat"),
        ("", Some(Provider::OllamaChat), "/api/chat"),
        ("/api", Some(Provider::OllamaChat), "/api/chat"),
        ("/v1", Some(Provider::Ollama), "/v1/chat/completions"),
    ] {
        let server = Server::start(script).await;
        let config = Config { provider, ..forced(Mechanism::JsonSchema) };
        let outcome = client_at(&server, path, config).structured(&city(), "Lyon?").await.unwrap();
        assert!(outcome.value().is_some());
        assert_eq!(server.chats()[0].path, expected, "{path} {provider:?}");
    }
}

#[tokio::test]
async fn they_are_probed_as_others_are() {
    let server = Server::start(|asked: &Ask| match (asked.path.as_str(), asked.mechanism()) {
        ("/api/tags", _) => Reaction::ok(&json!({"models": [{"name": "small:1b", "digest": "d1"}]})),
        ("/api/version", _) => Reaction::ok(&json!({"version": "0.33.0"})),
        ("/api/chat", "json_schema") if asked.is_probe() => lines(&[line("{\"zq\": true}"), last("stop")]),
        ("/api/chat", "json_schema") => lines(&[line(VALID), last("stop")]),
        ("/api/chat", _) => lines(&[line("The sky is blue."), last("stop")]),
        _ => Reaction::status(404, &json!({"error": "not found"})),
    })
    .await;
    let config = Config { provider: Some(Provider::OllamaChat), ..Config::default() };
    let client = client(&server, config);
    let outcome = client.structured(&city(), "Lyon?").await.unwrap();
    assert_eq!((outcome.mechanism(), outcome.ending().as_str()), (Mechanism::JsonSchema, "value"));
    assert!(server.chats().iter().all(|asked| asked.body["model"] == "small:1b"));
    let diagnosis = client.diagnose().await;
    let server = diagnosis.server.unwrap();
    assert_eq!((server.name.as_str(), server.version.as_deref()), ("ollama", Some("0.33.0")));
}
