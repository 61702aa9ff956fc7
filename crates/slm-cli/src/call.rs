//! Structured calls: from flags to a request, and from an outcome to a document and an exit code.

use std::path::Path;

use serde_json::{Map, Value, json};
use slm_agents::RoleSpec;
use slm_backends::{Attempt, Ending, Error, ErrorKind, Outcome, Request, Tools};

use crate::args::CallFlags;
use crate::contract::Source;
use crate::output::{Exit, Failure, insert};
use crate::settings::with_hint;

/// What is asked, and how.
pub(crate) fn request(args: &CallFlags, contract: &Source, prompt: String) -> Result<Request, Failure> {
    let mut request = Request::new(prompt);
    // A contract of a role of ours comes with that role's prompt; a schema of the user's has none.
    request.system = match (&args.system, contract) {
        (Some(text), _) => Some(text.clone()),
        (None, Source::BuiltIn(contract)) => {
            slm_agents::prompt_for(contract.name()).ok().map(|prompt| prompt.render(contract))
        }
        (None, Source::File(_)) => None,
    };
    // They are for replies that are a document and nothing else.
    if let (Source::BuiltIn(contract), None) = (contract, &args.tools) {
        request.stop = RoleSpec::new(contract.name()).normalize().decoding.stop;
    }
    request.max_tokens = args.max_tokens;
    request.temperature = args.temperature;
    request.seed = args.seed;
    if let Some(text) = &args.extra {
        request.extra = serde_json::from_str(text)
            .map_err(|error| Failure::usage(format!("--extra is no JSON object: {error}")))?;
    }
    Ok(request)
}

/// The tools in a file.
pub(crate) fn tools(file: &Path) -> Result<Tools, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| Failure::usage(format!("--tools {name}: {error}")))?;
    Tools::from_json(&text).map_err(|error| Failure::usage(format!("--tools {name}: {error}")))
}

/// The exit code of a call.
pub(crate) fn exit(ending: &Ending) -> Exit {
    match ending {
        Ending::Value(_) | Ending::ToolCall { .. } => Exit::Done,
        Ending::Truncated { .. } | Ending::Empty | Ending::WhitespaceLoop | Ending::RepetitionLoop => Exit::Truncated,
        Ending::Refused { .. } => Exit::Refused,
        Ending::Invalid { .. } | _ => Exit::Invalid,
    }
}

/// The call as one document.
pub(crate) fn document(outcome: &Outcome) -> Map<String, Value> {
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
    document
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

pub(crate) fn milliseconds(elapsed: std::time::Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

/// A call without an outcome.
pub(crate) fn failed(error: &Error) -> Failure {
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
    Failure::new(exit, error.class().as_str(), with_hint(error)).with_document(document).with_causes(causes(error))
}

/// What was tried, and what lies under the error.
fn causes(error: &Error) -> Vec<String> {
    let tried = error.attempts().iter().enumerate().map(|(place, attempt)| {
        let status = attempt.status.map_or_else(|| "no status".to_owned(), |status| format!("status {status}"));
        let class = attempt.class.map_or("ok", slm_backends::ErrorClass::as_str);
        let ms = milliseconds(attempt.elapsed);
        format!("attempt {}: {}, {status}, {class}, {ms} ms", place + 1, attempt.mechanism)
    });
    let under = std::iter::successors(std::error::Error::source(error), |error| error.source());
    tried.chain(under.map(ToString::to_string)).collect()
}
