//! The five ways to hold an endpoint's reply to a contract.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One way to constrain an endpoint, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// `response_format` with a JSON Schema.
    JsonSchema,
    /// vLLM's extra body field: `structured_outputs`, on older versions `guided_json`.
    GuidedJson,
    /// A GBNF grammar.
    GbnfGrammar,
    /// `response_format` that asks for some JSON object.
    JsonObject,
    /// Nothing on the wire: the prompt asks, the repair ladder and the validator do the rest.
    #[default]
    PromptOnly,
}

impl Mechanism {
    /// Every mechanism, strongest first.
    pub const ALL: [Self; 5] =
        [Self::JsonSchema, Self::GuidedJson, Self::GbnfGrammar, Self::JsonObject, Self::PromptOnly];

    /// Its place in the ranking, 1 (strongest) to 5.
    pub fn rank(self) -> u8 {
        match self {
            Self::JsonSchema => 1,
            Self::GuidedJson => 2,
            Self::GbnfGrammar => 3,
            Self::JsonObject => 4,
            Self::PromptOnly => 5,
        }
    }

    /// Its name, as flags and documents spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::JsonSchema => "json_schema",
            Self::GuidedJson => "guided_json",
            Self::GbnfGrammar => "gbnf_grammar",
            Self::JsonObject => "json_object",
            Self::PromptOnly => "prompt_only",
        }
    }

    /// Does it carry the contract's shape, so that a reply under it cannot have another one?
    pub(crate) fn carries_shape(self) -> bool {
        match self {
            Self::JsonSchema | Self::GuidedJson | Self::GbnfGrammar => true,
            Self::JsonObject | Self::PromptOnly => false,
        }
    }
}

impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
