//! How a call ended, and how it got there.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use slm_repair::{Coercion, Rung};
use slm_schema::{EnforcementReport, Violation};

use crate::attempt::Attempt;
use crate::error::{Error, ErrorKind};
use crate::mechanism::Mechanism;

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Ending {
    /// A document that is valid under the original schema.
    Value(Value),
    /// The model calls a tool, with arguments that are valid under the tool's own schema.
    ToolCall {
        /// Which.
        name: String,
        /// With what.
        arguments: Value,
    },
    /// Text, of a call that asked for no more than that.
    Text(String),
    /// The reply was cut off.
    Truncated {
        /// Where it was cut.
        phase: Phase,
        /// The document, where it had closed by itself before the cut and is valid.
        value: Option<Value>,
    },
    /// The model, or a filter before it, would not answer.
    Refused {
        /// Its words, if it used any.
        message: String,
    },
    /// The reply is no JSON, or breaks the schema.
    Invalid {
        /// What breaks the schema; empty where the reply is no JSON.
        violations: Vec<Violation>,
        /// What is wrong, in one line.
        message: String,
    },
    /// The reply holds nothing.
    Empty,
    /// The model wrote white space without end, and was stopped.
    WhitespaceLoop,
    /// The model repeated itself without end, and was stopped.
    RepetitionLoop,
}

impl Ending {
    /// The ending's name, as documents spell it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Value(_) => "value",
            Self::ToolCall { .. } => "tool_call",
            Self::Text(_) => "text",
            Self::Truncated { .. } => "truncated",
            Self::Refused { .. } => "refused",
            Self::Invalid { .. } => "invalid",
            Self::Empty => "empty",
            Self::WhitespaceLoop => "whitespace_loop",
            Self::RepetitionLoop => "repetition_loop",
        }
    }
}

/// Where a reply was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The root value had closed by itself.
    AfterValue,
    /// Inside the document.
    InValue,
    /// While the model was still thinking.
    InReasoning,
    /// Before the document began.
    BeforeValue,
}

impl Phase {
    /// The phase's name, as documents spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AfterValue => "after_value",
            Self::InValue => "in_value",
            Self::InReasoning => "in_reasoning",
            Self::BeforeValue => "before_value",
        }
    }
}

/// Tokens, as the endpoint counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Usage {
    /// Of the prompt.
    pub prompt_tokens: u64,
    /// Of the reply, reasoning included.
    pub completion_tokens: u64,
}

/// In which part of the reply the answer stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AnswerSource {
    /// Where it belongs.
    #[default]
    Content,
    /// In the reasoning, whole, with no content beside it.
    Reasoning,
    /// In the arguments of a tool call.
    ToolArguments,
    /// In an error that blames the model's output and quotes it.
    FailedGeneration,
}

impl AnswerSource {
    /// The source's name, as documents spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Reasoning => "reasoning",
            Self::ToolArguments => "tool_arguments",
            Self::FailedGeneration => "failed_generation",
        }
    }
}

/// Why the endpoint says it stopped, over all spellings of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// The model was done.
    Stop,
    /// A limit was reached: the cap or the window.
    Length,
    /// It called a tool.
    ToolCalls,
    /// It refused, or a filter stepped in.
    ContentFilter,
    /// The endpoint failed while generating.
    Error,
    /// None of the known ones.
    Other,
}

impl FinishReason {
    /// The reason's name, as documents spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolCalls => "tool_calls",
            Self::ContentFilter => "content_filter",
            Self::Error => "error",
            Self::Other => "other",
        }
    }
}

/// Something about a reply that a caller should know, though there is an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// The reply was cut, after a document that could not have gone on.
    CutAfterValue,
    /// The endpoint counted far fewer prompt tokens than were sent: it probably dropped a part of the prompt.
    PromptTruncated {
        /// Our estimate of what was sent.
        estimated: u64,
        /// What the endpoint counted.
        counted: u64,
    },
}

