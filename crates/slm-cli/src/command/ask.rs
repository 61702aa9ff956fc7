//! `slmcode ask`: one structured call.

use std::path::Path;

use serde_json::{Map, Value, json};
use slm_backends::{Attempt, Client, Ending, Error, ErrorKind, Outcome, Request, Tools};
use slm_schema::Contract;

use super::validate::in_words;
use crate::args::Ask;
use crate::contract::{self, Source};
use crate::output::{self, Exit, Failure, insert};
use crate::settings::{self, Call, with_hint};

pub(crate) async fn run(args: &Ask, json: bool) -> Result<Exit, Failure> {
    let (contract, prompt) = words(&args.words, args.schema.as_deref())?;
    let request = request(args, &contract, prompt)?;
    let tools = args.tools.as_deref().map(tools).transpose()?;
    let call = Call { mechanism: args.mechanism.as_deref(), max_reasks: args.max_reasks, refresh: false };
    let (endpoint, _origin) = settings::endpoint(&args.connection, json).await?;
    let client = settings::client(endpoint, &args.connection, call)?;
    let outcome = match tools {
        Some(tools) => client.turn(Some(&contract), &tools, request).await,
        None if args.stream && !json => streamed(&client, &contract, request).await,
        None => client.structured(&contract, request).await,
    };
    let outcome = outcome.map_err(|error| failed(&error))?;
    if json {
        output::document(&document(&outcome));
    } else {
        print(&outcome);
    }
    Ok(exit(outcome.ending()))
}

/// The call, with the document on standard error as far as it has come: for the eye, and never the answer.
async fn streamed(client: &Client, contract: &Contract, request: Request) -> Result<Outcome, Error> {
    let mut call = client.structured_stream(contract, request)?;
    while let Some(partial) = call.next().await {
        output::note(&partial.to_string());
    }
    call.finish().await
}

fn tools(file: &Path) -> Result<Tools, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| Failure::usage(format!("--tools {name}: {error}")))?;
    Tools::from_json(&text).map_err(|error| Failure::usage(format!("--tools {name}: {error}")))
}

/// `CONTRACT PROMPT`, or `PROMPT` alone beside `--schema`.
fn words(words: &[String], schema: Option<&Path>) -> Result<(Source, String), Failure> {
    let (name, prompt) = match (words, schema) {
        ([prompt], Some(_)) => (None, prompt),
        ([name, prompt], None) => (Some(name.as_str()), prompt),
        ([_, ..], Some(_)) => {
            return Err(Failure::usage("--schema takes the place of CONTRACT; give the prompt alone"));
        }
        _ => return Err(Failure::usage("give a contract and a prompt: slmcode ask CONTRACT PROMPT")),
    };
    let contract = contract::require(name, schema)?;
    let prompt = if prompt == "-" { contract::stdin()? } else { prompt.clone() };
    if prompt.trim().is_empty() {
        return Err(Failure::usage("the prompt is empty; say what the model should do"));
    }
    Ok((contract, prompt))
}

fn request(args: &Ask, contract: &Source, prompt: String) -> Result<Request, Failure> {
    let mut request = Request::new(prompt);
    // A contract of a role of ours comes with that role's prompt; a schema of the user's has none.
    request.system = match (&args.system, contract) {
        (Some(text), _) => Some(text.clone()),
        (None, Source::BuiltIn(contract)) => {
            slm_agents::prompt_for(contract.name()).ok().map(|prompt| prompt.render(contract))
        }
        (None, Source::File(_)) => None,
    };
    request.max_tokens = args.max_tokens;
    request.temperature = args.temperature;
    request.seed = args.seed;
    if let Some(text) = &args.extra {
        request.extra = serde_json::from_str(text)
            .map_err(|error| Failure::usage(format!("--extra is no JSON object: {error}")))?;
    }
    Ok(request)
}

fn exit(ending: &Ending) -> Exit {
    match ending {
        Ending::Value(_) | Ending::ToolCall { .. } => Exit::Done,
        Ending::Truncated { .. } | Ending::Empty | Ending::WhitespaceLoop | Ending::RepetitionLoop => Exit::Truncated,
        Ending::Refused { .. } => Exit::Refused,
        Ending::Invalid { .. } | _ => Exit::Invalid,
    }
}

