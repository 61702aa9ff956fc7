//! Replies that come as streams: read leniently, left early, and never taken for more than they are.

use serde_json::json;
use slm_backends::{Config, Ending, ErrorClass, ErrorKind, Mechanism, Outcome, Phase, Request, State};

use crate::server::{End, Reaction, Server, delta, event, finish};
use crate::{city, client, forced};

const VALID: &str = r#"{"population": 1, "city": "Lyon"}"#;

async fn called(reaction: Reaction, mechanism: Mechanism) -> (Server, Outcome) {
    let server = Server::start(move |_| reaction.clone()).await;
    let outcome = client(&server, forced(mechanism)).structured(&city(), "Lyon?").await.unwrap();
    (server, outcome)
}

fn value() -> Ending {
    Ending::Value(json!({"population": 1, "city": "Lyon"}))
}

#[tokio::test]
async fn chunks_are_put_together() {
    let (_, outcome) =
        called(Reaction::stream(&["", r#"{"population": 1, "#, r#""city": "Lyon"}"#]), Mechanism::JsonSchema).await;
    assert_eq!(outcome.ending(), &value());
    assert_eq!(outcome.finish_reason_raw(), Some("stop"));
    assert_eq!(outcome.attempts().len(), 1);
}

#[tokio::test]
async fn usage_comes_in_a_chunk_of_its_own() {
    let usage = event(&json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 7}}));
    let events = [delta(VALID), finish("stop"), usage, "data: [DONE]\n\n".to_owned()];
    let (_, outcome) = called(Reaction::events(&events, End::Close), Mechanism::JsonSchema).await;
    assert_eq!(outcome.usage().unwrap().completion_tokens, 7);
}

#[tokio::test]
async fn a_finish_reason_is_enough_of_an_end() {
    for end in [End::Close, End::Break] {
        let (_, outcome) = called(Reaction::events(&[delta(VALID), finish("stop")], end), Mechanism::JsonSchema).await;
        assert_eq!(outcome.ending(), &value());
    }
}

