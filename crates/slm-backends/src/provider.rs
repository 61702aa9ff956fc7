//! What is known beforehand about the servers in the field: one file each.
//!
//! A preset is a prior, never a promise. It decides which probes are worth sending and how a request is spelled; what an
//! endpoint enforces is seen on the endpoint.

mod custom;
mod llama_cpp;
mod lm_studio;
mod ollama;
mod openai;
mod sglang;
mod vllm;

use std::fmt;

use serde::Serialize;
use slm_schema::Dialect;

use crate::mechanism::Mechanism;

/// What serves an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Provider {
    /// llama.cpp's own server.
    LlamaCpp,
    /// vLLM.
    Vllm,
    /// SGLang.
    Sglang,
    /// Ollama, by its OpenAI-like API.
    Ollama,
    /// LM Studio.
    LmStudio,
    /// OpenAI itself.
    Openai,
    /// Anything else that speaks OpenAI's chat API: every mechanism is worth a probe.
    #[default]
    Custom,
}

/// What is known about a provider before it is asked anything.
#[derive(Debug)]
pub(crate) struct Preset {
    /// The mechanisms worth probing, strongest first.
    pub(crate) prior: &'static [Mechanism],
    /// May our grammar go before its own schema converter, where both are enforced?
    pub(crate) grammar_first: bool,
    /// How it reads a JSON Schema.
    pub(crate) schema_dialect: Dialect,
    /// The name of the token cap.
    pub(crate) cap_field: &'static str,
    /// The port that it listens on unless told otherwise.
    pub(crate) local_port: Option<u16>,
    /// How one is started.
    pub(crate) start: &'static str,
    /// Where it tells its version, beside the API.
    pub(crate) version_path: Option<&'static str>,
    /// Words in `owned_by` or the `Server` header that give it away.
    pub(crate) signs: &'static [&'static str],
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 7] =
        [Self::LlamaCpp, Self::Vllm, Self::Sglang, Self::Ollama, Self::LmStudio, Self::Openai, Self::Custom];

    /// Its name, as flags and documents spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LlamaCpp => "llama_cpp",
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::Ollama => "ollama",
            Self::LmStudio => "lm_studio",
            Self::Openai => "openai",
            Self::Custom => "custom",
        }
    }

    pub(crate) fn preset(self) -> &'static Preset {
        match self {
            Self::LlamaCpp => &llama_cpp::PRESET,
            Self::Vllm => &vllm::PRESET,
            Self::Sglang => &sglang::PRESET,
            Self::Ollama => &ollama::PRESET,
            Self::LmStudio => &lm_studio::PRESET,
            Self::Openai => &openai::PRESET,
            Self::Custom => &custom::PRESET,
        }
    }

    /// The provider that `sign` (an `owned_by`, a `Server` header) gives away.
    pub(crate) fn from_sign(sign: &str) -> Option<Self> {
        let sign = sign.to_ascii_lowercase();
        Self::ALL.into_iter().find(|provider| provider.preset().signs.iter().any(|known| sign == *known))
    }

    /// The dialect in which a contract is lowered for a mechanism.
    pub(crate) fn dialect(self, mechanism: Mechanism) -> Dialect {
        match mechanism {
            Mechanism::JsonSchema => self.preset().schema_dialect,
            Mechanism::GuidedJson => Dialect::Vllm,
            Mechanism::GbnfGrammar => Dialect::Gbnf,
            Mechanism::JsonObject => Dialect::JsonObject,
            Mechanism::PromptOnly => Dialect::PromptOnly,
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