/// The value on standard output; on standard error how it was got, or why there is none.
fn print(outcome: &Outcome) {
    match outcome.ending() {
        Ending::Value(value) => output::line(&format!("{value:#}")),
        Ending::ToolCall { name, arguments } => {
            output::line(&format!("{:#}", json!({"name": name, "arguments": arguments})));
        }
        Ending::Truncated { phase, .. } => output::note(&format!(
            "error: the reply was cut off ({}); raise --max-tokens, or the server's context window",
            phase.as_str()
        )),
        Ending::Refused { message } => output::note(&format!("error: the model refused: {}", message.escape_debug())),
        Ending::Invalid { violations, message } => {
            let lines: Vec<String> = violations.iter().map(in_words).collect();
            let why = if lines.is_empty() { message.clone() } else { lines.join("; ") };
            output::note(&format!("error: the reply is not valid: {why}"));
        }
        Ending::WhitespaceLoop => output::note(
            "error: the model wrote white space without end and was stopped; try --temperature 0.7, or another --mechanism",
        ),
        Ending::RepetitionLoop => output::note(
            "error: the model repeated itself without end and was stopped; try --temperature 0.7, or a larger model",
        ),
        Ending::Empty | _ => output::note("error: the reply is empty; ask again, or raise --max-tokens"),
    }
    for warning in outcome.warnings() {
        output::note(&format!("warning: {warning}"));
    }
    let tokens = outcome.usage().map_or_else(|| "?".to_owned(), |usage| usage.completion_tokens.to_string());
    let rung = outcome.rung().map_or_else(|| "-".to_owned(), |rung| rung.to_string());
    output::note(&format!(
        "{} · rung {rung} · {tokens} tokens · {:.1} s · {}",
        outcome.mechanism(),
        outcome.elapsed().as_secs_f64(),
        outcome.report(),
    ));
}

/// The call as one document.
fn document(outcome: &Outcome) -> Value {
    let mut document = Map::new();
    insert(&mut document, "outcome", Some(outcome.ending().as_str()));
    match outcome.ending() {
        Ending::Value(value) => insert(&mut document, "value", Some(value.clone())),
        Ending::ToolCall { name, arguments } => {
            insert(&mut document, "tool_call", Some(json!({"name": name, "arguments": arguments})));
            insert(&mut document, "dropped_tool_calls", Some(outcome.dropped_tool_calls()));
        }
        Ending::Truncated { phase, value } => {
            insert(&mut document, "value", value.clone());
            insert(&mut document, "phase", Some(phase.as_str()));
        }
        Ending::Refused { message } => insert(&mut document, "error", Some(json!({"message": message}))),
        Ending::Invalid { violations, message } => {
            insert(&mut document, "violations", Some(json!(violations)));
            insert(&mut document, "error", Some(json!({"message": message})));
        }
        Ending::Empty | Ending::WhitespaceLoop | Ending::RepetitionLoop | _ => {}
    }
    insert(&mut document, "mechanism", Some(outcome.mechanism().as_str()));
    insert(&mut document, "rung", outcome.rung().map(slm_repair::Rung::as_str));
    insert(&mut document, "rungs", Some(json!(outcome.rungs())));
    insert(&mut document, "coercions", Some(json!(outcome.coercions())));
    insert(&mut document, "answer_source", Some(outcome.answer_source().as_str()));
    insert(&mut document, "finish_reason", outcome.finish_reason().map(slm_backends::FinishReason::as_str));
    insert(&mut document, "finish_reason_raw", outcome.finish_reason_raw());
    insert(&mut document, "attempts", Some(attempts(outcome.attempts())));
    let warnings: Vec<&str> = outcome.warnings().iter().map(|warning| warning.as_str()).collect();
    insert(&mut document, "warnings", (!warnings.is_empty()).then_some(warnings));
    insert(&mut document, "usage", outcome.usage().map(|usage| json!(usage)));
    insert(&mut document, "ms", Some(milliseconds(outcome.elapsed())));
    insert(&mut document, "report", Some(json!(outcome.report())));
    Value::Object(document)
}

fn attempts(attempts: &[Attempt]) -> Value {
    let each = attempts.iter().map(|attempt| {
        json!({
            "mechanism": attempt.mechanism.as_str(),
            "class": attempt.class.map(slm_backends::ErrorClass::as_str),
            "status": attempt.status,
            "ms": milliseconds(attempt.elapsed),
            "demoted": attempt.demoted,
        })
    });
    each.collect()
}

fn milliseconds(elapsed: std::time::Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

/// A call without an outcome.
fn failed(error: &Error) -> Failure {
    let is_usage = matches!(error.kind(), ErrorKind::Usage | ErrorKind::Config);
    let exit = if is_usage { Exit::Usage } else { Exit::Failed };
    let mut details = Map::new();
    insert(&mut details, "class", Some(error.class().as_str()));
    insert(&mut details, "status", error.status());
    insert(&mut details, "code", error.code());
    insert(&mut details, "message", Some(error.to_string()));
    insert(&mut details, "hint", error.hint());
    insert(&mut details, "prompt_tokens", error.prompt_tokens());
    insert(&mut details, "limit", error.limit());
    let document = json!({"outcome": "error", "attempts": attempts(error.attempts()), "error": details});
    Failure::new(exit, error.class().as_str(), with_hint(error)).with_document(document)
}
