//! A capability is what was seen enforced.

use serde_json::json;
use slm_backends::{Config, Mechanism, Provider, Request, State};

use crate::server::{Ask, Reaction, Server, probe_reply};
use crate::{city, client, finished, said};

fn valid(_: &Ask) -> Reaction {
    Reaction::ok(&said(r#"{"population": 1, "city": "Lyon"}"#))
}

async fn negotiated(enforced: &'static [&'static str]) -> Mechanism {
    let server = Server::enforcing(enforced, valid).await;
    client(&server, Config::default()).structured(&city(), "Lyon?").await.unwrap().mechanism()
}

#[tokio::test]
async fn what_is_ignored_with_a_200_is_not_believed() {
    assert_eq!(negotiated(&[]).await, Mechanism::PromptOnly);
}

#[tokio::test]
async fn the_strongest_that_is_enforced_is_used() {
    assert_eq!(negotiated(&["gbnf_grammar"]).await, Mechanism::GbnfGrammar);
    assert_eq!(negotiated(&["json_object"]).await, Mechanism::JsonObject);
    assert_eq!(negotiated(&["structured_outputs", "gbnf_grammar"]).await, Mechanism::GuidedJson);
    assert_eq!(negotiated(&["json_schema", "gbnf_grammar"]).await, Mechanism::JsonSchema);
}

/// A field of another rank beside it, or in its place, would switch a working constraint off.
#[tokio::test]
async fn a_schema_that_is_enforced_goes_alone() {
    let server = Server::enforcing(&["json_schema", "structured_outputs"], valid).await;
    client(&server, Config::default()).structured(&city(), "Lyon?").await.unwrap();
    let body = &server.calls()[0].body;
    let fields = ["response_format", "structured_outputs", "guided_json", "grammar"];
    let sent: Vec<&str> = fields.into_iter().filter(|field| body.get(field).is_some()).collect();
    assert_eq!(sent, ["response_format"]);
}

#[tokio::test]
async fn the_older_spelling_of_guided_json_is_used_where_that_is_the_one_enforced() {
    let server = Server::enforcing(&["guided_json"], valid).await;
    let outcome = client(&server, Config::default()).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.mechanism(), Mechanism::GuidedJson);
    assert_eq!(server.calls()[0].mechanism(), "guided_json");
}

/// A server that shows itself as llama.cpp.
async fn llama_cpp(enforced: &'static [&'static str], thinks: bool) -> Server {
    Server::start(move |ask| match ask {
        ask if ask.path.ends_with("/v1/models") => {
            Reaction::ok(&json!({"data": [{"id": "tiny", "owned_by": "llamacpp", "meta": {"n_ctx": 4096}}]}))
        }
        ask if ask.path == "/props" => {
            Reaction::ok(&json!({"default_generation_settings": {"n_ctx": 4096}, "total_slots": 2, "build_info": "b1"}))
        }
        ask if ask.is_probe() => {
            let mut reply = probe_reply(ask, enforced);
            if thinks {
                reply["choices"][0]["message"]["reasoning_content"] = "Hm.".into();
            }
            Reaction::ok(&reply)
        }
        ask => valid(ask),
    })
    .await
}

#[tokio::test]
async fn llama_cpp_prefers_our_grammar_unless_the_model_thinks() {
    let server = llama_cpp(&["json_schema", "gbnf_grammar"], false).await;
    let outcome = client(&server, Config::default()).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.mechanism(), Mechanism::GbnfGrammar);
    assert_eq!(server.calls()[0].body["model"], "tiny");

    let server = llama_cpp(&["json_schema"], false).await;
    let outcome = client(&server, Config::default()).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.mechanism(), Mechanism::JsonSchema);

    let server = llama_cpp(&["json_schema", "gbnf_grammar"], true).await;
    let outcome = client(&server, Config::default()).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.mechanism(), Mechanism::JsonSchema);
}

