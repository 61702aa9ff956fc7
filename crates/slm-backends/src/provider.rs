//! What is known beforehand about the servers in the field: one file each.
//!
//! A preset is a prior, never a promise. It decides which probes are worth sending and how a request is spelled; what an
//! endpoint enforces is seen on the endpoint.

mod anthropic;
mod anthropic_messages;
mod azure;
mod custom;
mod deepseek;
mod fireworks;
mod gemini;
mod groq;
mod litellm;
mod llama_cpp;
mod lm_studio;
mod mistral;
mod ollama;
mod ollama_chat;
mod omlx;
mod openai;
mod openrouter;
mod sglang;
mod tgi;
mod together;
mod vllm;

use std::fmt;

use serde::{Deserialize, Serialize};
use slm_schema::Dialect;

use crate::api::Api;
use crate::endpoint::Endpoint;
use crate::mechanism::Mechanism;

/// What serves an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
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
    /// oMLX, and the servers for MLX that are like it.
    Omlx,
    /// Hugging Face's text-generation-inference.
    Tgi,
    /// A `LiteLLM` proxy, in front of anything.
    Litellm,
    /// OpenAI itself.
    Openai,
    /// OpenAI's models on Azure.
    Azure,
    /// `OpenRouter`, in front of many.
    Openrouter,
    /// Groq.
    Groq,
    /// Together AI.
    Together,
    /// Fireworks AI.
    Fireworks,
    /// `DeepSeek`.
    Deepseek,
    /// Mistral's own API.
    Mistral,
    /// Gemini, by its OpenAI-like API.
    Gemini,
    /// Anthropic: by its own API at its own host, else by its OpenAI-like API.
    Anthropic,
    /// Anthropic, or whoever speaks its own Messages API.
    AnthropicMessages,
    /// Ollama, by its own API.
    OllamaChat,
    /// Anything else that speaks OpenAI's chat API: every mechanism is worth a probe.
    #[default]
    Custom,
}

/// How a tool is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolForm {
    /// As a function, with its parameters; a choice is a word.
    Function,
    /// The same where no choice can be asked for.
    FunctionWithoutChoice,
    /// With the schema of its input; a choice is an object.
    InputSchema,
}

/// How the key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `Authorization: Bearer …`
    Bearer,
    /// As it is, in a header of this name.
    Named(&'static str),
}

/// Where a schema stands in `response_format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemaForm {
    /// Under `json_schema`, with a name.
    Named,
    /// Under `value`.
    Value,
    /// Under `format`, in `output_config`.
    OutputConfig,
    /// In a field `format` of its own.
    Format,
}

/// Where a grammar stands in the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GrammarForm {
    /// In the field `grammar`.
    Grammar,
    /// In the field `ebnf`.
    Ebnf,
    /// In `response_format`.
    ResponseFormat,
    /// In `structured_outputs`.
    StructuredOutputs,
}

/// How some JSON object is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectForm {
    /// By its type.
    Plain,
    /// As a schema that every object fits.
    AnyObjectSchema,
    /// By its type, with a schema that every object fits beside it.
    Value,
    /// As the word `json` in the field `format`.
    Format,
}

/// When an endpoint answers as a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Streams {
    /// Whenever it is asked to, with the tokens counted at the end.
    Counted,
    /// Whenever it is asked to; the wish for a count is refused.
    Uncounted,
    /// Only where nothing constrains the reply.
    Unconstrained,
}

/// What is known about a provider before it is asked anything.
#[derive(Debug)]
pub(crate) struct Preset {
    pub(crate) api: Api,
    /// The mechanisms worth probing, strongest first.
    pub(crate) prior: &'static [Mechanism],
    /// May our grammar go before its own schema converter, where both are enforced?
    pub(crate) grammar_first: bool,
    /// How it reads a JSON Schema.
    pub(crate) schema_dialect: Dialect,
    pub(crate) schema_form: SchemaForm,
    pub(crate) grammar_form: GrammarForm,
    pub(crate) object_form: ObjectForm,
    pub(crate) streams: Streams,
    /// The name of the token cap.
    pub(crate) cap_field: &'static str,
    /// The name of the seed; empty where there is none.
    pub(crate) seed_field: &'static str,
    /// May a probe set the temperature?
    pub(crate) takes_temperature: bool,
    /// Fields that are always sent, as JSON text.
    pub(crate) fixed: &'static [(&'static str, &'static str)],
    pub(crate) key_header: KeyHeader,
    /// Sent with every request.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    pub(crate) tool_form: ToolForm,
    /// Does `strict` on a tool hold its arguments to their schema?
    pub(crate) strict_tools: bool,
    /// The choice that makes the model call a tool.
    pub(crate) required_tool: &'static str,
    /// The port that it listens on unless told otherwise.
    pub(crate) local_port: Option<u16>,
    /// How one is started; empty where it is not run at home.
    pub(crate) start: &'static str,
    /// Where it tells its version, beside the API.
    pub(crate) version_path: Option<&'static str>,
    /// Words in `owned_by` or the `Server` header that give it away.
    pub(crate) signs: &'static [&'static str],
    /// Hosts that are its own; with a dot in front, every host that ends so.
    pub(crate) hosts: &'static [&'static str],
}

