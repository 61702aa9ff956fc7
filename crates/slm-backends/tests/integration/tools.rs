//! Turns with tools, and free text: nothing is constrained, and nothing is believed.

use serde_json::{Value, json};
use slm_backends::{AnswerSource, Client, Config, Ending, ErrorKind, Mechanism, Outcome, Phase, Provider, Tools};

use crate::server::{End, Reaction, Server, event, finish};
use crate::{city, client, finished, forced, said};

const TOOLS: &str = r#"[
    {"type": "function", "function": {"name": "look_up", "description": "Looks a town up", "parameters":
        {"type": "object", "properties": {"town": {"type": "string", "maxLength": 40}, "exact": {"type": "boolean"}},
         "required": ["town"], "additionalProperties": false}}},
    {"type": "function", "function": {"name": "now"}}
]"#;

fn tools() -> Tools {
    Tools::from_json(TOOLS).unwrap()
}

fn calls(calls: &[(&str, Value)], reason: &str) -> Value {
    let calls: Vec<Value> =
        calls.iter().map(|(name, arguments)| json!({"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}})).collect();
    json!({"choices": [{"message": {"content": null, "tool_calls": calls}, "finish_reason": reason}]})
}

async fn turn(reply: Value, config: Config) -> (Server, Outcome) {
    let server = Server::start(move |_| Reaction::ok(&reply)).await;
    let outcome = client(&server, config).turn(Some(&city()), &tools(), "Where is Lyon?").await.unwrap();
    (server, outcome)
}

async fn ending(reply: Value) -> Ending {
    turn(reply, forced(Mechanism::JsonSchema)).await.1.ending().clone()
}

fn looked_up(town: &str) -> Ending {
    Ending::ToolCall { name: "look_up".to_owned(), arguments: json!({"town": town}) }
}

#[tokio::test]
async fn tools_go_out_in_order_and_without_a_constraint() {
    let (server, outcome) = turn(calls(&[("now", json!("{}"))], "tool_calls"), forced(Mechanism::JsonSchema)).await;
    assert_eq!(outcome.mechanism(), Mechanism::PromptOnly);
    let ask = &server.chats()[0];
    assert_eq!(ask.mechanism(), "prompt_only");
    let names: Vec<&Value> =
        ask.body["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(names, ["look_up", "now"]);
    assert!(ask.text.find("\"town\":{").unwrap() < ask.text.find("\"exact\":{").unwrap(), "{}", ask.text);
    assert!(ask.body["tools"][0]["function"].get("strict").is_none() && ask.body.get("tool_choice").is_none());
    assert!(ask.body["messages"][0]["content"].as_str().unwrap().contains("Call a tool"));
    let vllm = Config { provider: Some(Provider::Vllm), ..forced(Mechanism::JsonSchema) };
    let (server, outcome) = turn(calls(&[("look_up", json!({"town": "Lyon"}))], "tool_calls"), vllm).await;
    assert_eq!(server.chats()[0].body["tools"][0]["function"]["strict"], true);
    assert!(outcome.report().entries().iter().any(|entry| entry.keyword == "required"));
}

#[tokio::test]
async fn the_first_call_is_kept_and_the_others_are_counted() {
    let both = calls(&[("look_up", json!({"town": "Lyon"})), ("look_up", json!("{\"town\": 1}"))], "tool_calls");
    let (_, outcome) = turn(both, forced(Mechanism::JsonSchema)).await;
    assert_eq!((outcome.ending(), outcome.dropped_tool_calls()), (&looked_up("Lyon"), 1));
    assert_eq!(outcome.answer_source(), AnswerSource::ToolArguments);
}

#[tokio::test]
async fn arguments_are_repaired_and_held_to_the_tools_own_schema() {
    assert_eq!(ending(calls(&[("look_up", json!("{'town': 'Lyon',}"))], "stop")).await, looked_up("Lyon"));
    let now = Ending::ToolCall { name: "now".to_owned(), arguments: json!({}) };
    assert_eq!(ending(calls(&[("now", json!(""))], "tool_calls")).await, now);
    for (name, arguments) in [
        ("look_up", json!("")),
        ("look_up", json!("\"Lyon\"")),
        ("look_up", json!({"exact": true})),
        ("fly", json!("{}")),
    ] {
        let ending = ending(calls(&[(name, arguments)], "tool_calls")).await;
        assert_eq!(ending.as_str(), "invalid", "{ending:?}");
    }
}

#[tokio::test]
async fn a_call_that_was_cut_is_no_call() {
    let cut = |value: Value| Ending::Truncated {
        phase: if value == Value::Null { Phase::InValue } else { Phase::AfterValue },
        value: Some(value).filter(|value| !value.is_null()),
    };
    assert_eq!(ending(calls(&[("look_up", json!("{\"town\": \"Ly"))], "length")).await, cut(Value::Null));
    assert_eq!(
        ending(calls(&[("look_up", json!("{\"town\": \"Lyon\"}"))], "length")).await,
        cut(json!({"town": "Lyon"}))
    );
    assert_eq!(ending(finished("<tool_call>\n{\"name\": \"look_up\", \"argu", "length")).await.as_str(), "truncated");
    // The second one was being written: the first is whole.
    let second = calls(&[("look_up", json!("{\"town\": \"Lyon\"}")), ("now", json!("{"))], "length");
    assert_eq!(ending(second).await, looked_up("Lyon"));
}

#[tokio::test]
async fn calls_that_the_server_did_not_read_are_read() {
    let text = "I look.\n<tool_call>\n{\"name\": \"look_up\", \"arguments\": {\"town\": \"Lyon\"}}\n</tool_call>";
    assert_eq!(ending(said(text)).await, looked_up("Lyon"));
    let document = r#"{"population": 1, "city": "Lyon"}"#;
    assert_eq!(ending(said(document)).await, Ending::Value(json!({"population": 1, "city": "Lyon"})));
    assert_eq!(ending(calls(&[], "tool_calls")).await.as_str(), "invalid");
}

#[tokio::test]
async fn calls_in_pieces_are_put_together() {
    let piece =
        |function: Value| event(&json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": function}]}}]}));
    let events = [
        piece(json!({"name": "look_up", "arguments": ""})),
        piece(json!({"arguments": "{\"town\":"})),
        piece(json!({"arguments": "\"Lyon\"}"})),
        finish("tool_calls"),
    ];
    let server = Server::start(move |_| Reaction::events(&events, End::Close)).await;
    let outcome = client(&server, forced(Mechanism::JsonSchema)).turn(None, &tools(), "Where?").await.unwrap();
    assert_eq!(outcome.ending(), &looked_up("Lyon"));
}

#[tokio::test]
async fn violations_are_quoted_and_the_call_is_asked_for_again() {
    let server = Server::start(|ask| {
        let town = if ask.prompt().contains("/town") { json!("Lyon") } else { json!(null) };
        Reaction::ok(&calls(&[("look_up", json!({"town": town}))], "tool_calls"))
    })
    .await;
    let config = Config { max_reasks: 1, ..forced(Mechanism::JsonSchema) };
    let outcome = client(&server, config).turn(None, &tools(), "Where?").await.unwrap();
    assert_eq!((outcome.ending(), server.chats().len()), (&looked_up("Lyon"), 2));
}

#[tokio::test]
async fn strict_is_given_up_where_the_server_cannot_compile_a_tool() {
    let server = Server::start(|ask| match ask.body["tools"][0]["function"].get("strict") {
        Some(_) => Reaction::status(400, &json!({"error": {"message": "Grammar error: Unimplemented keys"}})),
        None => Reaction::ok(&calls(&[("now", json!("{}"))], "tool_calls")),
    })
    .await;
    let config = Config { provider: Some(Provider::Vllm), ..forced(Mechanism::JsonSchema) };
    let outcome = client(&server, config).turn(None, &tools(), "When?").await.unwrap();
    assert_eq!((outcome.ending().as_str(), server.chats().len()), ("tool_call", 2));
    assert!(!outcome.report().is_fully_enforced() || outcome.report().entries().is_empty());
}

#[tokio::test]
async fn a_template_without_tools_is_an_error_in_words() {
    let server = Server::start(|ask| match ask.path.as_str() {
        "/v1/models" => Reaction::ok(&json!({"data": [{"id": "m", "owned_by": "llamacpp"}]})),
        "/props" => Reaction::ok(
            &json!({"default_generation_settings": {"n_ctx": 99}, "chat_template_caps": {"supports_tools": false}}),
        ),
        _ => Reaction::ok(&said("Free text.")),
    })
    .await;
    for config in [Config::default(), Config { provider: Some(Provider::LlamaCpp), ..forced(Mechanism::PromptOnly) }] {
        let error = client(&server, config).turn(None, &tools(), "When?").await.unwrap_err();
        assert!(error.kind() == ErrorKind::Config && error.to_string().contains("chat template"), "{error}");
    }
    assert!(server.chats().is_empty());
}

#[tokio::test]
async fn tools_that_cannot_be_used_are_refused_in_words() {
    for (text, words) in [
        ("{}", "no array of tools"),
        ("[]", "no tools"),
        (r#"[{"function": {"name": "a"}}, {"function": {"name": "a"}}]"#, "two tools"),
        (r#"[{"function": {"name": "a", "parameters": {"type": "wrong"}}}]"#, "/0/function/parameters"),
    ] {
        let error = Tools::from_json(text).unwrap_err();
        assert!(error.kind() == ErrorKind::Usage && error.to_string().contains(words), "{error}");
    }
}

#[tokio::test]
async fn free_text_is_text_unless_it_was_cut() {
    let complete = async |reply: Value| {
        let server = Server::start(move |_| Reaction::ok(&reply)).await;
        let client: Client = client(&server, forced(Mechanism::JsonSchema));
        let outcome = client.complete("Tell me of Lyon.").await.unwrap();
        assert_eq!(server.chats()[0].body["messages"].as_array().unwrap().len(), 1, "no contract is described");
        outcome.ending().clone()
    };
    assert_eq!(complete(said("Two rivers.")).await, Ending::Text("Two rivers.".to_owned()));
    assert_eq!(complete(said(" ")).await, Ending::Empty);
    assert_eq!(complete(finished("Two ri", "length")).await, Ending::Truncated { phase: Phase::InValue, value: None });
    assert_eq!(complete(finished("Two ri", "content_filter")).await.as_str(), "refused");
}

#[tokio::test]
async fn a_gateway_that_makes_a_tool_of_the_schema_is_understood() {
    let reply = calls(&[("json_tool_call", json!(r#"{"population": 1, "city": "Lyon"}"#))], "tool_calls");
    let server = Server::start(move |_| Reaction::ok(&reply)).await;
    let outcome = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.value(), Some(&json!({"population": 1, "city": "Lyon"})));
    assert_eq!(outcome.answer_source(), AnswerSource::ToolArguments);
}
