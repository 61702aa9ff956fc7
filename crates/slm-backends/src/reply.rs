//! From an answer's bytes to a reply: lenient at the edge, since no two servers agree.

use std::time::SystemTime;

use serde_json::Value;

use crate::class::ErrorClass;
use crate::error::ErrorKind;
use crate::failure::Failure;
use crate::outcome::{AnswerSource, FinishReason, Usage};
use crate::plain::plain;
use crate::transport::HttpResponse;
use crate::watch::Stopped;
use crate::wire::error_body::ErrorBody;
use crate::wire::tool_call::{self, ToolCall};
use crate::wire::{messages, ollama};

/// What a model said, before anyone reads it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reply {
    pub(crate) text: String,
    pub(crate) reasoning: String,
    pub(crate) refusal: Option<String>,
    pub(crate) finish_reason: Option<FinishReason>,
    pub(crate) finish_reason_raw: Option<String>,
    pub(crate) usage: Option<Usage>,
    pub(crate) source: AnswerSource,
    pub(crate) tool_calls: Vec<ToolCall>,
    /// Why it was ended from here.
    pub(crate) stopped: Option<Stopped>,
    /// A stream that ended without saying why.
    pub(crate) is_incomplete: bool,
}

impl Reply {
    /// Reads the answer to a chat request.
    pub(crate) fn read(answer: &HttpResponse, now: SystemTime) -> Result<Self, Failure> {
        let text = answer.text();
        match answer.status {
            200..=299 => {}
            300..=399 => return Err(redirect(answer)),
            _ => {
                let body = ErrorBody::read(&text);
                // Groq validates best-effort output, and refuses it; the text may well be repairable.
                if body.is_typed(&["json_validate_failed"])
                    && let Some(text) = body.failed_generation
                {
                    return Ok(Self { text, source: AnswerSource::FailedGeneration, ..Self::default() });
                }
                return Err(Failure::from_answer(answer, &body, now));
            }
        }
        let Ok(value) = serde_json::from_str::<Value>(&text) else { return Err(no_json(answer, &text)) };
        if let Some(body) = ErrorBody::in_success(&value) {
            return Err(Failure::from_answer(answer, &body, now));
        }
        if value.get("choices").is_none() && !messages::is_one(&value) && !ollama::is_one(&value) {
            return Err(no_choices(answer, &text));
        }
        let mut reply = Self::default();
        reply.add_chunk(&value);
        reply.checked()
    }

    /// A reply that the endpoint says it failed in is none, whatever came of it before.
    pub(crate) fn checked(self) -> Result<Self, Failure> {
        if self.finish_reason != Some(FinishReason::Error) {
            return Ok(self);
        }
        let raw = self.finish_reason_raw.as_deref().map(plain).unwrap_or_default();
        let message = format!("failed while it wrote: finish_reason \"{raw}\"");
        Err(Failure::new(ErrorKind::Http, ErrorClass::Transient, message))
    }

    /// Has anything come of it that a model wrote?
    pub(crate) fn has_begun(&self) -> bool {
        !self.text.is_empty() || !self.reasoning.is_empty() || !self.tool_calls.is_empty()
    }

    /// Adds a chunk of a stream; a whole reply is a stream of one.
    pub(crate) fn add_chunk(&mut self, chunk: &Value) {
        if messages::is_one(chunk) {
            return messages::add(self, chunk);
        }
        if ollama::is_one(chunk) {
            return ollama::add(self, chunk);
        }
        self.usage = usage(chunk).or(self.usage);
        let choices = chunk.get("choices").and_then(Value::as_array);
        let is_first = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
        let Some(choice) = choices.and_then(|choices| choices.iter().find(is_first)) else { return };
        // Some servers send the whole message where a piece of it is due.
        let message =
            ["delta", "message"].into_iter().find_map(|name| choice.get(name).filter(|part| part.is_object()));
        let message = message.unwrap_or(&Value::Null);
        self.read_content(message.get("content").or_else(|| choice.get("text")));
        let reasoning = ["reasoning", "reasoning_content", "thinking"];
        let reasoning = reasoning.iter().find_map(|name| message.get(name).and_then(Value::as_str));
        self.reasoning.push_str(reasoning.unwrap_or_default());
        if let Some(refusal) = message.get("refusal").and_then(Value::as_str).filter(|text| !text.is_empty()) {
            self.refusal.get_or_insert_default().push_str(refusal);
        }
        tool_call::add(&mut self.tool_calls, message);
        // An empty one means none yet.
        let raw = choice.get("finish_reason").and_then(Value::as_str).filter(|raw| !raw.is_empty());
        if let Some(raw) = raw {
            self.finish(raw);
        }
    }