impl Preset {
    /// What holds where nothing else is known: OpenAI's API as most servers have it.
    const PLAIN: Self = Self {
        api: Api::Completions,
        prior: &[],
        grammar_first: false,
        schema_dialect: Dialect::Openai,
        schema_form: SchemaForm::Named,
        grammar_form: GrammarForm::Grammar,
        object_form: ObjectForm::Plain,
        streams: Streams::Counted,
        cap_field: "max_tokens",
        seed_field: "seed",
        takes_temperature: true,
        fixed: &[],
        key_header: KeyHeader::Bearer,
        headers: &[],
        tool_form: ToolForm::Function,
        strict_tools: false,
        required_tool: "required",
        local_port: None,
        start: "",
        version_path: None,
        signs: &[],
        hosts: &[],
    };
}

impl Preset {
    /// Is there a flag `strict` beside a schema?
    pub(crate) fn has_strict(&self) -> bool {
        self.schema_form == SchemaForm::Named
    }

    pub(crate) fn dialect(&self, strict: bool) -> Dialect {
        if self.schema_dialect == Dialect::OpenaiStrict && !strict { Dialect::Openai } else { self.schema_dialect }
    }
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 21] = [
        Self::LlamaCpp,
        Self::Vllm,
        Self::Sglang,
        Self::Ollama,
        Self::LmStudio,
        Self::Omlx,
        Self::Tgi,
        Self::Litellm,
        Self::Openai,
        Self::Azure,
        Self::Openrouter,
        Self::Groq,
        Self::Together,
        Self::Fireworks,
        Self::Deepseek,
        Self::Mistral,
        Self::Gemini,
        Self::Anthropic,
        Self::AnthropicMessages,
        Self::OllamaChat,
        Self::Custom,
    ];

    /// Its name, as flags and documents spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LlamaCpp => "llama_cpp",
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::Ollama => "ollama",
            Self::LmStudio => "lm_studio",
            Self::Omlx => "omlx",
            Self::Tgi => "tgi",
            Self::Litellm => "litellm",
            Self::Openai => "openai",
            Self::Azure => "azure",
            Self::Openrouter => "openrouter",
            Self::Groq => "groq",
            Self::Together => "together",
            Self::Fireworks => "fireworks",
            Self::Deepseek => "deepseek",
            Self::Mistral => "mistral",
            Self::Gemini => "gemini",
            Self::Anthropic => "anthropic",
            Self::AnthropicMessages => "anthropic_messages",
            Self::OllamaChat => "ollama_chat",
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
            Self::Omlx => &omlx::PRESET,
            Self::Tgi => &tgi::PRESET,
            Self::Litellm => &litellm::PRESET,
            Self::Openai => &openai::PRESET,
            Self::Azure => &azure::PRESET,
            Self::Openrouter => &openrouter::PRESET,
            Self::Groq => &groq::PRESET,
            Self::Together => &together::PRESET,
            Self::Fireworks => &fireworks::PRESET,
            Self::Deepseek => &deepseek::PRESET,
            Self::Mistral => &mistral::PRESET,
            Self::Gemini => &gemini::PRESET,
            Self::Anthropic => &anthropic::PRESET,
            Self::AnthropicMessages => &anthropic_messages::PRESET,
            Self::OllamaChat => &ollama_chat::PRESET,
            Self::Custom => &custom::PRESET,
        }
    }

    /// The provider that `sign` (an `owned_by`, a `Server` header) gives away.
    pub(crate) fn from_sign(sign: &str) -> Option<Self> {
        let sign = sign.to_ascii_lowercase();
        Self::ALL.into_iter().find(|provider| provider.preset().signs.iter().any(|known| sign == *known))
    }

    /// The provider of an endpoint, as far as its name, its address, or the API that the address names tell.
    ///
    /// Anthropic's own host is spoken to by its own API, unless the address names the other one.
    pub(crate) fn of(configured: Option<Self>, endpoint: &Endpoint) -> Option<Self> {
        let host = Self::from_host(endpoint.host());
        match (configured.or(host), endpoint.named_api()) {
            (Some(Self::Anthropic) | None, Some(Api::Messages)) => Some(Self::AnthropicMessages),
            (Some(Self::Anthropic), None) if host == Some(Self::Anthropic) => Some(Self::AnthropicMessages),
            (Some(Self::Ollama) | None, Some(Api::OllamaChat)) => Some(Self::OllamaChat),
            (known, _) => known,
        }
    }

    /// The provider whose own host this is.
    fn from_host(host: &str) -> Option<Self> {
        let is_own = |own: &str| if own.starts_with('.') { host.ends_with(own) } else { host == own };
        Self::ALL.into_iter().find(|provider| provider.preset().hosts.iter().any(|own| is_own(own)))
    }

    /// The dialect in which a contract is lowered for a mechanism. Without `strict` OpenAI takes what it refuses with it.
    pub(crate) fn dialect(self, mechanism: Mechanism, strict: bool) -> Dialect {
        match mechanism {
            Mechanism::JsonSchema => self.preset().dialect(strict),
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
