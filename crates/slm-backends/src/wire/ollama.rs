//! Ollama's own chat API, where it differs from a chat completion: bodies, and replies that come as lines of JSON. Pure.

use serde_json::{Map, Value};

use super::chat::{Chat, Delivery, messages, object};
use super::constraint::Field;
use super::tool_call;
use crate::outcome::Usage;
use crate::reply::Reply;

/// The window that a server has at least unless it is told otherwise. A prompt that does not fit is cut without a word.
const WINDOW: u64 = 4096;
/// Room for a reply without a cap.
const ROOM: u64 = 1024;
/// Characters to a token, at the least that tokenizers make of prose.
const DENSE: usize = 3;

/// The body of a request as JSON text: the sampler's settings stand under `options`.
pub(crate) fn body(chat: &Chat<'_>) -> String {
    let mut fields: Vec<Field> = vec![
        ("model".to_owned(), Value::from(chat.model).to_string()),
        ("messages".to_owned(), messages(chat.messages)),
        ("stream".to_owned(), (chat.delivery != Delivery::Whole).to_string()),
    ];
    fields.retain(|(name, _)| !chat.extra.contains_key(name));
    let others = chat.extra.iter().filter(|(name, _)| *name != "options");
    fields.extend(others.map(|(name, value)| (name.clone(), value.to_string())));
    let options = options(chat);
    if !options.is_empty() {
        fields.push(("options".to_owned(), Value::Object(options).to_string()));
    }
    fields.extend(chat.constraint.clone());
    fields.extend(chat.tools.iter().cloned());
    object(&fields)
}

/// The caller's own win.
fn options(chat: &Chat<'_>) -> Map<String, Value> {
    let mut options = Map::new();
    let mut set = |name: &str, value: Option<Value>| {
        options.extend(value.map(|value| (name.to_owned(), value)));
    };
    set("num_ctx", window(chat).map(Value::from));
    set("num_predict", chat.cap.map(|(_, cap)| Value::from(cap)));
    set("temperature", chat.temperature.map(Value::from));
    set("seed", chat.seed.map(Value::from));
    set("stop", Some(Value::from(chat.stop)).filter(|_| !chat.stop.is_empty()));
    options.extend(chat.extra.get("options").and_then(Value::as_object).cloned().unwrap_or_default());
    options
}

/// A window for prompt and reply, where the usual one may be too small. In steps: each change loads the model anew.
fn window(chat: &Chat<'_>) -> Option<u64> {
    let characters: usize = chat.messages.iter().map(|message| message.text.chars().count()).sum();
    let prompt = u64::try_from(characters / DENSE).unwrap_or(u64::MAX);
    let needed = prompt.saturating_add(chat.cap.map_or(ROOM, |(_, cap)| cap));
    (needed > WINDOW).then(|| needed.checked_next_power_of_two().unwrap_or(needed))
}

/// Is it a reply of this API, or a line of one?
pub(crate) fn is_one(value: &Value) -> bool {
    value.get("done").is_some_and(Value::is_boolean) && value.get("choices").is_none()
}

/// Is it the last line?
pub(crate) fn is_last(value: &Value) -> bool {
    is_one(value) && value.get("done") == Some(&Value::Bool(true))
}

/// Adds a reply, or a line of one.
pub(crate) fn add(reply: &mut Reply, value: &Value) {
    let message = value.get("message").unwrap_or(&Value::Null);
    let text = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default();
    reply.text.push_str(text("content"));
    reply.reasoning.push_str(text("thinking"));
    tool_call::add(&mut reply.tool_calls, message);
    if !is_last(value) {
        return;
    }
    let count = |name: &str| value.get(name).and_then(Value::as_u64);
    let (prompt, completion) = (count("prompt_eval_count"), count("eval_count"));
    if prompt.is_some() || completion.is_some() {
        let (prompt_tokens, completion_tokens) = (prompt.unwrap_or_default(), completion.unwrap_or_default());
        reply.usage = Some(Usage { prompt_tokens, completion_tokens });
    }
    // Older versions do not say why.
    reply.finish(value.get("done_reason").and_then(Value::as_str).unwrap_or("stop"));
}
