//! From an error answer to what a caller can do about it.

mod calendar;
mod overflow;
mod reset;
mod retry_after;

pub(crate) use retry_after::retry_after;

use crate::class::ErrorClass;
use crate::wire::error_body::ErrorBody;

/// What an error answer comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) class: ErrorClass,
    pub(crate) prompt_tokens: Option<u64>,
    pub(crate) limit: Option<u64>,
    /// Whom the body blames.
    pub(crate) blame: Blame,
}

/// Whom an error body blames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blame {
    /// The constraint: its field or its schema is named.
    Constraint,
    /// The request, without saying what about it.
    Request,
    /// Neither.
    Nothing,
}

/// Codes that say that money or a budget is used up: waiting does not help.
const QUOTA_CODES: [&str; 5] = [
    "insufficient_quota",
    "enforced_spend_limit_reached",
    "billing_hard_limit_reached",
    "billing_not_active",
    "insufficient_balance",
];

/// What `LiteLLM` says of a key that it does not know, where it has no database.
pub(crate) const NO_DATABASE: &str = "no_db_connection";

/// Words by which servers name a constraint.
const CONSTRAINT_WORDS: [&str; 9] = [
    "response_format",
    "response format",
    "json_schema",
    "json_object",
    "guided_",
    "grammar",
    "structured_output",
    "structured output",
    "json schema",
];

/// Words by which a 5xx shows that the request is at fault, not the server.
const BLAMING_WORDS: [&str; 5] =
    ["failed to parse tools", "cannot use both", "badrequesterror", "invalid_request_error", "validation error"];

/// Classifies an error answer. `header` looks up a header by its name in lower case; `status` is the one of the answer,
/// or the one that an error inside a success names.
pub(crate) fn classify<'h>(status: Option<u16>, header: impl Fn(&str) -> Option<&'h str>, body: &ErrorBody) -> Verdict {
    if let Some(overflow) = overflow::find(status, body) {
        let class = ErrorClass::ContextOverflow;
        return Verdict { class, prompt_tokens: overflow.prompt, limit: overflow.limit, blame: Blame::Nothing };
    }
    let blame = blame(status, body);
    let class = class(status, header, body, blame);
    Verdict { class, prompt_tokens: None, limit: None, blame }
}

fn class<'h>(
    status: Option<u16>,
    header: impl Fn(&str) -> Option<&'h str>,
    body: &ErrorBody,
    blame: Blame,
) -> ErrorClass {
    let message = body.message.to_ascii_lowercase();
    if is_used_up(body, &message) {
        return ErrorClass::Permanent;
    }
    let Some(status) = status else { return class_by_name(body, &message) };
    match (header("x-should-retry"), status) {
        (Some("false"), _) => return ErrorClass::Permanent,
        (Some("true"), 429) => return ErrorClass::RateLimited,
        (Some("true"), _) => return ErrorClass::Transient,
        _ => {}
    }
    let asked_to_wait = ["retry-after", "retry-after-ms", "x-ms-retry-after-ms", "llm_provider-retry-after"]
        .iter()
        .any(|name| header(name).is_some());
    match status {
        429 => ErrorClass::RateLimited,
        500.. if blame != Blame::Nothing => ErrorClass::Permanent,
        402 | 408 | 409 | 425 | 498 | 500.. if asked_to_wait => ErrorClass::RateLimited,
        408 | 409 | 424 | 425 | 498 | 500.. => ErrorClass::Transient,
        400..=499 => ErrorClass::Permanent,
        _ => ErrorClass::Unknown,
    }
}

/// Is money, a daily quota or a fixed budget used up, so that waiting cannot help?
fn is_used_up(body: &ErrorBody, message: &str) -> bool {
    body.is_typed(&QUOTA_CODES)
        || message.contains("exceeded your current quota") && body.quotas.is_empty() && body.retry_after.is_none()
        || body.quotas.iter().any(|quota| quota.contains("PerDay"))
        // Groq: one request alone is larger than the budget of a minute.
        || message.contains("request too large for model")
}

/// An error inside a success may name no status.
fn class_by_name(body: &ErrorBody, message: &str) -> ErrorClass {
    let typed = [body.code.as_deref(), body.kind.as_deref()];
    let named = |words: &[&str]| {
        let in_types = typed.iter().flatten().any(|name| {
            let name = name.to_ascii_lowercase();
            words.iter().any(|word| name.contains(word))
        });
        in_types || words.iter().any(|word| message.contains(word))
    };
    if named(&["rate_limit", "rate limit", "too many requests", "throttl"]) {
        ErrorClass::RateLimited
    } else if named(&["overloaded", "server_error", "unavailable", "loading model", "timeout"]) {
        ErrorClass::Transient
    } else if named(&["invalid_request", "authentication", "permission", "not_found", "unexpected endpoint"]) {
        ErrorClass::Permanent
    } else {
        ErrorClass::Unknown
    }
}

fn blame(status: Option<u16>, body: &ErrorBody) -> Blame {
    // A proxy without a database cannot look up a key that is not its own: a 401 in other words.
    if body.is_typed(&[NO_DATABASE]) {
        return Blame::Nothing;
    }
    let texts = [Some(body.message.as_str()), body.param.as_deref(), body.code.as_deref(), body.kind.as_deref()];
    let all = texts.into_iter().flatten().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let names_field = CONSTRAINT_WORDS.iter().any(|word| all.contains(word));
    // In a 5xx these may be about anything, a database for one.
    let names_constraint = names_field || ["schema", "strict"].iter().any(|word| has_word(&all, word));
    match status {
        Some(400 | 422) if names_constraint => Blame::Constraint,
        Some(400 | 422) => Blame::Request,
        Some(500..) if names_field && !is_output_failure(&all) => Blame::Constraint,
        Some(500..) if BLAMING_WORDS.iter().any(|word| all.contains(word)) => Blame::Request,
        _ => Blame::Nothing,
    }
}

/// The server's own parser did not like what the model wrote: the next reply may be another one.
fn is_output_failure(text: &str) -> bool {
    text.contains("does not match the expected")
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == word)
}