#[tokio::test]
async fn without_any_reason_the_rest_may_be_lost() {
    let done = "data: [DONE]\n\n".to_owned();
    for events in [vec![delta(VALID), done], vec![delta(VALID)]] {
        let (_, outcome) = called(Reaction::events(&events, End::Close), Mechanism::JsonSchema).await;
        let attached =
            Ending::Truncated { phase: Phase::AfterValue, value: Some(json!({"population": 1, "city": "Lyon"})) };
        assert_eq!(outcome.ending(), &attached);
    }
    let events = [delta(r#"{"population": 1"#)];
    let (_, outcome) = called(Reaction::events(&events, End::Close), Mechanism::JsonSchema).await;
    assert_eq!(outcome.ending(), &Ending::Truncated { phase: Phase::InValue, value: None });
}

#[tokio::test]
async fn below_rank_three_the_first_document_ends_the_reply() {
    let events = [delta("```json\n"), delta(VALID), delta("\n```\nI hope")];
    for mechanism in [Mechanism::JsonObject, Mechanism::PromptOnly] {
        let (server, outcome) = called(Reaction::events(&events, End::Open), mechanism).await;
        assert_eq!(outcome.ending(), &value());
        server.is_left().await;
    }
}

#[tokio::test]
async fn words_before_a_document_may_lead_to_another() {
    let texts = ["For example ", r#"{"population": 2, "city": "Nice"}"#, ". So: ", VALID];
    let (_, outcome) = called(Reaction::stream(&texts), Mechanism::PromptOnly).await;
    assert_ne!(outcome.value(), Some(&json!({"population": 2, "city": "Nice"})), "an example is no answer");
    // Neither is a document that breaks the contract: a model that shows the schema first goes on.
    let (_, outcome) = called(Reaction::stream(&[crate::CITY, "\n", VALID]), Mechanism::PromptOnly).await;
    assert_eq!(outcome.ending(), &value());
}

#[tokio::test]
async fn white_space_without_end_is_left() {
    let events = [delta(r#"{"population": 1,"#), delta(&" ".repeat(200)), delta(&"\n".repeat(56))];
    for mechanism in [Mechanism::JsonSchema, Mechanism::PromptOnly] {
        let (server, outcome) = called(Reaction::events(&events, End::Open), mechanism).await;
        assert_eq!(outcome.ending(), &Ending::WhitespaceLoop);
        server.is_left().await;
    }
    // Behind the document it is only noise, and inside a string it is text.
    let (_, outcome) =
        called(Reaction::events(&[delta(VALID), delta(&" ".repeat(256))], End::Open), Mechanism::JsonSchema).await;
    assert_eq!(outcome.ending(), &value());
    let text = format!(r#"{{"population": 1, "city": "{}"}}"#, " ".repeat(300));
    let (_, outcome) = called(Reaction::stream(&[&text]), Mechanism::JsonSchema).await;
    assert_eq!(outcome.ending().as_str(), "invalid", "too long for the contract, and no loop");
}

#[tokio::test]
async fn a_string_that_repeats_itself_is_left_and_asked_for_once_more_with_other_sampling() {
    let runaway = [delta(r#"{"population": 1, "city": ""#), delta(&"Lyon, ".repeat(200))];
    let runaway = Reaction::events(&runaway, End::Open);
    let server =
        Server::start(
            move |ask| {
                if ask.body["temperature"] == 0.0 { runaway.clone() } else { Reaction::stream(&[VALID]) }
            },
        )
        .await;
    let config = Config { max_reasks: 1, ..forced(Mechanism::JsonSchema) };
    let request = || Request::new("Lyon?").temperature(0.0).seed(7);
    let outcome = client(&server, config).structured(&city(), request()).await.unwrap();
    assert_eq!(outcome.ending(), &value());
    assert_ne!(server.chats()[1].body["seed"], 7);
    let outcome = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), request()).await.unwrap();
    assert_eq!(outcome.ending(), &Ending::RepetitionLoop);
}

#[tokio::test]
async fn a_loop_that_goes_on_is_told_and_not_asked_for_a_third_time() {
    let runaway = Reaction::events(&[delta("{"), delta(&"\n".repeat(300))], End::Open);
    let server = Server::start(move |_| runaway.clone()).await;
    let config = Config { max_reasks: 5, ..forced(Mechanism::JsonSchema) };
    let outcome = client(&server, config).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!((outcome.ending(), outcome.attempts().len()), (&Ending::WhitespaceLoop, 2));
}

#[tokio::test]
async fn the_document_is_shown_while_it_grows() {
    let pieces = ["{\"population\": 1", "2, \"city\": \"Ly", "on\"", "}"];
    let server = Server::start(move |_| Reaction::stream(&pieces)).await;
    let client = client(&server, forced(Mechanism::JsonSchema));
    let contract = city();
    let mut call = client.structured_stream(&contract, "Lyon?").unwrap();
    let mut seen = Vec::new();
    while let Some(partial) = call.next().await {
        seen.push(partial);
    }
    assert_eq!(seen[0], json!({}), "a number may go on");
    assert!(seen.contains(&json!({"population": 12, "city": "Ly"})), "{seen:?}");
    let outcome = call.finish().await.unwrap();
    assert_eq!(outcome.value(), seen.last());
    let straight = client.structured_stream(&contract, "Lyon?").unwrap().finish().await.unwrap();
    assert_eq!(straight.value(), outcome.value());
    assert_eq!(client.structured_stream(&contract, " ").unwrap_err().kind(), ErrorKind::Usage);
}

#[tokio::test]
async fn a_document_in_place_of_a_stream_is_read() {
    let (_, outcome) =
        called(Reaction::raw(200, "text/event-stream", &crate::said(VALID).to_string()), Mechanism::JsonSchema).await;
    assert_eq!(outcome.ending(), &value());
    let loops = crate::finished(&format!("{{\"population\":{}", " ".repeat(400)), "length");
    let (_, outcome) = called(Reaction::ok(&loops), Mechanism::JsonSchema).await;
    assert_eq!(outcome.ending(), &Ending::WhitespaceLoop);
}

#[tokio::test]
async fn an_error_among_the_chunks_is_the_end() {
    let quota = json!({"error": {"message": "no more", "code": "insufficient_quota"}});
    for error in [event(&quota), format!("error: {quota}\n\n"), format!("event: error\ndata: {quota}\n\n")] {
        let reaction = Reaction::events(&[delta("{"), error, finish("stop")], End::Close);
        let server = Server::start(move |_| reaction.clone()).await;
        let error = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await.unwrap_err();
        assert_eq!((error.class(), error.code()), (ErrorClass::Permanent, Some("insufficient_quota")));
        assert_eq!(server.chats().len(), 1);
    }
}

#[tokio::test]
async fn a_stream_that_breaks_is_asked_for_again() {
    let server = Server::start(|_| Reaction::events(&[delta("{")], End::Break)).await;
    let error = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!((error.kind(), error.class()), (ErrorKind::Transport, ErrorClass::Transient));
    assert_eq!(server.chats().len(), 3);
}

#[tokio::test]
async fn garbage_and_nothing_are_no_replies() {
    for events in [vec!["data: {\"choi\n\n".to_owned()], vec![": ping\n\n".to_owned()]] {
        let reaction = Reaction::events(&events, End::Close);
        let server = Server::start(move |_| reaction.clone()).await;
        let error = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await.unwrap_err();
        assert_eq!((error.kind(), error.class()), (ErrorKind::Protocol, ErrorClass::Unknown));
    }
}

#[tokio::test]
async fn an_endpoint_that_refuses_streams_is_asked_for_whole_replies() {
    let server = Server::enforcing(&["json_schema"], |_| Reaction::ok(&crate::said(VALID))).await;
    let refusing = Server::start(|ask| match ask {
        ask if !ask.is_chat() => Reaction::ok(&json!({"data": [{"id": "m"}]})),
        ask if ask.body["stream"] == true => Reaction::status(400, &json!({"error": "stream is not supported"})),
        ask if ask.is_probe() => Reaction::ok(&crate::server::probe_reply(ask, &["json_schema"])),
        _ => Reaction::ok(&crate::said(VALID)),
    })
    .await;
    for (server, chats) in [(server, 2), (refusing, 3)] {
        let client = client(&server, Config::default());
        let outcome = client.structured(&city(), "Lyon?").await.unwrap();
        assert_eq!((outcome.ending(), outcome.mechanism()), (&value(), Mechanism::JsonSchema));
        assert_eq!(server.chats().len(), chats);
    }
}

#[tokio::test]
async fn probes_are_judged_by_their_first_words_and_left() {
    let server = Server::start(|ask| match ask {
        ask if !ask.is_chat() => Reaction::ok(&json!({"data": [{"id": "m"}]})),
        ask if ask.is_probe() && ask.mechanism() == "json_schema" => Reaction::events(&[delta(" The")], End::Open),
        ask if ask.is_probe() => Reaction::events(&[delta("{\"zq\":"), delta(" true}")], End::Open),
        _ => Reaction::stream(&[VALID]),
    })
    .await;
    let client = client(&server, Config::default());
    let outcome = client.structured(&city(), "Lyon?").await.unwrap();
    assert_eq!((outcome.ending(), outcome.mechanism()), (&value(), Mechanism::GuidedJson));
    let known = client.capabilities().await;
    assert_eq!(known.state(Mechanism::JsonSchema), State::Ignored);
    assert!(known.detail(Mechanism::JsonSchema).contains("\"The…\""), "{}", known.detail(Mechanism::JsonSchema));
    server.is_left().await;
    server.is_left().await;
}

#[tokio::test]
async fn a_cut_at_the_chosen_cap_is_asked_for_again_with_twice_the_room() {
    let server = Server::start(|_| Reaction::ok(&crate::finished(r#"{"population": 1, "ci"#, "length"))).await;
    let config = Config { max_reasks: 3, ..forced(Mechanism::JsonSchema) };
    let client = client(&server, config);
    let capped = client.structured(&city(), Request::new("Lyon?").max_tokens(9)).await.unwrap();
    assert_eq!(capped.attempts().len(), 1, "the caller's cap is not raised");
    let window = client.structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(window.attempts().len(), 1, "it was cut long before its cap: the window is full");

    let server = Server::start(|ask| {
        let cap = ask.body["max_tokens"].as_u64().unwrap();
        let usage = json!({"prompt_tokens": 40, "completion_tokens": cap});
        let choice = json!({"message": {"content": "{\"population\": 1, \"ci"}, "finish_reason": "length"});
        Reaction::ok(&json!({"choices": [choice], "usage": usage}))
    })
    .await;
    let config = Config { max_reasks: 3, ..forced(Mechanism::JsonSchema) };
    let outcome = crate::client(&server, config).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.ending().as_str(), "truncated");
    let caps: Vec<u64> = server.chats().iter().map(|ask| ask.body["max_tokens"].as_u64().unwrap()).collect();
    assert_eq!(caps.len(), 2, "once");
    assert_eq!(caps[1], caps[0] * 2);
}

#[tokio::test]
async fn a_call_that_is_dropped_ends_its_request() {
    let server = Server::start(|_| Reaction::events(&[delta("{")], End::Open)).await;
    let client = client(&server, forced(Mechanism::JsonSchema));
    let task = tokio::spawn(async move { client.structured(&city(), "Lyon?").await });
    while server.chats().is_empty() {
        tokio::task::yield_now().await;
    }
    task.abort();
    server.is_left().await;
}
