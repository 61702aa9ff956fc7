//! What a call shows to whoever traces it: names by the OpenTelemetry conventions for generative models, and ours beside
//! them. Neither prompts nor replies are among them.

use tracing::Span;
use tracing::field::Empty;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::outcome::Outcome;

/// The span of one call; what is known only at its end is recorded then.
pub(crate) fn span(connection: &Connection, output: &str) -> Span {
    tracing::info_span!(
        "chat",
        otel.kind = "client",
        gen_ai.operation.name = "chat",
        gen_ai.output.r#type = output,
        gen_ai.provider.name = Empty,
        gen_ai.request.model = Empty,
        gen_ai.request.max_tokens = Empty,
        gen_ai.request.temperature = Empty,
        gen_ai.request.seed = Empty,
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        server.address = connection.endpoint.host(),
        error.r#type = Empty,
        slm.mechanism = Empty,
        slm.rung = Empty,
        slm.attempts = Empty,
        slm.ending = Empty,
    )
}

/// What a request asks for, as it is about to be sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) provider: &'a str,
    pub(crate) model: &'a str,
    pub(crate) cap: Option<u64>,
    pub(crate) temperature: Option<f64>,
    pub(crate) seed: Option<u64>,
}

pub(crate) fn asked(span: &Span, asked: Asked<'_>) {
    span.record("gen_ai.provider.name", asked.provider);
    span.record("gen_ai.request.model", asked.model);
    if let Some(cap) = asked.cap {
        span.record("gen_ai.request.max_tokens", cap);
    }
    if let Some(temperature) = asked.temperature {
        span.record("gen_ai.request.temperature", temperature);
    }
    if let Some(seed) = asked.seed {
        span.record("gen_ai.request.seed", seed);
    }
}

/// How the call ended.
pub(crate) fn ended(span: &Span, result: &Result<Outcome, Failure>, attempts: usize) {
    span.record("slm.attempts", attempts);
    match result {
        Ok(outcome) => {
            span.record("slm.mechanism", outcome.mechanism.as_str());
            span.record("slm.ending", outcome.ending.as_str());
            if let Some(rung) = outcome.reading.rung {
                span.record("slm.rung", rung.as_str());
            }
            if let Some(reason) = outcome.finish_reason {
                span.record("gen_ai.response.finish_reasons", reason.as_str());
            }
            if let Some(usage) = outcome.usage {
                span.record("gen_ai.usage.input_tokens", usage.prompt_tokens);
                span.record("gen_ai.usage.output_tokens", usage.completion_tokens);
            }
        }
        Err(failure) => {
            span.record("error.type", failure.class.as_str());
        }
    }
}
