//! Why one request brought no reply. It becomes the call's error if nothing helps.

use std::time::{Duration, SystemTime};

use crate::attempt::Attempt;
use crate::class::ErrorClass;
use crate::classify::{Blame, NO_DATABASE, classify, retry_after};
use crate::endpoint::Endpoint;
use crate::error::{Details, Error, ErrorKind};
use crate::plain::{plain, without_secrets};
use crate::transport::{HttpResponse, TransportError, TransportErrorKind};
use crate::wire::error_body::ErrorBody;

/// Why one request brought no reply.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) kind: ErrorKind,
    pub(crate) class: ErrorClass,
    /// What happened, without the endpoint's name.
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) details: Box<Details>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) blame: Blame,
}

impl Failure {
    pub(crate) fn new(kind: ErrorKind, class: ErrorClass, message: impl Into<String>) -> Self {
        Self {
            kind,
            class,
            message: message.into(),
            hint: None,
            details: Box::default(),
            retry_after: None,
            blame: Blame::Nothing,
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// No answer at all. `start` is how a server of this kind is started here; empty where it runs elsewhere.
    pub(crate) fn from_transport(error: &TransportError, start: &str) -> Self {
        use TransportErrorKind as Kind;
        let words = plain(&error.message);
        let (kind, class) = match error.kind {
            Kind::Refused | Kind::UnknownHost | Kind::Timeout => (ErrorKind::Connect, ErrorClass::Transient),
            Kind::Reset => (ErrorKind::Transport, ErrorClass::Transient),
            Kind::Tls => (ErrorKind::Connect, ErrorClass::Permanent),
            Kind::TooLarge => (ErrorKind::Protocol, ErrorClass::Permanent),
            Kind::Packed => (ErrorKind::Protocol, ErrorClass::Unknown),
            Kind::Unsendable => (ErrorKind::Config, ErrorClass::Permanent),
        };
        let message = match error.kind {
            Kind::Refused => format!("no connection: {words}"),
            Kind::UnknownHost => format!("the host is not known: {words}"),
            Kind::Timeout => format!("no connection in time: {words}"),
            Kind::Reset => format!("the connection broke before the answer was whole: {words}"),
            Kind::Tls => format!("TLS failed: {words}"),
            Kind::Packed => format!("the answer cannot be unpacked: {words}"),
            Kind::TooLarge | Kind::Unsendable => words,
        };
        let hint = match error.kind {
            Kind::Refused | Kind::Timeout if start.is_empty() => {
                "is the server running, the address right, and the network up?".to_owned()
            }
            Kind::Refused | Kind::Timeout => format!("is the server running? start one with `{start}`"),
            Kind::UnknownHost => "check the host in the endpoint's address".to_owned(),
            Kind::Reset => "the server may have crashed, for want of memory for instance: look at its log".to_owned(),
            Kind::Tls => "local servers speak plain HTTP: try http:// in place of https://".to_owned(),
            Kind::Packed => "a proxy between here and the endpoint may have changed the answer".to_owned(),
            Kind::TooLarge => "is it a model's endpoint? no reply is that large".to_owned(),
            Kind::Unsendable => "check the address and the headers".to_owned(),
        };
        Self::new(kind, class, message).with_hint(hint)
    }

    /// An error answer, by its status or by what a success holds.
    pub(crate) fn from_answer(answer: &HttpResponse, body: &ErrorBody, now: SystemTime) -> Self {
        let status = if answer.status < 400 { body.status } else { Some(answer.status) };
        let verdict = classify(status, |name| answer.header(name), body);
        let words = plain(&body.message);
        let said = if words.is_empty() { String::new() } else { format!(": {words}") };
        let message = match status {
            Some(status) if answer.status < 400 => format!("answered {} with an error ({status}){said}", answer.status),
            Some(status) => format!("answered {status}{said}"),
            None => format!("answered {} with an error{said}", answer.status),
        };
        Self {
            hint: hint_for(status, verdict.class, body),
            details: Box::new(Details {
                status: status.or(Some(answer.status)),
                code: body.code.as_deref().or(body.kind.as_deref()).map(plain),
                prompt_tokens: verdict.prompt_tokens,
                limit: verdict.limit,
            }),
            retry_after: retry_after(|name| answer.header(name), body, verdict.class == ErrorClass::RateLimited, now),
            blame: verdict.blame,
            ..Self::new(ErrorKind::Http, verdict.class, message)
        }
    }

    /// Does the model's chat template refuse a system message?
    pub(crate) fn refuses_system(&self) -> bool {
        let message = self.message.to_ascii_lowercase();
        let is_about_role = [
            "system role",
            "system message",
            "role system",
            "role \"system\"",
            "role 'system'",
            "roles must alternate",
        ];
        matches!(self.details.status, Some(400 | 422 | 500))
            && is_about_role.iter().any(|words| message.contains(words))
    }

    /// The same without these texts: a server may quote the key that it was sent.
    pub(crate) fn without(mut self, secrets: &[String]) -> Self {
        self.message = without_secrets(&self.message, secrets);
        self.details.code = self.details.code.as_deref().map(|code| without_secrets(code, secrets));
        self
    }

    /// Does the endpoint refuse the request because it asks for a stream?
    pub(crate) fn refuses_streams(&self) -> bool {
        // Neither `upstream`, of which gateways speak all the time, nor the type that the request accepts.
        let message = self.message.replace("event-stream", "");
        let mut words = message.split(|c: char| !c.is_ascii_alphanumeric());
        matches!(self.details.status, Some(400 | 422 | 501))
            && words.any(|word| ["stream", "streaming", "streams"].iter().any(|known| word.eq_ignore_ascii_case(known)))
    }

    /// Does the endpoint refuse the request for its stop strings? OpenAI's reasoning models do.
    pub(crate) fn refuses_stop(&self) -> bool {
        let message = self.message.to_ascii_lowercase();
        let names_it = message.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "stop");
        let refusals = ["support", "permitted", "allowed", "extra", "unknown", "unexpected", "unrecognized", "invalid"];
        matches!(self.details.status, Some(400 | 422)) && names_it && refusals.iter().any(|word| message.contains(word))
    }

    /// The error that a caller sees: the endpoint's name before the words.
    pub(crate) fn into_error(self, endpoint: &Endpoint, attempts: Vec<Attempt>) -> Error {
        let path_may_lack_version = self.details.status == Some(404) && !endpoint.names_a_version();
        let error = Error::new(self.kind, format!("{endpoint}: {}", self.message))
            .with_class(self.class)
            .with_details(*self.details)
            .with_attempts(attempts);
        match self.hint {
            _ if path_may_lack_version => error.with_hint("the address may lack /v1"),
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

const NO_SUCH_MODEL: &str = "name a model that the endpoint has; `slmcode doctor` lists them";

fn hint_for(status: Option<u16>, class: ErrorClass, body: &ErrorBody) -> Option<String> {
    let message = body.message.to_ascii_lowercase();
    let hint = match (class, status) {
        (ErrorClass::ContextOverflow, _) => {
            "shorten the prompt, or start the server with a larger context window".to_owned()
        }
        // LM Studio answers a wrong path with a 200.
        _ if message.contains("unexpected endpoint") => "the address may lack /v1".to_owned(),
        _ if message.contains("must be 'json_schema'") => {
            "json_schema_supported: the endpoint takes json_schema; name that mechanism, or none".to_owned()
        }
        _ if message.contains("max_tokens") => "ask for fewer tokens: --max-tokens".to_owned(),
        (_, status) if matches!(status, Some(401 | 403)) || body.is_typed(&[NO_DATABASE]) => {
            "set SLMCODE_API_KEY to a key that the endpoint takes".to_owned()
        }
        (ErrorClass::Permanent, Some(402)) => "the account behind the key has no credit left".to_owned(),
        (_, Some(404)) if message.contains("model") => NO_SUCH_MODEL.to_owned(),
        (_, Some(400)) if message.contains("invalid model name") => NO_SUCH_MODEL.to_owned(),
        (_, Some(404 | 405)) => "the address leads to no chat API: check its path".to_owned(),
        (_, Some(413)) => "send less: the endpoint takes no request of this size".to_owned(),
        (ErrorClass::Permanent, Some(429)) => "the quota is used up; waiting does not help".to_owned(),
        (ErrorClass::RateLimited, _) => "send fewer requests at once: --max-parallel".to_owned(),
        (_, Some(503)) if message.contains("loading model") => "the model is still loading: try again".to_owned(),
        _ => return None,
    };
    Some(hint)
}