/// A server that lists a model as LiteLLM does, whether it is one or only like it.
async fn proxy(enforced: &'static [&'static str], alive: &'static str) -> Server {
    Server::start(move |ask| match ask {
        ask if ask.path.ends_with("/v1/models") => {
            Reaction::ok(&json!({"data": [{"id": "tiny", "object": "model", "owned_by": "openai"}], "object": "list"}))
        }
        ask if ask.path == "/health/liveliness" => Reaction::ok(&json!(alive)),
        ask if ask.path == "/health/readiness/details" => Reaction::ok(&json!({"litellm_version": "1.2.3"})),
        ask if ask.is_probe() => Reaction::ok(&probe_reply(ask, enforced)),
        ask if ask.path.ends_with("/chat/completions") => valid(ask),
        _ => Reaction::status(404, &json!({"detail": "Not Found"})),
    })
    .await
}

#[tokio::test]
async fn litellm_is_known_by_its_sign_of_life_and_the_probe_decides_what_it_passes_on() {
    for (enforced, alive, name, used) in [
        (&["json_schema", "gbnf_grammar"][..], "I'm alive!", Some("litellm 1.2.3"), Mechanism::GbnfGrammar),
        (&["json_schema"], "I'm alive!", Some("litellm 1.2.3"), Mechanism::JsonSchema),
        (&["json_object"], "I'm alive!", Some("litellm 1.2.3"), Mechanism::JsonObject),
        (&["json_schema", "gbnf_grammar"], "ok", None, Mechanism::JsonSchema),
    ] {
        let server = proxy(enforced, alive).await;
        let client = client(&server, Config::default());
        let diagnosis = client.diagnose().await;
        let told = diagnosis.server.map(|server| format!("{} {}", server.name, server.version.unwrap_or_default()));
        assert_eq!((told.as_deref(), diagnosis.selected), (name, used), "{enforced:?}");
        assert_eq!(diagnosis.provider == Provider::Litellm, name.is_some());
        assert_eq!(client.structured(&city(), "Lyon?").await.unwrap().mechanism(), used);
    }
}

#[tokio::test]
async fn the_probe_does_not_show_what_it_looks_for() {
    let server = Server::enforcing(&[], valid).await;
    client(&server, Config::default()).diagnose().await;
    let probes = server.chats();
    assert_eq!(probes.len(), 5, "both spellings of guided_json, and one of each other mechanism");
    for probe in probes {
        assert!(!probe.body["messages"].to_string().contains("zq"), "{}", probe.text);
        if probe.mechanism() == "json_object" {
            assert!(probe.prompt().contains("JSON"));
        }
    }
}

#[tokio::test]
async fn a_rejected_probe_leaves_the_next_mechanism() {
    let server = Server::start(|ask| match ask.mechanism() {
        _ if !ask.is_chat() => Reaction::ok(&json!({"data": [{"id": "m"}]})),
        "json_schema" => Reaction::status(400, &json!({"error": "response_format is not supported"})),
        _ if ask.is_probe() => Reaction::ok(&probe_reply(ask, &["gbnf_grammar"])),
        _ => valid(ask),
    })
    .await;
    let client = client(&server, Config::default());
    let outcome = client.structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.mechanism(), Mechanism::GbnfGrammar);
    let known = client.capabilities().await;
    assert_eq!(known.state(Mechanism::JsonSchema), State::Rejected);
    assert!(known.detail(Mechanism::JsonSchema).contains("response_format is not supported"));
    assert_eq!(known.state(Mechanism::GuidedJson), State::Ignored);
    assert_eq!(known.state(Mechanism::JsonObject), State::Untried, "not needed, so not asked");
}

#[tokio::test]
async fn a_cut_or_refused_probe_is_no_evidence() {
    let refused = json!({"choices": [{"message": {"content": null, "refusal": "No."}, "finish_reason": "stop"}]});
    for reply in [finished("The sky is", "length"), finished("", "stop"), finished("x", "content_filter"), refused] {
        let server = Server::start(move |ask| match ask {
            ask if !ask.is_chat() => Reaction::ok(&json!({"data": [{"id": "m"}]})),
            ask if ask.is_probe() => Reaction::ok(&reply),
            ask => valid(ask),
        })
        .await;
        let client = client(&server, Config::default());
        let outcome = client.structured(&city(), "Lyon?").await.unwrap();
        assert_eq!(outcome.mechanism(), Mechanism::PromptOnly);
        assert_eq!(client.capabilities().await.state(Mechanism::JsonSchema), State::Untried);
    }
}

