//! Exchanges with servers, replayed by the transport that users have for it: our own, one leniency each, and the public
//! ones where they are at hand.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use slm_backends::{
    Client, Ending, Endpoint, Error, FinishReason, Mechanism, Outcome, ReplayTransport, Request, Tools,
};
use slm_schema::Contract;

use crate::clock::TestClock;
use crate::forced;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// The outcome in the words of `slmcode ask --json`, as far as an exchange can expect them.
fn document(result: &Result<Outcome, Error>) -> Value {
    match result {
        Err(error) => json!({"outcome": "error", "error": {
            "class": error.class().as_str(),
            "status": error.status(),
            "code": error.code(),
            "hint": error.hint(),
            "prompt_tokens": error.prompt_tokens(),
            "limit": error.limit(),
        }}),
        Ok(outcome) => {
            let (value, phase) = if let Ending::Truncated { phase, value } = outcome.ending() {
                (value.clone(), Some(phase.as_str()))
            } else {
                (outcome.value().cloned(), None)
            };
            let tool_call = if let Ending::ToolCall { name, arguments } = outcome.ending() {
                json!({"name": name, "arguments": arguments})
            } else {
                Value::Null
            };
            json!({
                "outcome": outcome.ending().as_str(),
                "value": value,
                "phase": phase,
                "tool_call": tool_call,
                "dropped_tool_calls": outcome.dropped_tool_calls(),
                "rung": outcome.rung().map(slm_repair::Rung::as_str),
                "answer_source": outcome.answer_source().as_str(),
                "finish_reason": outcome.finish_reason().map(FinishReason::as_str),
                "finish_reason_raw": outcome.finish_reason_raw(),
                "usage": outcome.usage(),
                "warnings": outcome.warnings().iter().map(|warning| warning.as_str()).collect::<Vec<_>>(),
            })
        }
    }
}

/// Every expected member is there and equal; a hint only has to begin so.
fn assert_holds(expected: &Value, actual: &Value, name: &str) {
    for (key, expected) in
        expected.as_object().unwrap().iter().filter(|(key, _)| *key != "requests" && *key != "client_leaves_early")
    {
        match (key.as_str(), expected) {
            ("error", expected) => assert_holds(expected, &actual["error"], name),
            ("hint", Value::String(hint)) => {
                assert!(actual["hint"].as_str().unwrap().starts_with(hint), "{name}: {actual}");
            }
            _ => assert_eq!(&actual[key], expected, "{name}: {key} of {actual}"),
        }
    }
}

fn assert_count(expected: &Value, count: usize, name: &str) {
    let bound = |key: &str| expected["requests"][key].as_u64().map(|bound| usize::try_from(bound).unwrap());
    assert!(bound("exactly").is_none_or(|exactly| count == exactly), "{name}: {count} requests");
    assert!(bound("at_most").is_none_or(|most| count <= most), "{name}: {count} requests");
    assert!(bound("at_least").is_none_or(|least| count >= least), "{name}: {count} requests");
}

async fn replay(path: &Path) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let exchange: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let context = &exchange["request_context"];
    let contract = Contract::from_json("answer", &context["original_schema"].to_string()).unwrap();
    let rank = context["rank"].as_u64().unwrap();
    let mechanism = Mechanism::ALL.into_iter().find(|mechanism| u64::from(mechanism.rank()) == rank).unwrap();
    let tokens = usize::try_from(context["estimated_prompt_tokens"].as_u64().unwrap_or(1)).unwrap();
    let request = Request { max_tokens: context["max_tokens"].as_u64(), ..Request::new("four".repeat(tokens)) };
    let endpoint = Endpoint::parse("http://127.0.0.1:1/v1").unwrap();
    let transport = Arc::new(ReplayTransport::read(path).unwrap());
    let client =
        Client::with_transport(endpoint, forced(mechanism), transport, Arc::new(TestClock::default())).unwrap();
    let result = match context.get("tools").map(|tools| Tools::from_json(&tools.to_string()).unwrap()) {
        Some(tools) => client.turn(Some(&contract), &tools, request).await,
        None => client.structured(&contract, request).await,
    };
    assert_holds(&exchange["expect"], &document(&result), &name);
    let attempts = result.as_ref().map_or_else(Error::attempts, Outcome::attempts);
    assert_count(&exchange["expect"], attempts.len(), &name);
}

#[tokio::test]
async fn our_exchanges_end_as_they_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/exchanges");
    let files = files(&folder);
    assert!(files.len() >= 10, "{}", files.len());
    for path in files {
        replay(&path).await;
    }
}

#[tokio::test]
async fn public_exchanges_end_as_they_should() {
    let Some(data) = std::env::var_os("SLM_TEST_DATA") else {
        println!("skipped: set SLM_TEST_DATA to the public test data (fixtures/README.md says what it holds)");
        return;
    };
    for path in files(&Path::new(&data).join("exchanges")) {
        replay(&path).await;
    }
}