    /// Notes why the endpoint says it stopped.
    pub(crate) fn finish(&mut self, raw: &str) {
        self.finish_reason = Some(finish_reason(raw));
        self.finish_reason_raw = Some(raw.to_owned());
    }

    /// Content is a text, nothing, a list of parts, or (from servers that parse it themselves) the document.
    fn read_content(&mut self, content: Option<&Value>) {
        match content {
            Some(Value::String(text)) => self.text.push_str(text),
            Some(Value::Array(parts)) => parts.iter().for_each(|part| self.read_part(part)),
            Some(document @ Value::Object(_)) => self.text = document.to_string(),
            Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => {}
        }
    }

    fn read_part(&mut self, part: &Value) {
        let text = |name: &str| part.get(name).and_then(Value::as_str).unwrap_or_default();
        match part.get("type").and_then(Value::as_str) {
            Some("refusal") => self.refusal.get_or_insert_default().push_str(text("refusal")),
            Some("thinking" | "reasoning") => match part.get("thinking") {
                // Mistral nests parts in the part.
                Some(Value::Array(parts)) => {
                    let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
                    self.reasoning.extend(texts);
                }
                _ => self.reasoning.push_str(if text("thinking").is_empty() { text("text") } else { text("thinking") }),
            },
            _ => self.text.push_str(part.as_str().unwrap_or_else(|| text("text"))),
        }
    }
}

fn usage(value: &Value) -> Option<Usage> {
    let usage = value.get("usage")?;
    let count = |names: [&str; 2]| names.iter().find_map(|name| usage.get(name).and_then(Value::as_u64));
    let prompt = count(["prompt_tokens", "input_tokens"]);
    let completion = count(["completion_tokens", "output_tokens"]);
    if prompt.is_none() && completion.is_none() {
        return None;
    }
    Some(Usage { prompt_tokens: prompt.unwrap_or_default(), completion_tokens: completion.unwrap_or_default() })
}

fn finish_reason(raw: &str) -> FinishReason {
    match raw.to_ascii_lowercase().as_str() {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "completed" | "complete" => FinishReason::Stop,
        "length" | "max_tokens" | "max_output_tokens" | "model_length" | "model_context_window_exceeded" => {
            FinishReason::Length
        }
        "tool_calls" | "tool_call" | "tool_use" | "function_call" => FinishReason::ToolCalls,
        "content_filter" | "refusal" | "safety" | "recitation" | "prohibited_content" | "blocklist" | "spii" => {
            FinishReason::ContentFilter
        }
        "error"
        | "abort"
        | "network_error"
        | "malformed_function_call"
        | "insufficient_system_resource"
        | "load"
        | "unload" => FinishReason::Error,
        _ => FinishReason::Other,
    }
}

fn redirect(answer: &HttpResponse) -> Failure {
    // The query of an address may hold a key.
    let location = answer.header("location").unwrap_or("nowhere").split('?').next().unwrap_or_default();
    let message = format!("answered {} and points to {}", answer.status, plain(location));
    let mut failure = Failure::new(ErrorKind::Protocol, ErrorClass::Permanent, message)
        .with_hint("redirects are not followed, since the key would go along: give the address it points to");
    failure.details.status = Some(answer.status);
    failure
}

fn no_json(answer: &HttpResponse, text: &str) -> Failure {
    let content_type = plain(answer.header("content-type").unwrap_or("no content type"));
    let first_line = plain(text.trim().lines().next().unwrap_or_default());
    let what = if text.trim().is_empty() { "an empty body".to_owned() } else { format!("\"{first_line}\"") };
    let packed = answer.header("content-encoding").map(|how| format!(", packed as {}", plain(how))).unwrap_or_default();
    let message = format!("expected JSON, got {content_type}{packed} (HTTP {}): {what}", answer.status);
    let mut failure = Failure::new(ErrorKind::Protocol, ErrorClass::Unknown, message).with_hint(
        "is it an OpenAI-like API? the address may lack /v1, or a proxy or sign-in page answers in its place",
    );
    failure.details.status = Some(answer.status);
    failure
}

fn no_choices(answer: &HttpResponse, text: &str) -> Failure {
    let message = format!("answered {} with JSON that is no chat reply: {}", answer.status, plain(text));
    let mut failure = Failure::new(ErrorKind::Protocol, ErrorClass::Unknown, message)
        .with_hint("is it an OpenAI-like API? the address may lack /v1");
    failure.details.status = Some(answer.status);
    failure
}
