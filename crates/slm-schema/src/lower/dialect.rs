//! The dialects by name.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::rules::{Rules, is_dispensable};
use super::{
    anthropic, gemini, groq, json_object, llama_cpp, lm_studio, ollama, openai, openai_strict, prompt_only, sglang,
    tgi, vllm,
};
use crate::error::{Error, ErrorKind};

/// How an endpoint reads a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Dialect {
    /// A JSON Schema for OpenAI with `strict: true`.
    OpenaiStrict,
    /// A JSON Schema for a server of which no more is known than that it speaks OpenAI's `json_schema`.
    Openai,
    /// A JSON Schema for vLLM.
    Vllm,
    /// A JSON Schema for SGLang.
    Sglang,
    /// A JSON Schema for llama.cpp's own converter.
    LlamaCpp,
    /// A JSON Schema for LM Studio.
    LmStudio,
    /// A JSON Schema for Ollama.
    Ollama,
    /// A JSON Schema for Text Generation Inference.
    Tgi,
    /// A JSON Schema for Groq with `strict: true`.
    Groq,
    /// A JSON Schema for Gemini.
    Gemini,
    /// A JSON Schema for Anthropic's `output_config`.
    Anthropic,
    /// A GBNF grammar made by this crate.
    Gbnf,
    /// Some JSON object, no schema.
    JsonObject,
    /// Nothing on the wire.
    PromptOnly,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 14] = [
        Self::OpenaiStrict,
        Self::Openai,
        Self::Vllm,
        Self::Sglang,
        Self::LlamaCpp,
        Self::LmStudio,
        Self::Ollama,
        Self::Tgi,
        Self::Groq,
        Self::Gemini,
        Self::Anthropic,
        Self::Gbnf,
        Self::JsonObject,
        Self::PromptOnly,
    ];

    /// The dialect's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenaiStrict => "openai_strict",
            Self::Openai => "openai",
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::LlamaCpp => "llama_cpp",
            Self::LmStudio => "lm_studio",
            Self::Ollama => "ollama",
            Self::Tgi => "tgi",
            Self::Groq => "groq",
            Self::Gemini => "gemini",
            Self::Anthropic => "anthropic",
            Self::Gbnf => "gbnf",
            Self::JsonObject => "json_object",
            Self::PromptOnly => "prompt_only",
        }
    }

    /// Can a schema be sent without this keyword, where an endpoint refuses it? What gives a document its shape cannot be
    /// left out, and a grammar leaves out nothing.
    pub fn can_do_without(self, keyword: &str) -> bool {
        self.rules().is_some_and(|rules| is_dispensable(rules, keyword))
    }

    /// What becomes of a schema in this dialect; our grammar is compiled, not rewritten.
    pub(super) fn rules(self) -> Option<&'static Rules> {
        match self {
            Self::OpenaiStrict => Some(&openai_strict::RULES),
            Self::Openai => Some(&openai::RULES),
            Self::Vllm => Some(&vllm::RULES),
            Self::Sglang => Some(&sglang::RULES),
            Self::LlamaCpp => Some(&llama_cpp::RULES),
            Self::LmStudio => Some(&lm_studio::RULES),
            Self::Ollama => Some(&ollama::RULES),
            Self::Tgi => Some(&tgi::RULES),
            Self::Groq => Some(&groq::RULES),
            Self::Gemini => Some(&gemini::RULES),
            Self::Anthropic => Some(&anthropic::RULES),
            Self::JsonObject => Some(&json_object::RULES),
            Self::PromptOnly => Some(&prompt_only::RULES),
            Self::Gbnf => None,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = Error;

    /// # Errors
    ///
    /// No dialect has that name; the error lists the names.
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|dialect| dialect.as_str() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|dialect| dialect.as_str()).collect();
            let message =
                format!("no dialect is named \"{}\"; the dialects are: {}", name.escape_debug(), known.join(", "));
            Error::new(ErrorKind::UnknownDialect, message)
        })
    }
}
