//! Anthropic's Messages API, where it differs from a chat completion: bodies, replies, events of a stream. Pure.

use serde_json::{Map, Value, json};

use super::chat::{Chat, Delivery, Message, Speaker, messages, object};
use super::constraint::Field;
use super::tool_call;
use crate::outcome::Usage;
use crate::reply::Reply;

/// A cap has to be sent. Where none was chosen, this one fits all models.
const CAP: u64 = 4096;

/// The field that a constraint shares with settings of the caller's.
const SHARED: &str = "output_config";

/// The body of a request as JSON text: what the system says stands apart from the messages.
pub(crate) fn body(chat: &Chat<'_>) -> String {
    let (system, spoken): (Vec<Message>, Vec<Message>) =
        chat.messages.iter().cloned().partition(|message| message.speaker == Speaker::System);
    let system: Vec<&str> = system.iter().map(|message| message.text.as_str()).collect();
    let mut fields: Vec<Field> = vec![
        ("model".to_owned(), Value::from(chat.model).to_string()),
        ("max_tokens".to_owned(), chat.cap.map_or(CAP, |(_, cap)| cap).to_string()),
    ];
    if !system.is_empty() {
        fields.push(("system".to_owned(), Value::from(system.join("\n\n")).to_string()));
    }
    fields.push(("messages".to_owned(), messages(&spoken)));
    fields.push(("stream".to_owned(), (chat.delivery != Delivery::Whole).to_string()));
    // Others go up to 2.
    fields.extend(chat.temperature.map(|own| ("temperature".to_owned(), Value::from(own.min(1.0)).to_string())));
    // One of white space alone is refused.
    let stop: Vec<&str> = chat.stop.iter().map(String::as_str).filter(|stop| !stop.trim().is_empty()).collect();
    if !stop.is_empty() {
        fields.push(("stop_sequences".to_owned(), Value::from(stop).to_string()));
    }
    let shared = chat.constraint.as_ref().filter(|(name, _)| name == SHARED);
    let own = chat.extra.get(SHARED).and_then(Value::as_object).filter(|_| shared.is_some());
    fields.retain(|(name, _)| !chat.extra.contains_key(name));
    let others = chat.extra.iter().filter(|(name, _)| own.is_none() || *name != SHARED);
    fields.extend(others.map(|(name, value)| (name.clone(), value.to_string())));
    fields.extend(chat.constraint.clone().map(|field| with_own(field, own)));
    fields.extend(chat.tools.iter().cloned());
    object(&fields)
}

/// A constraint, with what the caller sets in the same field: the schema's text stays as it is.
fn with_own((name, constraint): Field, own: Option<&Map<String, Value>>) -> Field {
    let own = own.into_iter().flatten().filter(|(key, _)| *key != "format");
    let own: String =
        own.map(|(key, value)| format!("{}:{value},", Value::from(key.as_str()))).fold(String::new(), |a, b| a + &b);
    let constraint = constraint.strip_prefix('{').map_or_else(|| constraint.clone(), |rest| format!("{{{own}{rest}"));
    (name, constraint)
}

/// Is it a reply of this API, or an event of one?
pub(crate) fn is_one(value: &Value) -> bool {
    match value.get("type").and_then(Value::as_str) {
        Some("message") => value.get("content").is_some(),
        Some(kind) => kind == "ping" || kind.starts_with("message_") || kind.starts_with("content_block_"),
        None => false,
    }
}

/// Is it the last event?
pub(crate) fn is_last(value: &Value) -> bool {
    value.get("type").and_then(Value::as_str) == Some("message_stop")
}

/// Adds a reply, or an event of one.
pub(crate) fn add(reply: &mut Reply, value: &Value) {
    let part = |name: &str| value.get(name).unwrap_or(&Value::Null);
    match value.get("type").and_then(Value::as_str).unwrap_or_default() {
        "message" => add_message(reply, value),
        "message_start" => add_message(reply, part("message")),
        "content_block_start" => start_block(reply, part("index"), part("content_block")),
        "content_block_delta" => add_delta(reply, part("index"), part("delta")),
        "message_delta" => {
            reply.usage = usage(part("usage"), reply.usage).or(reply.usage);
            finish(reply, part("delta"));
        }
        _ => {}
    }
}

fn add_message(reply: &mut Reply, message: &Value) {
    for (index, block) in message.get("content").and_then(Value::as_array).into_iter().flatten().enumerate() {
        start_block(reply, &Value::from(index), block);
        if let Some(input) = block.get("input") {
            let call = json!({"index": index, "function": {"arguments": input}});
            tool_call::add(&mut reply.tool_calls, &json!({"tool_calls": [call]}));
        }
    }
    reply.usage = message.get("usage").and_then(|counts| usage(counts, None)).or(reply.usage);
    finish(reply, message);
}

/// A block as it begins: in a stream it is empty, and the input of a tool comes in pieces of its text.
fn start_block(reply: &mut Reply, index: &Value, block: &Value) {
    let text = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("type") {
        "text" => reply.text.push_str(text("text")),
        "thinking" => reply.reasoning.push_str(text("thinking")),
        "tool_use" => {
            let call = json!({"index": index, "id": text("id"), "function": {"name": text("name")}});
            tool_call::add(&mut reply.tool_calls, &json!({"tool_calls": [call]}));
        }
        _ => {}
    }
}

fn add_delta(reply: &mut Reply, index: &Value, delta: &Value) {
    let text = |name: &str| delta.get(name).and_then(Value::as_str).unwrap_or_default();
    reply.text.push_str(text("text"));
    reply.reasoning.push_str(text("thinking"));
    if !text("partial_json").is_empty() {
        let call = json!({"index": index, "function": {"arguments": text("partial_json")}});
        tool_call::add(&mut reply.tool_calls, &json!({"tool_calls": [call]}));
    }
}

fn finish(reply: &mut Reply, message: &Value) {
    if let Some(raw) = message.get("stop_reason").and_then(Value::as_str) {
        reply.finish(raw);
    }
}

/// The tokens, with those of the prompt that came from a cache; what an event leaves out was said before.
fn usage(counts: &Value, before: Option<Usage>) -> Option<Usage> {
    let before = before.unwrap_or_default();
    let count = |name: &str| counts.get(name).and_then(Value::as_u64);
    let cached = ["cache_read_input_tokens", "cache_creation_input_tokens"].into_iter().filter_map(count).sum::<u64>();
    let (prompt, completion) = (count("input_tokens"), count("output_tokens"));
    (prompt.is_some() || completion.is_some()).then(|| Usage {
        prompt_tokens: prompt.map_or(before.prompt_tokens, |own| own.saturating_add(cached)),
        completion_tokens: completion.unwrap_or(before.completion_tokens),
    })
}
