//! What each mechanism puts on the wire, and what every request has.

use serde_json::json;
use slm_backends::{ApiKey, Config, Mechanism, Provider, Request};

use crate::server::{Ask, Reaction, Server};
use crate::{city, client, forced, said};

/// One forced call with this configuration; what was sent.
async fn sent(config: Config, request: Request) -> Ask {
    let server = Server::start(|_| Reaction::ok(&said(r#"{"population": 1, "city": "Lyon"}"#))).await;
    let outcome = client(&server, config).structured(&city(), request).await.unwrap();
    assert!(outcome.value().is_some());
    let mut chats = server.chats();
    assert_eq!(chats.len(), 1);
    chats.remove(0)
}

#[tokio::test]
async fn json_schema_is_sent_strict_with_its_text_as_it_was_lowered() {
    let ask = sent(forced(Mechanism::JsonSchema), "Lyon?".into()).await;
    assert_eq!(ask.body["response_format"]["json_schema"]["name"], "city");
    assert_eq!(ask.body["response_format"]["json_schema"]["strict"], true);
    // `population` comes before `city` in the source, whatever the alphabet says.
    let (population, city) = (ask.text.find(r#""population":{"#), ask.text.find(r#""city":{"#));
    assert!(population.unwrap() < city.unwrap(), "{}", ask.text);
    assert!(ask.text.contains(crate::CITY), "{}", ask.text);
}

#[tokio::test]
async fn guided_json_is_sent_as_structured_outputs() {
    let ask = sent(forced(Mechanism::GuidedJson), "Lyon?".into()).await;
    assert_eq!(ask.body["structured_outputs"]["json"]["required"], json!(["population", "city"]));
    assert!(ask.body.get("response_format").is_none() && ask.body.get("guided_json").is_none());
}

#[tokio::test]
async fn a_grammar_is_sent_alone() {
    let ask = sent(forced(Mechanism::GbnfGrammar), "Lyon?".into()).await;
    assert!(ask.body["grammar"].as_str().unwrap().starts_with("root ::= "));
    assert!(ask.body.get("response_format").is_none());
}

#[tokio::test]
async fn json_object_is_sent_without_a_schema() {
    let ask = sent(forced(Mechanism::JsonObject), "Lyon?".into()).await;
    assert_eq!(ask.body["response_format"], json!({"type": "json_object"}));
}

#[tokio::test]
async fn prompt_only_sends_nothing_but_the_prompt() {
    let ask = sent(forced(Mechanism::PromptOnly), "Lyon?".into()).await;
    assert_eq!(ask.mechanism(), "prompt_only");
}

#[tokio::test]
async fn every_prompt_describes_the_shape_and_says_json() {
    for mechanism in Mechanism::ALL {
        let ask = sent(forced(mechanism), Request::new("Lyon?").system("Be brief.")).await;
        let system = ask.body["messages"][0]["content"].as_str().unwrap();
        assert!(
            system.starts_with("Be brief.") && system.contains("JSON") && system.contains("population"),
            "{system}"
        );
        assert_eq!(ask.prompt(), "Lyon?");
        assert!(ask.body.get("stop").is_none());
    }
}

#[tokio::test]
async fn a_prompt_that_shows_the_contract_itself_is_sent_as_it_is() {
    let system = format!("You know towns. Answer in JSON:\n{}\nBe brief.", city().describe());
    let ask = sent(forced(Mechanism::PromptOnly), Request::new("Lyon?").system(&*system)).await;
    assert_eq!(ask.body["messages"][0]["content"], system);
}

#[tokio::test]
async fn settings_and_extra_fields_go_along() {
    let request = Request::new("Lyon?").max_tokens(99).temperature(0.5).seed(7).extra("top_k", 40);
    let ask = sent(forced(Mechanism::PromptOnly), request).await;
    assert_eq!(ask.body["max_tokens"], 99);
    assert_eq!(ask.body["temperature"], 0.5);
    assert_eq!(ask.body["seed"], 7);
    assert_eq!(ask.body["top_k"], 40);
    assert_eq!(ask.body["stream"], true);
    assert_eq!(ask.body["stream_options"], json!({"include_usage": true}));
}

#[tokio::test]
async fn streams_are_not_asked_for_where_they_are_not_wanted_or_not_given() {
    let whole = Config { streaming: false, ..forced(Mechanism::JsonSchema) };
    let groq = Config { provider: Some(Provider::Groq), ..forced(Mechanism::JsonSchema) };
    for config in [whole, groq.clone()] {
        let ask = sent(config, "Lyon?".into()).await;
        assert!(ask.body["stream"] == false && ask.body.get("stream_options").is_none(), "{}", ask.text);
    }
    let ask = sent(Config { mechanism: Some(Mechanism::PromptOnly), ..groq }, "Lyon?".into()).await;
    assert_eq!(ask.body["stream"], true);
    let mistral = Config { provider: Some(Provider::Mistral), ..forced(Mechanism::JsonSchema) };
    let ask = sent(mistral, Request::new("Lyon?").seed(3)).await;
    assert!(ask.body["stream"] == true && ask.body.get("stream_options").is_none(), "{}", ask.text);
    assert!(ask.body["random_seed"] == 3 && ask.body.get("seed").is_none(), "{}", ask.text);
}

#[tokio::test]
async fn each_provider_has_its_own_spelling() {
    let form = async |provider, mechanism| {
        sent(Config { provider: Some(provider), ..forced(mechanism) }, "Lyon?".into()).await.body
    };
    let body = form(Provider::Tgi, Mechanism::JsonSchema).await;
    assert_eq!(body["response_format"]["value"]["name"], "city");
    assert!(body["response_format"].get("json_schema").is_none(), "{body}");
    let body = form(Provider::LmStudio, Mechanism::JsonObject).await;
    assert_eq!(body["response_format"]["json_schema"]["schema"], json!({"type": "object"}));
    let body = form(Provider::Fireworks, Mechanism::GbnfGrammar).await;
    assert!(body["response_format"]["grammar"].as_str().unwrap().starts_with("root"), "{body}");
    let body = form(Provider::Sglang, Mechanism::GbnfGrammar).await;
    assert!(body["ebnf"].as_str().unwrap().starts_with("root"), "{body}");
    let body = form(Provider::Vllm, Mechanism::GbnfGrammar).await;
    assert!(body["structured_outputs"]["grammar"].as_str().unwrap().starts_with("root"), "{body}");
    let body = form(Provider::Openrouter, Mechanism::JsonSchema).await;
    assert_eq!(body["provider"], json!({"require_parameters": true}));
}

#[tokio::test]
async fn azure_takes_its_key_in_a_header_of_its_own() {
    let key = Some(ApiKey::new("sk-secret"));
    let config = Config { provider: Some(Provider::Azure), api_key: key, ..forced(Mechanism::PromptOnly) };
    let head = sent(config, "Lyon?".into()).await.head.to_ascii_lowercase();
    assert!(head.contains("api-key: sk-secret") && !head.contains("authorization"), "{head}");
}

#[tokio::test]
async fn the_cap_has_the_name_that_the_provider_takes() {
    let config = Config { provider: Some(Provider::Openai), ..forced(Mechanism::JsonSchema) };
    let ask = sent(config, Request::new("Lyon?").max_tokens(99)).await;
    assert_eq!(ask.body["max_completion_tokens"], 99);
    assert!(ask.body.get("max_tokens").is_none());
}

#[tokio::test]
async fn the_cap_follows_from_the_contract_where_none_is_named() {
    let ask = sent(forced(Mechanism::GbnfGrammar), "Lyon?".into()).await;
    assert_eq!(ask.body["max_tokens"], city().bound().unwrap().max_tokens());
}

#[tokio::test]
async fn headers_and_key_go_along_and_the_body_has_a_length() {
    let config = Config {
        api_key: Some(ApiKey::new("sk-secret\n")),
        headers: vec![("X-Team".to_owned(), "blue".to_owned())],
        ..forced(Mechanism::PromptOnly)
    };
    let shown = format!("{config:?}");
    assert!(!shown.contains("secret") && !shown.contains("blue"), "{shown}");
    let ask = sent(config, "Lyon?".into()).await;
    let head = ask.head.to_ascii_lowercase();
    for line in ["authorization: bearer sk-secret", "x-team: blue", "accept-encoding: identity", "content-length: "] {
        assert!(head.contains(line), "{line} in {head}");
    }
    assert!(!head.contains("transfer-encoding"), "{head}");
    assert_eq!(ask.method, "POST");
}

#[tokio::test]
async fn a_key_that_the_server_quotes_is_not_shown() {
    let server = Server::start(|ask| {
        let key = ask.head.lines().find_map(|line| line.strip_prefix("authorization: Bearer ")).unwrap();
        Reaction::status(401, &json!({"error": {"message": format!("wrong key {key}"), "code": key}}))
    })
    .await;
    let config = Config { api_key: Some(ApiKey::new("sk-secret")), ..forced(Mechanism::PromptOnly) };
    let error = client(&server, config).structured(&city(), "Lyon?").await.unwrap_err();
    assert!(error.to_string().contains("wrong key …"), "{error}");
    assert!(!format!("{error:?}").contains("sk-secret"), "{error:?}");
}

#[tokio::test]
async fn what_cannot_be_answered_well_is_refused_before_it_is_sent() {
    let server = Server::start(|_| Reaction::ok(&said("{}"))).await;
    let client = client(&server, forced(Mechanism::PromptOnly));
    let requests = [
        Request::new(" \n"),
        Request::new("x").max_tokens(0),
        Request::new("x").extra("stop", "\""),
        Request::new("x").extra("response_format", "x"),
        Request::new("x").extra("format", "json"),
        Request::new("x").temperature(f64::NAN),
    ];
    for request in requests {
        let error = client.structured(&city(), request).await.unwrap_err();
        assert_eq!(error.kind(), slm_backends::ErrorKind::Usage, "{error}");
    }
    assert!(server.chats().is_empty());
}

/// What a provider's reply comes to under a contract that its dialect has to change.
async fn read_back(provider: Provider, schema: &str, reply: &str) -> Option<serde_json::Value> {
    let reply = said(reply);
    let server = Server::start(move |_| Reaction::ok(&reply)).await;
    let contract = slm_schema::Contract::from_json("changed", schema).unwrap();
    let config = Config { provider: Some(provider), ..forced(Mechanism::JsonSchema) };
    client(&server, config).structured(&contract, "Lyon?").await.unwrap().value().cloned()
}

#[tokio::test]
async fn what_a_dialect_forced_on_a_reply_is_undone_before_it_is_judged() {
    let optional = r#"{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"string","maxLength":9}},"required":["a"],"additionalProperties":false}"#;
    let value = read_back(Provider::Openai, optional, r#"{"a": true, "b": null}"#).await;
    assert_eq!(value, Some(json!({"a": true})));
    let array = r#"{"type":"array","maxItems":3,"items":{"type":"integer","minimum":0,"maximum":9}}"#;
    assert_eq!(read_back(Provider::Openai, array, r#"{"value": [1, 2]}"#).await, Some(json!([1, 2])));
}
