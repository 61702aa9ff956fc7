//! What a caller asks for.

use serde_json::{Map, Value};

use crate::error::{Error, ErrorKind};
use crate::stop::may_cut;

/// Body fields that decide how the reply is made and read: they are this crate's to send.
const OURS: [&str; 15] = [
    "model",
    "messages",
    "stream",
    "stop",
    "stop_sequences",
    "n",
    "tools",
    "tool_choice",
    "response_format",
    "format",
    "ebnf",
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
    /// Strings at which the endpoint ends the reply. Beside a contract only those are taken that no JSON document can hold,
    /// and they are not sent to models that think first, nor where the endpoint refuses them.
    pub stop: Vec<String>,
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

    /// Adds a string at which the endpoint ends the reply.
    #[must_use]
    pub fn stop(mut self, stop: impl Into<String>) -> Self {
        self.stop.push(stop.into());
        self
    }

    /// Adds a field to the request body.
    #[must_use]
    pub fn extra(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(field.into(), value.into());
        self
    }

    /// The same for a call whose reply is a document: no stop string may cut it.
    pub(crate) fn check_structured(&self) -> Result<(), Error> {
        self.check()?;
        match self.stop.iter().find(|stop| may_cut(stop)) {
            Some(stop) => {
                let message = format!("the stop string \"{}\" could occur inside the document", stop.escape_debug());
                Err(Error::new(ErrorKind::Usage, message).with_hint(
                    "leave it out, or take one with a line break beside what JSON cannot hold, such as \"\\n## \"",
                ))
            }
            None => Ok(()),
        }
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
                    .with_hint("the model, the mechanism and stop strings have settings of their own"))
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
