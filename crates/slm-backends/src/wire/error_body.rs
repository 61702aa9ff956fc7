//! The body of an error, in each of the shapes that servers and the proxies before them give it.

use std::time::Duration;

use serde_json::Value;

/// A proxy of a proxy puts the inner error, as text, into its own; further down there is nothing to learn.
const DEEPEST: usize = 2;

/// What an error body says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ErrorBody {
    pub(crate) message: String,
    /// The `type` (Gemini: `status`).
    pub(crate) kind: Option<String>,
    pub(crate) code: Option<String>,
    pub(crate) param: Option<String>,
    /// The status that the body itself names.
    pub(crate) status: Option<u16>,
    pub(crate) prompt_tokens: Option<u64>,
    pub(crate) limit: Option<u64>,
    /// The model's output, where the endpoint blames it.
    pub(crate) failed_generation: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    /// Names of the quotas that were used up.
    pub(crate) quotas: Vec<String>,
}

impl ErrorBody {
    /// Reads the body of an answer that is an error by its status.
    pub(crate) fn read(text: &str) -> Self {
        let text = text.trim();
        match serde_json::from_str::<Value>(text) {
            Ok(value) => from_value(&value, 0).unwrap_or_else(|| Self::plain(text)),
            Err(_) => Self::plain(text),
        }
    }

    /// Reads an error that came inside a success, beside the choices or in the first of them; `None` where there is none.
    pub(crate) fn in_success(value: &Value) -> Option<Self> {
        let is_error = |value: &Value| {
            value.get("error").is_some_and(is_truthy) || value.get("object").and_then(Value::as_str) == Some("error")
        };
        let places = [Some(value), value.get(0), value.pointer("/choices/0")];
        from_value(places.into_iter().flatten().find(|place| is_error(place))?, 0)
    }

    fn plain(text: &str) -> Self {
        let html = text.starts_with('<');
        let message = if html { title(text).unwrap_or("an HTML page") } else { text };
        Self { message: message.to_owned(), ..Self::default() }
    }

    /// Does one of the names that the endpoint gave the error equal one of these?
    pub(crate) fn is_typed(&self, names: &[&str]) -> bool {
        [&self.code, &self.kind].into_iter().flatten().any(|name| names.iter().any(|n| n.eq_ignore_ascii_case(name)))
    }
}

fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

fn title(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once("<title>")?;
    rest.split_once("</title>").map(|(title, _)| title.trim()).filter(|title| !title.is_empty())
}

fn from_value(value: &Value, depth: usize) -> Option<ErrorBody> {
    match value {
        Value::Array(items) => items.iter().find_map(|item| from_value(item, depth)),
        Value::String(text) => Some(from_text(text, depth)),
        Value::Object(members) => match members.get("error").filter(|error| is_truthy(error)) {
            Some(error @ Value::Object(_)) => Some(from_object(error, depth)),
            Some(error) => {
                let mut body = from_value(error, depth)?;
                body.kind = body.kind.or_else(|| text(members.get("error_type")));
                Some(body)
            }
            None if members.contains_key("message") || members.contains_key("detail") => {
                Some(from_object(value, depth))
            }
            None => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// A text is the message, or a whole error as text.
fn from_text(text: &str, depth: usize) -> ErrorBody {
    if depth < DEEPEST
        && text.trim_start().starts_with(['{', '['])
        && let Some(body) = serde_json::from_str(text).ok().and_then(|value| from_value(&value, depth + 1))
    {
        return body;
    }
    ErrorBody { message: text.to_owned(), ..ErrorBody::default() }
}

fn from_object(error: &Value, depth: usize) -> ErrorBody {
    let inner = inner(error, depth).unwrap_or_default();
    let number = |names: [&str; 2]| names.into_iter().find_map(|name| error.get(name).and_then(Value::as_u64));
    let status = error.get("code").and_then(status_in);
    let is_number = status.is_some() || error.get("code").is_some_and(Value::is_number);
    let named = |name: &str| text(error.get(name));
    let message = match message(error) {
        // The outer text often says no more than that something failed.
        Some(outer) if !inner.message.is_empty() && !outer.contains(&inner.message) => {
            format!("{outer}: {}", inner.message)
        }
        Some(outer) if inner.message.is_empty() => outer,
        _ => inner.message,
    };
    ErrorBody {
        message,
        kind: named("type").or_else(|| named("status")).or(inner.kind),
        code: inner.code.filter(|_| is_number).or_else(|| text(error.get("code"))).or_else(|| {
            let typed = error.pointer("/metadata/error_type").or_else(|| error.pointer("/details/error_code"));
            text(typed)
        }),
        param: named("param").or(inner.param),
        status: status.or(inner.status),
        prompt_tokens: number(["n_prompt_tokens", "prompt_tokens"]).or(inner.prompt_tokens),
        limit: number(["n_ctx", "max_context_length"]).or(inner.limit),
        failed_generation: named("failed_generation").or(inner.failed_generation),
        retry_after: retry_delay(error).or(inner.retry_after),
        quotas: quotas(error),
    }
}

/// The status that a code stands for; LiteLLM writes it as text.
fn status_in(code: &Value) -> Option<u16> {
    let written = || code.as_str().and_then(|text| text.parse().ok());
    let number = code.as_u64().and_then(|code| u16::try_from(code).ok()).or_else(written);
    number.filter(|status| (100..600).contains(status))
}

/// The error inside: OpenRouter's `metadata.raw`, or a message that is JSON itself.
fn inner(error: &Value, depth: usize) -> Option<ErrorBody> {
    if depth >= DEEPEST {
        return None;
    }
    let raw = error.pointer("/metadata/raw").and_then(Value::as_str);
    let text = raw.or_else(|| error.get("message").and_then(Value::as_str))?;
    let value: Value = serde_json::from_str(text).ok().filter(|value: &Value| value.is_object() || value.is_array())?;
    from_value(&value, depth + 1)
}

fn message(error: &Value) -> Option<String> {
    let value = ["message", "msg", "detail"].into_iter().find_map(|name| error.get(name))?;
    match value {
        Value::String(text) if text.trim_start().starts_with('{') && serde_json::from_str::<Value>(text).is_ok() => {
            None
        }
        Value::String(text) => Some(text.clone()),
        Value::Object(_) => message(value).or_else(|| Some(value.to_string())),
        Value::Array(items) => Some(items.iter().map(complaint).collect::<Vec<_>>().join("; ")),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// One entry of `FastAPI`'s list: where, and what.
fn complaint(item: &Value) -> String {
    let place: Vec<String> = item
        .get("loc")
        .and_then(Value::as_array)
        .map(|loc| loc.iter().filter_map(|step| text(Some(step))).collect())
        .unwrap_or_default();
    let what = text(item.get("msg")).unwrap_or_else(|| item.to_string());
    let kind = text(item.get("type")).map(|kind| format!(" ({kind})")).unwrap_or_default();
    if place.is_empty() { format!("{what}{kind}") } else { format!("{}: {what}{kind}", place.join(".")) }
}

/// Gemini's `RetryInfo`.
fn retry_delay(error: &Value) -> Option<Duration> {
    let details = error.get("details")?.as_array()?;
    let text = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    let seconds: f64 = text.trim_end_matches('s').parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn quotas(error: &Value) -> Vec<String> {
    let details = error.get("details").and_then(Value::as_array);
    details
        .into_iter()
        .flatten()
        .filter_map(|detail| detail.get("violations")?.as_array())
        .flatten()
        .filter_map(|violation| text(violation.get("quotaId")))
        .collect()
}

fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) if text.is_empty() || text == "None" => None,
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
