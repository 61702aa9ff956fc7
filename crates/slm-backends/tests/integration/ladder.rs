//! Down the ladder at request time, and what is taken away for it.

use serde_json::json;
use slm_backends::{Client, Config, Demotion, Ending, ErrorKind, Mechanism, Outcome, Provider, State};
use slm_schema::Contract;

use crate::server::{Ask, Reaction, Server, probe_reply};
use crate::{city, client, said};

const VALID: &str = r#"{"population": 1, "city": "Lyon"}"#;

fn models() -> Reaction {
    Reaction::ok(&json!({"data": [{"id": "m"}]}))
}

fn refusal(words: &str) -> Reaction {
    Reaction::status(400, &json!({"error": {"message": words, "type": "invalid_request_error"}}))
}

async fn call(server: &Server) -> (Client, Outcome) {
    let client = client(server, Config::default());
    let outcome = client.structured(&city(), "Lyon?").await.unwrap();
    (client, outcome)
}

fn demotions(outcome: &Outcome) -> Vec<(Mechanism, Option<Demotion>)> {
    outcome.attempts().iter().map(|attempt| (attempt.mechanism, attempt.demoted)).collect()
}

#[tokio::test]
async fn strict_is_dropped_first() {
    let is_strict = |ask: &Ask| ask.body["response_format"]["json_schema"]["strict"] == true;
    let server = Server::enforcing(&["json_schema"], move |ask| {
        if is_strict(ask) {
            refusal("Invalid schema for response_format: not strict")
        } else {
            Reaction::ok(&said(VALID))
        }
    })
    .await;
    let (client, outcome) = call(&server).await;
    assert_eq!(outcome.mechanism(), Mechanism::JsonSchema);
    assert_eq!(demotions(&outcome), [(Mechanism::JsonSchema, None), (Mechanism::JsonSchema, None)]);
    // It is remembered for the contract, and for no other.
    client.structured(&city(), "Nice?").await.unwrap();
    let other = Contract::from_json("other", r#"{"type":"object","properties":{"a":{"type":"boolean"}}}"#).unwrap();
    let error = client.structured(&other, "Nice?").await;
    assert!(error.is_ok());
    let strict: Vec<bool> = server.calls().iter().map(is_strict).collect();
    assert_eq!(strict[..3], [true, false, false]);
    assert!(strict[3]);
}

#[tokio::test]
async fn a_rule_that_is_refused_is_left_to_the_validator() {
    let server = Server::enforcing(&["json_schema"], |ask| match &ask.text {
        text if text.contains("\"maxLength\":40") => refusal("Grammar error: Unimplemented keys: [\"maxLength\"]"),
        _ => Reaction::ok(&said(VALID)),
    })
    .await;
    let config = Config { provider: Some(Provider::Vllm), ..Config::default() };
    let client = client(&server, config);
    let outcome = client.structured(&city(), "Lyon?").await.unwrap();
    // As it is, without strict, without the rule.
    assert_eq!(demotions(&outcome), [(Mechanism::JsonSchema, None); 3]);
    let schemas: Vec<String> =
        server.calls().iter().map(|ask| ask.body["response_format"]["json_schema"]["schema"].to_string()).collect();
    assert!(schemas[0].contains("maxLength") && schemas[1].contains("maxLength"), "{schemas:?}");
    assert!(!schemas[2].contains("maxLength") && schemas[2].contains("minimum"), "{schemas:?}");
    let left: Vec<&str> = outcome.report().exceptions().map(|entry| entry.keyword.as_str()).collect();
    assert_eq!(left, ["maxLength"]);
    // It is remembered for this contract.
    let again = client.structured(&city(), "Nice?").await.unwrap();
    assert_eq!(demotions(&again), [(Mechanism::JsonSchema, None)]);
    assert_eq!(again.report(), outcome.report());
    assert_eq!(client.capabilities().await.state(Mechanism::JsonSchema), State::Enforced);
    assert_eq!(client.capabilities().await.refused_contracts(Mechanism::JsonSchema), 0);
}

#[tokio::test]
async fn what_was_left_to_the_validator_is_validated() {
    let server = Server::enforcing(&["json_schema"], |ask| match &ask.text {
        text if text.contains("\"minimum\":0") => refusal("JSON schema error at #/properties/population: too hard"),
        _ => Reaction::ok(&said(r#"{"population": -1, "city": "Lyon"}"#)),
    })
    .await;
    let config = Config { provider: Some(Provider::Vllm), max_reasks: 0, ..Config::default() };
    let client = client(&server, config);
    let outcome = client.structured(&city(), "Lyon?").await.unwrap();
    assert!(matches!(outcome.ending(), Ending::Invalid { violations, .. } if violations[0].keyword == "minimum"));
    assert_eq!(outcome.mechanism(), Mechanism::JsonSchema, "a rule that was not sent is no evidence");
    assert_eq!(server.calls().len(), 3);
}

#[tokio::test]
async fn a_schema_that_is_refused_costs_this_contract_its_mechanism() {
    let server = Server::enforcing(&["json_schema", "gbnf_grammar"], |ask| match ask.mechanism() {
        "json_schema" => refusal("Grammar error: Unimplemented keys: [\"maxLength\"]"),
        _ => Reaction::ok(&said(VALID)),
    })
    .await;
    let (client, outcome) = call(&server).await;
    assert_eq!(outcome.mechanism(), Mechanism::GbnfGrammar);
    assert_eq!(
        demotions(&outcome),
        [
            (Mechanism::JsonSchema, None),
            (Mechanism::JsonSchema, None),
            (Mechanism::JsonSchema, Some(Demotion::Contract)),
            (Mechanism::JsonSchema, None),
            (Mechanism::GbnfGrammar, None)
        ]
    );
    let known = client.capabilities().await;
    assert_eq!(known.state(Mechanism::JsonSchema), State::Enforced);
    assert_eq!(known.refused_contracts(Mechanism::JsonSchema), 1);
    // The next call of the same contract starts where this one ended.
    let again = client.structured(&city(), "Nice?").await.unwrap();
    assert_eq!(demotions(&again), [(Mechanism::GbnfGrammar, None)]);
}

#[tokio::test]
async fn a_mechanism_that_refuses_a_trivial_schema_too_is_lost() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let broken = AtomicBool::new(false);
    let server = Server::start(move |ask| match ask.mechanism() {
        _ if !ask.is_chat() => models(),
        "json_schema" if ask.is_probe() && !broken.load(Ordering::SeqCst) => Reaction::ok(&said(r#"{"zq": false}"#)),
        "json_schema" => {
            broken.store(true, Ordering::SeqCst);
            refusal("response_format of type json_schema is not available")
        }
        _ if ask.is_probe() => Reaction::ok(&probe_reply(ask, &[])),
        _ => Reaction::ok(&said(VALID)),
    })
    .await;
    let (client, outcome) = call(&server).await;
    assert_eq!(outcome.mechanism(), Mechanism::PromptOnly);
    assert!(demotions(&outcome).contains(&(Mechanism::JsonSchema, Some(Demotion::Mechanism))));
    assert_eq!(client.capabilities().await.state(Mechanism::JsonSchema), State::Rejected);
}

#[tokio::test]
async fn a_500_that_blames_the_schema_is_treated_as_a_400() {
    let server = Server::enforcing(&["gbnf_grammar"], |ask| match ask.mechanism() {
        "gbnf_grammar" => Reaction::status(500, &json!({"error": {"message": "failed to parse grammar", "code": 500}})),
        _ => Reaction::ok(&said(VALID)),
    })
    .await;
    let (_, outcome) = call(&server).await;
    assert_eq!(outcome.mechanism(), Mechanism::PromptOnly);
    assert_eq!(server.calls().len(), 2, "it is not retried");
    assert!(demotions(&outcome).contains(&(Mechanism::GbnfGrammar, Some(Demotion::Contract))));
}

#[tokio::test]
async fn a_400_that_names_nothing_is_the_constraints_only_if_the_plain_twin_is_taken() {
    let server = Server::enforcing(&["gbnf_grammar"], |ask| match ask.mechanism() {
        "gbnf_grammar" => refusal("bad request"),
        _ => Reaction::ok(&said(VALID)),
    })
    .await;
    let (_, outcome) = call(&server).await;
    assert_eq!(outcome.mechanism(), Mechanism::PromptOnly);

    let server = Server::enforcing(&["gbnf_grammar"], |_| refusal("no such seed")).await;
    let client = client(&server, Config::default());
    let error = client.structured(&city(), "Lyon?").await.unwrap_err();
    assert!(error.to_string().contains("no such seed"), "{error}");
    assert_eq!(client.capabilities().await.refused_contracts(Mechanism::GbnfGrammar), 0);
}

#[tokio::test]
async fn a_200_that_breaks_the_shape_is_evidence() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let probes = AtomicUsize::new(0);
    let server = Server::start(move |ask| match ask.mechanism() {
        _ if !ask.is_chat() => models(),
        // It enforced once; then the server was exchanged for another.
        "json_schema" if ask.is_probe() && probes.fetch_add(1, Ordering::SeqCst) == 0 => {
            Reaction::ok(&said(r#"{"zq": true}"#))
        }
        "json_schema" => Reaction::ok(&said("Lyon is a lively town.")),
        _ if ask.is_probe() => Reaction::ok(&probe_reply(ask, &["gbnf_grammar"])),
        _ => Reaction::ok(&said(VALID)),
    })
    .await;
    let (client, outcome) = call(&server).await;
    assert_eq!(outcome.mechanism(), Mechanism::GbnfGrammar);
    assert!(matches!(outcome.ending(), Ending::Value(_)));
    assert_eq!(demotions(&outcome)[0], (Mechanism::JsonSchema, Some(Demotion::Mechanism)));
    assert_eq!(client.capabilities().await.state(Mechanism::JsonSchema), State::Ignored);
}

#[tokio::test]
async fn failures_of_the_endpoint_demote_nothing() {
    for status in [401, 402, 403, 404, 408, 413, 429, 500, 503] {
        let server =
            Server::enforcing(&["json_schema"], move |_| Reaction::status(status, &json!({"error": "no"}))).await;
        let client = client(&server, Config::default());
        let error = client.structured(&city(), "Lyon?").await.unwrap_err();
        assert_eq!(error.status(), Some(status));
        assert!(error.attempts().iter().all(|attempt| attempt.demoted.is_none()));
        let known = client.capabilities().await;
        assert_eq!(known.state(Mechanism::JsonSchema), State::Enforced, "{status}");
        assert_eq!(known.refused_contracts(Mechanism::JsonSchema), 0, "{status}");
    }
}

#[tokio::test]
async fn a_template_without_a_system_role_gets_it_in_the_first_message_of_the_user() {
    let server = Server::start(|ask| match ask {
        ask if !ask.is_chat() => models(),
        ask if ask.is_probe() => Reaction::ok(&probe_reply(ask, &["json_schema"])),
        ask if ask.text.contains("\"system\"") => refusal("System role not supported"),
        _ => Reaction::ok(&said(VALID)),
    })
    .await;
    let (client, outcome) = call(&server).await;
    assert_eq!(outcome.mechanism(), Mechanism::JsonSchema);
    let calls = server.calls();
    assert_eq!(calls.len(), 2);
    let messages = calls[1].body["messages"].as_array().unwrap();
    assert_eq!((messages.len(), &messages[0]["role"]), (1, &json!("user")));
    assert!(calls[1].prompt().contains("population") && calls[1].prompt().ends_with("Lyon?"), "{}", calls[1].text);
    client.structured(&city(), "Nice?").await.unwrap();
    assert_eq!(server.calls().len(), 3, "it is remembered");
}

#[tokio::test]
async fn a_schema_beyond_the_endpoints_limits_is_not_sent() {
    let server = Server::enforcing(&["json_schema", "json_object"], |_| Reaction::ok(&said("{}"))).await;
    let deep = (0..12).fold(r#"{"type":"boolean"}"#.to_owned(), |inner, _| {
        format!(r#"{{"type":"object","properties":{{"a":{inner}}},"additionalProperties":false}}"#)
    });
    let contract = Contract::from_json("deep", &deep).unwrap();
    let config = Config { provider: Some(Provider::Openai), ..Config::default() };
    let outcome = client(&server, config.clone()).structured(&contract, "Lyon?").await.unwrap();
    assert_eq!(outcome.mechanism(), Mechanism::JsonObject);
    assert_eq!(server.calls().len(), 1);
    // One that was asked for by name is an error before anything is sent.
    let forced = Config { mechanism: Some(Mechanism::JsonSchema), ..config };
    let error = client(&server, forced).structured(&contract, "Lyon?").await.unwrap_err();
    assert!(error.kind() == ErrorKind::Usage && error.to_string().contains("json_schema"), "{error}");
    assert_eq!(server.calls().len(), 1);
}
