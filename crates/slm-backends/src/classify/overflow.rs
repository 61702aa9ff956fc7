//! Does an error say that prompt and answer do not fit the window? By its typed code first, then by its message alone:
//! the rest of a body may quote the prompt, which may say anything.

use crate::wire::error_body::ErrorBody;

/// The numbers that came with an overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Overflow {
    pub(super) prompt: Option<u64>,
    pub(super) limit: Option<u64>,
}

/// Codes and types that mean an overflow whatever the status: OpenAI, llama.cpp, Anthropic, Zhipu, Mistral.
const CODES: [&str; 7] = [
    "context_length_exceeded",
    "exceed_context_size_error",
    "model_context_window_exceeded",
    "context_window_exceeded",
    "request_too_large",
    "1261",
    "3051",
];

/// Messages that name tokens and a limit, and are about something else: a cap, a rate, the length of a field.
const OTHERS: [&str; 11] = [
    "max_tokens is too large",
    "maximum allowed number of output tokens",
    "supports at most",
    "cannot be greater than max_model_len",
    "string too long",
    "string_above_max_length",
    "rate limit",
    "tokens per min",
    "throttling",
    "service unavailable",
    "please wait",
];

/// Where a number stands: right behind these words, or right before them.
#[derive(Debug, Clone, Copy)]
enum Mark {
    After(&'static str),
    Before(&'static str),
}

use Mark::{After, Before};

/// One server's wording, and where its numbers stand.
struct Wording {
    words: &'static str,
    prompt: &'static [Mark],
    limit: &'static [Mark],
}

const fn wording(words: &'static str, prompt: &'static [Mark], limit: &'static [Mark]) -> Wording {
    Wording { words, prompt, limit }
}

#[rustfmt::skip]
const WORDINGS: &[Wording] = &[
    // OpenAI, vLLM, OpenRouter. The tokens asked for include the answer's, so the messages' own come first.
    wording("maximum context length is", &[Before("in the messages"), After("prompt contains at least"), After("prompt contains"), After("requested about"), After("you requested")], &[After("maximum context length is")]),
    wording("input tokens exceed the configured limit", &[After("resulted in")], &[After("configured limit of")]),
    wording("reduce the length of the messages", &[], &[]),
    // vLLM.
    wording("context length is only", &[After("you passed")], &[After("context length is only")]),
    wording("longer than the maximum model length", &[After("prompt (length")], &[After("maximum model length of")]),
    // SGLang, Together.
    wording("longer than the model's context length", &[After("the input")], &[After("context length")]),
    wording("exceeds the model's maximum context length", &[], &[After("maximum context length of")]),
    wording("exceeds the maximum allowed length", &[After("input length")], &[After("maximum allowed length")]),
    // llama.cpp.
    wording("exceeds the available context size", &[After("request")], &[After("context size")]),
    wording("context size has been exceeded", &[], &[]),
    // Ollama.
    wording("longer than the context length currently available", &[], &[]),
    wording("exceeded max context length", &[], &[]),
    // LM Studio.
    wording("is greater than the context length", &[After("n_keep")], &[After("n_ctx")]),
    wording("when context the overflows", &[After("keep the first")], &[]),
    // TGI.
    wording("`inputs` tokens + `max_new_tokens` must be", &[After("given")], &[After("must be <=")]),
    wording("`inputs` must have less than", &[After("given")], &[After("less than")]),
    // Anthropic, Fireworks.
    wording("prompt is too long", &[After("too long")], &[After("tokens >")]),
    wording("exceed context limit", &[After("context limit")], &[After(">")]),
    // Gemini.
    wording("exceeds the maximum number of tokens allowed", &[After("input token count")], &[After("tokens allowed")]),
    // Mistral.
    wording("maximum context length", &[After("prompt contains")], &[After("model with"), After("maximum context length of")]),
    // xAI.
    wording("maximum prompt length is", &[After("request contains")], &[After("maximum prompt length is")]),
    // Kimi, MiniMax, Zhipu, DashScope, Copilot, Cerebras, Bedrock.
    wording("exceeded model token limit", &[], &[After("token limit")]),
    wording("context window exceeds limit", &[], &[]),
    wording("prompt 超长", &[], &[]),
    wording("range of input length should be", &[], &[After("[1,")]),
    wording("prompt token count of", &[After("token count of")], &[After("limit of")]),
    wording("while limit is", &[After("current length is")], &[After("limit is")]),
    wording("input is too long", &[], &[]),
    wording("too many input tokens", &[], &[]),
    // LiteLLM puts the type into the message.
    wording("contextwindowexceedederror", &[], &[]),
];

pub(super) fn find(status: Option<u16>, body: &ErrorBody) -> Option<Overflow> {
    let message = body.message.to_lowercase();
    let wording = WORDINGS.iter().find(|wording| message.contains(wording.words));
    let typed = body.is_typed(&CODES);
    if !typed && (!may_be_overflow(status) || OTHERS.iter().any(|other| message.contains(other))) {
        return None;
    }
    let number = |marks: &[Mark]| marks.iter().find_map(|mark| number_at(&message, *mark));
    match wording {
        Some(wording) => Some(Overflow {
            prompt: body.prompt_tokens.or_else(|| number(wording.prompt)),
            limit: body.limit.or_else(|| number(wording.limit)),
        }),
        None if typed => Some(Overflow { prompt: body.prompt_tokens, limit: body.limit }),
        None => None,
    }
}

/// A 5xx with such a sentence quotes a layer below that may be well again in a moment; a 429 speaks of rates.
fn may_be_overflow(status: Option<u16>) -> bool {
    matches!(status, None | Some(400 | 404 | 413 | 422))
}

fn number_at(message: &str, mark: Mark) -> Option<u64> {
    let (After(words) | Before(words)) = mark;
    // What a proxy puts before a server's words may hold them too, without a number.
    message.match_indices(words).find_map(|(place, words)| {
        let (before, rest) = message.split_at_checked(place)?;
        let number = match mark {
            After(_) => {
                let rest = rest.get(words.len()..)?;
                digits(rest.trim_start_matches(|c: char| !c.is_alphanumeric()).chars())?
            }
            Before(_) => {
                let reversed = digits(before.trim_end_matches(|c: char| !c.is_alphanumeric()).chars().rev())?;
                reversed.chars().rev().collect()
            }
        };
        number.parse().ok()
    })
}

/// The digits at the start; commas group them.
fn digits(characters: impl Iterator<Item = char>) -> Option<String> {
    let digits: String =
        characters.take_while(|c| c.is_ascii_digit() || *c == ',').filter(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}
