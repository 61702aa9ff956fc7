//! How replies end, and when they are asked for again.

use serde_json::json;
use slm_backends::{Config, Ending, FinishReason, Mechanism, Outcome, Phase, Request, Warning};
use slm_repair::Rung;

use crate::server::{Reaction, Server};
use crate::{city, client, finished, forced, said};

const VALID: &str = r#"{"population": 1, "city": "Lyon"}"#;

#[derive(Debug, serde::Deserialize)]
struct City {
    city: String,
}

async fn judged(reply: serde_json::Value, mechanism: Mechanism) -> Outcome {
    let server = Server::start(move |_| Reaction::ok(&reply)).await;
    let outcome = client(&server, forced(mechanism)).structured(&city(), Request::new("Lyon?").max_tokens(64)).await;
    outcome.unwrap()
}

fn truncated(phase: Phase) -> Ending {
    Ending::Truncated { phase, value: None }
}

#[tokio::test]
async fn a_reply_is_repaired_and_the_rung_is_named() {
    let outcome = judged(said(&format!("Sure!\n```json\n{VALID}\n```")), Mechanism::PromptOnly).await;
    assert_eq!(outcome.value(), Some(&json!({"population": 1, "city": "Lyon"})));
    assert!(outcome.rungs().contains(&Rung::Fence), "{:?}", outcome.rungs());
    assert_eq!(outcome.rung(), outcome.rungs().last().copied());
    assert_eq!(outcome.usage().unwrap().completion_tokens, 9);
    assert!(!outcome.report().is_fully_enforced());
    assert_eq!(outcome.parse::<City>().unwrap().city, "Lyon");
    assert!(outcome.parse::<Vec<u8>>().is_err());
}

#[tokio::test]
async fn a_cut_is_read_before_the_text() {
    for (text, phase) in [
        (r#"{"population": 1, "city": "Ly"#, Phase::InValue),
        (r#"{"population": 1, "city": "Lyon""#, Phase::InValue),
        ("Sure, here is", Phase::BeforeValue),
        ("", Phase::BeforeValue),
        ("<think>Lyon has", Phase::InReasoning),
    ] {
        let outcome = judged(finished(text, "length"), Mechanism::PromptOnly).await;
        assert_eq!(outcome.ending(), &truncated(phase), "{text}");
        assert_eq!(outcome.finish_reason(), Some(FinishReason::Length));
    }
    let thinking =
        json!({"choices": [{"message": {"content": null, "reasoning": "Lyon has"}, "finish_reason": "max_tokens"}]});
    let outcome = judged(thinking, Mechanism::PromptOnly).await;
    assert_eq!(outcome.ending(), &truncated(Phase::InReasoning));
    assert_eq!(outcome.finish_reason_raw(), Some("max_tokens"));
}

#[tokio::test]
async fn a_value_that_closed_before_the_cut_is_attached() {
    let value = json!({"population": 1, "city": "Lyon"});
    let attached = Ending::Truncated { phase: Phase::AfterValue, value: Some(value.clone()) };
    let outcome = judged(finished(VALID, "length"), Mechanism::PromptOnly).await;
    assert_eq!(outcome.ending(), &attached);
    // Forced is not seen: the mechanism may enforce nothing.
    assert_eq!(judged(finished(VALID, "length"), Mechanism::JsonSchema).await.ending(), &attached);
    // Some report `stop` at the cap.
    let mut at_cap = said(VALID);
    at_cap["usage"]["completion_tokens"] = 64.into();
    assert_eq!(judged(at_cap, Mechanism::PromptOnly).await.ending(), &attached);

    let server = Server::enforcing(&["json_schema"], |_| Reaction::ok(&finished(VALID, "length"))).await;
    let outcome = client(&server, Config::default()).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.ending(), &Ending::Value(value));
    assert_eq!(outcome.warnings(), [Warning::CutAfterValue]);
}

#[tokio::test]
async fn a_refusal_is_no_failure_to_parse() {
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": "I can't."}, "finish_reason": "stop"}]});
    let outcome = judged(refusal, Mechanism::JsonSchema).await;
    assert_eq!(outcome.ending(), &Ending::Refused { message: "I can't.".to_owned() });
    let outcome = judged(finished(r#"{"population": 1"#, "content_filter"), Mechanism::JsonSchema).await;
    assert_eq!(outcome.ending().as_str(), "refused");
}

#[tokio::test]
async fn an_empty_reply_is_empty() {
    assert_eq!(judged(said(" \n"), Mechanism::JsonObject).await.ending(), &Ending::Empty);
    assert_eq!(judged(json!({"choices": []}), Mechanism::JsonObject).await.ending(), &Ending::Empty);
    assert_eq!(judged(json!({"choices": null}), Mechanism::JsonObject).await.ending(), &Ending::Empty);
}

#[tokio::test]
async fn violations_are_quoted_once_and_then_the_reply_is_invalid() {
    let server = Server::start(|_| Reaction::ok(&said(r#"{"population": -1, "city": "Lyon"}"#))).await;
    let config = Config { max_reasks: 1, ..forced(Mechanism::PromptOnly) };
    let outcome = client(&server, config).structured(&city(), "Lyon?").await.unwrap();
    let Ending::Invalid { violations, message } = outcome.ending() else { panic!("{:?}", outcome.ending()) };
    assert_eq!(violations[0].pointer, "/population");
    assert!(message.contains("/population"), "{message}");
    assert_eq!(outcome.attempts().len(), 2);
    let chats = server.chats();
    assert_eq!(chats.len(), 2);
    let messages = chats[1].body["messages"].as_array().unwrap();
    assert_eq!(messages[2]["role"], "assistant");
    assert_eq!(messages[2]["content"], r#"{"population": -1, "city": "Lyon"}"#);
    assert!(chats[1].prompt().contains("/population"), "{}", chats[1].prompt());
    assert!(chats[1].prompt().contains("minimum"), "{}", chats[1].prompt());
}

#[tokio::test]
async fn a_reply_that_breaks_off_by_itself_is_not_sent_back() {
    let server = Server::start(|ask| {
        let is_second = ask.prompt().contains("broke off");
        Reaction::ok(&said(if is_second { VALID } else { r#"{"population": 12, "ci"# }))
    })
    .await;
    let config = Config { max_reasks: 1, ..forced(Mechanism::PromptOnly) };
    let outcome = client(&server, config).structured(&city(), "Lyon?").await.unwrap();
    assert!(outcome.value().is_some());
    let second = &server.chats()[1];
    assert!(second.prompt().starts_with("Lyon?"));
    assert!(!second.text.contains("\\\"ci\\\""), "{}", second.text);
}

#[tokio::test]
async fn a_prompt_that_the_server_dropped_is_told() {
    let prompt = "word ".repeat(2000);
    let server = Server::start(|_| Reaction::ok(&said(VALID))).await;
    let outcome = client(&server, forced(Mechanism::JsonSchema)).structured(&city(), prompt).await.unwrap();
    assert!(outcome.value().is_some());
    assert!(matches!(outcome.warnings(), [Warning::PromptTruncated { counted: 40, .. }]), "{:?}", outcome.warnings());
}
