//! What a caller can do about a failure.

use std::fmt;

use serde::Serialize;

/// What a caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorClass {
    /// It may work if sent again.
    Transient,
    /// It may work later.
    RateLimited,
    /// It will not work as it is.
    Permanent,
    /// Prompt and answer do not fit the model's window.
    ContextOverflow,
    /// The caller's deadline was over, or the call was given up.
    Canceled,
    /// Nothing says which.
    Unknown,
}

impl ErrorClass {
    /// The class's name, as documents spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Transient => "transient",
            Self::RateLimited => "rate_limited",
            Self::Permanent => "permanent",
            Self::ContextOverflow => "context_overflow",
            Self::Canceled => "canceled",
            Self::Unknown => "unknown",
        }
    }

    /// Is a request that failed so sent again?
    pub fn is_retried(self) -> bool {
        match self {
            Self::Transient | Self::RateLimited => true,
            Self::Permanent | Self::ContextOverflow | Self::Canceled | Self::Unknown => false,
        }
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
