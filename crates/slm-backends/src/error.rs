//! The crate's one error.

use crate::attempt::Attempt;
use crate::class::ErrorClass;

/// What went wrong, for callers that branch on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request cannot be sent as it is: an empty prompt, a body field that belongs to this crate.
    Usage,
    /// The address, a name, a header or the key is not usable.
    Config,
    /// No connection could be made.
    Connect,
    /// The call's own time-out was over.
    Timeout,
    /// A connection stood, and broke; or TLS failed on it.
    Transport,
    /// The endpoint answered with an error, by its status or inside a 200.
    Http,
    /// What came back is not an API's reply.
    Protocol,
    /// The outcome holds no value, or not one of the type asked for.
    Value,
}

/// Why there is no outcome. Its text is one line and holds no key.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Repr>);

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Repr {
    kind: ErrorKind,
    class: ErrorClass,
    message: String,
    hint: Option<String>,
    details: Details,
    attempts: Vec<Attempt>,
}

/// What the endpoint said in numbers and codes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Details {
    pub(crate) status: Option<u16>,
    pub(crate) code: Option<String>,
    pub(crate) prompt_tokens: Option<u64>,
    pub(crate) limit: Option<u64>,
}

impl Error {
    /// An error that sending again does not mend.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Repr {
            kind,
            class: ErrorClass::Permanent,
            message: message.into(),
            hint: None,
            details: Details::default(),
            attempts: Vec::new(),
        }))
    }

    pub(crate) fn with_class(mut self, class: ErrorClass) -> Self {
        self.0.class = class;
        self
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    pub(crate) fn with_details(mut self, details: Details) -> Self {
        self.0.details = details;
        self
    }

    pub(crate) fn with_attempts(mut self, attempts: Vec<Attempt>) -> Self {
        self.0.attempts = attempts;
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What a caller can do about it.
    pub fn class(&self) -> ErrorClass {
        self.0.class
    }

    /// The HTTP status: where an error came inside a 200, the one that it names.
    pub fn status(&self) -> Option<u16> {
        self.0.details.status
    }

    /// The endpoint's own code for it, such as `insufficient_quota`.
    pub fn code(&self) -> Option<&str> {
        self.0.details.code.as_deref()
    }

    /// The way out, in words for a person.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The size of the prompt, where the endpoint named it on a context overflow.
    pub fn prompt_tokens(&self) -> Option<u64> {
        self.0.details.prompt_tokens
    }

    /// The window, where the endpoint named it on a context overflow.
    pub fn limit(&self) -> Option<u64> {
        self.0.details.limit
    }

    /// The requests that were sent before it.
    pub fn attempts(&self) -> &[Attempt] {
        &self.0.attempts
    }
}