#[tokio::test]
async fn callers_share_one_probe() {
    let server = Server::enforcing(&["json_schema"], valid).await;
    let client = client(&server, Config::default());
    let contract = city();
    let clone = client.clone();
    let (first, second) = tokio::join!(client.structured(&contract, "Lyon?"), clone.structured(&contract, "Nice?"));
    assert!(first.unwrap().value().is_some() && second.unwrap().value().is_some());
    assert_eq!(server.chats().len(), 3, "one probe, two calls");
}

#[tokio::test]
async fn a_forced_mechanism_is_neither_probed_nor_left() {
    let server = Server::start(|ask| match ask {
        ask if ask.is_chat() => Reaction::status(400, &json!({"error": {"message": "grammar: no"}})),
        _ => Reaction::ok(&json!({"data": [{"id": "m"}]})),
    })
    .await;
    let config = Config { mechanism: Some(Mechanism::GbnfGrammar), ..Config::default() };
    let error = client(&server, config).structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!(error.status(), Some(400));
    assert_eq!(server.chats().len(), 1);
    assert_eq!(server.chats()[0].mechanism(), "gbnf_grammar");
}

#[tokio::test]
async fn what_is_enforced_without_thinking_is_not_believed_with_it() {
    let thinks = |ask: &Ask| ask.body["chat_template_kwargs"]["enable_thinking"] == true;
    let server = Server::start(move |ask| match ask {
        ask if !ask.is_chat() => Reaction::ok(&json!({"data": [{"id": "m"}]})),
        ask if ask.is_probe() && thinks(ask) => Reaction::ok(&probe_reply(ask, &["json_object"])),
        ask if ask.is_probe() => Reaction::ok(&probe_reply(ask, &["json_schema"])),
        ask => valid(ask),
    })
    .await;
    let client = client(&server, Config::default());
    let thinking = |on: bool| Request::new("Lyon?").extra("chat_template_kwargs", json!({"enable_thinking": on}));
    let mut mechanisms = Vec::new();
    let plain = || Request::new("Lyon?");
    for request in [plain(), thinking(true), thinking(false), plain(), thinking(true), plain().extra("top_k", 4)] {
        mechanisms.push(client.structured(&city(), request).await.unwrap().mechanism());
    }
    let (schema, object) = (Mechanism::JsonSchema, Mechanism::JsonObject);
    assert_eq!(mechanisms, [schema, object, schema, schema, object, schema]);
    let probes: Vec<Ask> = server.chats().into_iter().filter(Ask::is_probe).collect();
    // One without, five with, one with it off; none for a setting of the sampler.
    assert_eq!(probes.len(), 7);
    assert_eq!(probes.iter().filter(|ask| thinks(ask)).count(), 5);
}

#[tokio::test]
async fn probes_carry_the_fields_of_the_call_but_not_its_cap() {
    let server = Server::enforcing(&["json_schema"], valid).await;
    let request = Request::new("Lyon?").extra("top_k", 4).extra("max_tokens", 3);
    client(&server, Config::default()).structured(&city(), request).await.unwrap();
    let probe = server.chats().into_iter().find(Ask::is_probe).unwrap();
    assert_eq!(probe.body["top_k"], 4);
    assert!(probe.body["max_tokens"].as_u64().unwrap() > 3);
}

#[tokio::test]
async fn a_field_that_the_endpoint_refuses_takes_nothing_from_a_mechanism() {
    let server = Server::start(|ask| match ask {
        ask if !ask.is_chat() => Reaction::ok(&json!({"data": [{"id": "m"}]})),
        ask if ask.body.get("top_q").is_some() => {
            Reaction::status(400, &json!({"error": {"message": "Unrecognized request argument supplied: top_q"}}))
        }
        ask if ask.is_probe() => Reaction::ok(&probe_reply(ask, &["json_schema"])),
        ask => valid(ask),
    })
    .await;
    let client = client(&server, Config::default());
    client.structured(&city(), Request::new("Lyon?").extra("top_q", 1)).await.unwrap_err();
    assert_eq!(client.capabilities().await.state(Mechanism::JsonSchema), State::Untried);
    assert_eq!(client.structured(&city(), "Lyon?").await.unwrap().mechanism(), Mechanism::JsonSchema);
}
