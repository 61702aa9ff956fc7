//! What a caller asks for.

use serde_json::{Map, Value};

use crate::error::{Error, ErrorKind};

/// Body fields that decide how the reply is made and read: they are this crate's to send.
const OURS: [&str; 12] = [
    "model",
    "messages",
    "stream",
    "stop",
    "n",
    "tools",
    "tool_choice",
    "response_format",
    "structured_outputs",
    "guided_json",
    "grammar",
    "json_schema",
];

/// A prompt, and how it should be answered. A plain string is one too.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// What the model is asked.
    pub prompt: String,
    /// What stands before it. The contract's description is appended, unless it stands there already.
    pub system: Option<String>,
    /// The cap on the reply's tokens; chosen from the contract's bound if it is not named.
    pub max_tokens: Option<u64>,
    /// The sampling temperature; the endpoint's default if it is not named.
    pub temperature: Option<f64>,
    /// The sampler's seed.
    pub seed: Option<u64>,
    /// Further fields of the request body: thinking switches, sampler settings.
    pub extra: Map<String, Value>,
}

impl Request {
    /// A request with this prompt.
    #[must_use]
    pub fn new(prompt: impl Into<String>) -> Self {
        Self { prompt: prompt.into(), ..Self::default() }
    }

    /// Sets what stands before the prompt.
    #[must_use]
    pub fn system(mut self, system: impl Into<String>) -> Self {
        self.system = Some(system.into());
        self
    }

    /// Caps the reply's tokens.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Sets the sampling temperature.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Sets the sampler's seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Adds a field to the request body.
    #[must_use]
    pub fn extra(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(field.into(), value.into());
        self
    }

    /// Refuses what could not be answered well, before anything is sent.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.prompt.trim().is_empty() {
            return Err(Error::new(ErrorKind::Usage, "the prompt is empty").with_hint("say what the model should do"));
        }
        if self.max_tokens == Some(0) {
            return Err(Error::new(ErrorKind::Usage, "max_tokens is 0: nothing could be answered"));
        }
        if self.temperature.is_some_and(|temperature| !temperature.is_finite() || temperature < 0.0) {
            return Err(Error::new(ErrorKind::Usage, "the temperature is no number from 0 up"));
        }
        match self.extra.keys().find(|field| OURS.contains(&field.as_str())) {
            Some(field) => {
                Err(Error::new(ErrorKind::Usage, format!("the extra field \"{field}\" is set by the call itself"))
                    .with_hint(
                        "the model and the mechanism have settings of their own; stop strings can cut a document",
                    ))
            }
            None => Ok(()),
        }
    }
}

impl From<&str> for Request {
    fn from(prompt: &str) -> Self {
        Self::new(prompt)
    }
}

impl From<String> for Request {
    fn from(prompt: String) -> Self {
        Self::new(prompt)
    }
}

impl From<&String> for Request {
    fn from(prompt: &String) -> Self {
        Self::new(prompt.as_str())
    }
}