impl Warning {
    /// The warning's name, as documents spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CutAfterValue => "cut_after_value",
            Self::PromptTruncated { .. } => "prompt_truncated",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutAfterValue => f.write_str("the reply was cut off after its document had closed"),
            Self::PromptTruncated { estimated, counted } => write!(
                f,
                "the endpoint read {counted} prompt tokens of about {estimated}: it probably dropped a part of the prompt"
            ),
        }
    }
}

/// What a call came to.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub(crate) ending: Ending,
    pub(crate) mechanism: Mechanism,
    pub(crate) reading: Reading,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) usage: Option<Usage>,
    pub(crate) report: EnforcementReport,
    pub(crate) finish_reason: Option<FinishReason>,
    pub(crate) finish_reason_raw: Option<String>,
    pub(crate) elapsed: Duration,
    pub(crate) dropped_tool_calls: usize,
}

/// How a reply's text was read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) text: String,
    pub(crate) source: AnswerSource,
    pub(crate) rung: Option<Rung>,
    pub(crate) rungs: Vec<Rung>,
    pub(crate) coercions: Vec<Coercion>,
    pub(crate) warnings: Vec<Warning>,
}

impl Outcome {
    /// The calls that the model wrote after the first one; they were dropped.
    pub fn dropped_tool_calls(&self) -> usize {
        self.dropped_tool_calls
    }

    /// How it ended.
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    /// The valid document, if it ended with one that is whole.
    pub fn value(&self) -> Option<&Value> {
        if let Ending::Value(value) = &self.ending { Some(value) } else { None }
    }

    /// The document as a type of the caller's.
    ///
    /// # Errors
    ///
    /// It did not end with a value (the error says how instead), or the value is not of this type.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let Some(value) = self.value() else {
            let message = match &self.ending {
                Ending::Invalid { message, .. } => format!("there is no value: {message}"),
                Ending::Refused { message } => format!("there is no value: the model refused: {message}"),
                Ending::Truncated { phase, .. } => {
                    format!("there is no value: the reply was cut off ({})", phase.as_str())
                }
                Ending::Value(_)
                | Ending::ToolCall { .. }
                | Ending::Text(_)
                | Ending::Empty
                | Ending::WhitespaceLoop
                | Ending::RepetitionLoop => {
                    format!("there is no value: the reply is {}", self.ending.as_str())
                }
            };
            return Err(Error::new(ErrorKind::Value, message));
        };
        T::deserialize(value)
            .map_err(|error| Error::new(ErrorKind::Value, format!("the value is not of the type asked for: {error}")))
    }

    /// The mechanism of the reply that decided.
    pub fn mechanism(&self) -> Mechanism {
        self.mechanism
    }

    /// The rung of the repair ladder that read the reply; `None` where none did.
    pub fn rung(&self) -> Option<Rung> {
        self.reading.rung
    }

    /// Every rung that changed the reply, in order.
    pub fn rungs(&self) -> &[Rung] {
        &self.reading.rungs
    }

    /// The values that were made to fit the schema, without loss.
    pub fn coercions(&self) -> &[Coercion] {
        &self.reading.coercions
    }

    /// The requests sent for it, in order: re-asks, steps of the ladder and probes that it asked for.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// Tokens, where the endpoint counted them.
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Which rules of the contract the mechanism made sure of.
    pub fn report(&self) -> &EnforcementReport {
        &self.report
    }

    /// In which part of the reply the answer stood.
    pub fn answer_source(&self) -> AnswerSource {
        self.reading.source
    }

    /// Why the endpoint says it stopped.
    pub fn finish_reason(&self) -> Option<FinishReason> {
        self.finish_reason
    }

    /// The same in its own words.
    pub fn finish_reason_raw(&self) -> Option<&str> {
        self.finish_reason_raw.as_deref()
    }

    /// What the caller should know besides.
    pub fn warnings(&self) -> &[Warning] {
        &self.reading.warnings
    }

    /// How long the call took, everything included.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The reply's text as it came.
    pub fn text(&self) -> &str {
        &self.reading.text
    }
}
