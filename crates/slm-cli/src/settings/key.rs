//! The keys of the configuration: their names, what they take, and what they mean.

use slm_backends::{Endpoint, Provider};

/// Values of `structured_decoding` that force prompt and repair alone.
const OFF: [&str; 6] = ["off", "none", "false", "0", "prompt", "prompt-only"];
/// More requests at once than any endpoint takes.
const MOST_PARALLEL: u64 = 1024;
/// Beyond this nobody waits.
const MOST_RETRIES: u64 = 100;
const LONGEST_DELAY_MS: u64 = 600_000;
/// A name is known by fewer slips than this part of its letters.
const NEAR: f64 = 0.6;
/// A variable's name is shorter, or has its words apart; keys are long and have none.
const SHORTEST_KEY: usize = 20;

/// One key of the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    StructuredDecoding,
    MaxParallel,
    LlmRetryCount,
    LlmRetryDelayMs,
    Provider,
    Endpoint,
    Model,
    ApiKeyEnv,
}

impl Key {
    /// In the order in which they are listed.
    pub(crate) const ALL: [Self; 8] = [
        Self::StructuredDecoding,
        Self::MaxParallel,
        Self::LlmRetryCount,
        Self::LlmRetryDelayMs,
        Self::Provider,
        Self::Endpoint,
        Self::Model,
        Self::ApiKeyEnv,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::StructuredDecoding => "structured_decoding",
            Self::MaxParallel => "max_parallel",
            Self::LlmRetryCount => "llm_retry_count",
            Self::LlmRetryDelayMs => "llm_retry_delay_ms",
            Self::Provider => "provider",
            Self::Endpoint => "endpoint",
            Self::Model => "model",
            Self::ApiKeyEnv => "api_key_env",
        }
    }

    /// Other names for it. Case does not matter, and `-`, `.` and `_` are the same.
    pub(crate) fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::StructuredDecoding => &["decoding", "structured"],
            Self::MaxParallel => &["parallel", "concurrency"],
            Self::LlmRetryCount => &["retry_count", "retries"],
            Self::LlmRetryDelayMs => &["retry_delay_ms", "retry_delay"],
            Self::Provider => &["backend"],
            Self::Endpoint => &["url", "base_url"],
            Self::Model => &["model_name"],
            Self::ApiKeyEnv => &["key_env"],
        }
    }

    /// The environment variable that stands above the file.
    pub(crate) fn variable(self) -> String {
        format!("SLMCODE_{}", self.name().to_ascii_uppercase())
    }

    /// What stands above the environment: a flag of the commands that call an endpoint.
    pub(crate) fn flag(self) -> Option<&'static str> {
        match self {
            Self::MaxParallel => Some("--max-parallel"),
            Self::Provider => Some("--provider"),
            Self::Endpoint => Some("--endpoint"),
            Self::Model => Some("--model"),
            Self::StructuredDecoding | Self::LlmRetryCount | Self::LlmRetryDelayMs | Self::ApiKeyEnv => None,
        }
    }

    /// What it takes, in words.
    pub(crate) fn takes(self) -> String {
        match self {
            Self::StructuredDecoding => {
                let [off, others @ ..] = OFF;
                format!("auto, or {off} (also {})", others.join(", "))
            }
            Self::MaxParallel => format!("an integer from 1 to {MOST_PARALLEL}"),
            Self::LlmRetryCount => format!("an integer from 0 to {MOST_RETRIES}"),
            Self::LlmRetryDelayMs => format!("an integer from 0 to {LONGEST_DELAY_MS}"),
            Self::Provider => Provider::ALL.map(Provider::as_str).join(", "),
            Self::Endpoint => "an address such as http://127.0.0.1:8080/v1".to_owned(),
            Self::Model => "a model's name, as the endpoint lists it".to_owned(),
            Self::ApiKeyEnv => "the name of an environment variable, never a key".to_owned(),
        }
    }

    pub(crate) fn default_value(self) -> Option<&'static str> {
        match self {
            Self::StructuredDecoding => Some("auto"),
            Self::MaxParallel => Some("8"),
            Self::LlmRetryCount => Some("2"),
            Self::LlmRetryDelayMs => Some("500"),
            Self::ApiKeyEnv => Some("SLMCODE_API_KEY"),
            Self::Provider | Self::Endpoint | Self::Model => None,
        }
    }

    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::StructuredDecoding => "negotiate the constraint, or force prompt-only JSON and repair",
            Self::MaxParallel => "requests to the endpoint at once",
            Self::LlmRetryCount => "how often a failed request for free text is sent again",
            Self::LlmRetryDelayMs => {
                "the longest first wait before that, in milliseconds; each further one may be twice as long"
            }
            Self::Provider => "what serves the endpoint; found out if not given",
            Self::Endpoint => "the endpoint's address; the usual local ports are looked at if not given",
            Self::Model => "the model; the first that the endpoint lists if not given",
            Self::ApiKeyEnv => "the variable that holds the endpoint's key; SLMCODE_API_KEY stands above it",
        }
    }

    /// Is it written as a number?
    pub(crate) fn is_number(self) -> bool {
        match self {
            Self::MaxParallel | Self::LlmRetryCount | Self::LlmRetryDelayMs => true,
            Self::StructuredDecoding | Self::Provider | Self::Endpoint | Self::Model | Self::ApiKeyEnv => false,
        }
    }

    /// The key of this name or alias.
    pub(crate) fn find(name: &str) -> Option<Self> {
        let name = folded(name);
        Self::ALL.into_iter().find(|key| key.names().any(|known| known == name))
    }

    /// The key of this name, or what to say where there is none.
    pub(crate) fn require(name: &str) -> Result<Self, String> {
        Self::find(name).ok_or_else(|| {
            let shown = name.escape_debug();
            if ["api_key", "key", "token"].contains(&folded(name).as_str()) {
                return "a key is never stored: put it into an environment variable and set api_key_env to its name"
                    .to_owned();
            }
            let known = Self::ALL.map(Self::name).join(", ");
            match Self::nearest(name) {
                Some(near) => format!("there is no key \"{shown}\"; did you mean {near}? The keys are {known}"),
                None => format!("there is no key \"{shown}\"; the keys are {known}"),
            }
        })
    }

    /// The name that was probably meant.
    pub(crate) fn nearest(name: &str) -> Option<&'static str> {
        let name = folded(name);
        let near = |key: Self| {
            key.names().map(|known| strsim::normalized_damerau_levenshtein(known, &name)).fold(0.0, f64::max)
        };
        let best = Self::ALL.into_iter().max_by(|a, b| near(*a).total_cmp(&near(*b)))?;
        (near(best) >= NEAR).then(|| best.name())
    }

    /// The value as it is written, or what is wrong with it and the way out.
    pub(crate) fn check(self, value: &str) -> Result<String, String> {
        let value = value.trim();
        let wrong = || format!("\"{}\" will not do; it takes {}", value.escape_debug(), self.takes());
        let integer = |least: u64, most: u64| match value.parse::<u64>() {
            Ok(number) if (least..=most).contains(&number) => Ok(number.to_string()),
            _ => Err(wrong()),
        };
        match self {
            Self::StructuredDecoding => match value.to_ascii_lowercase().as_str() {
                "auto" => Ok("auto".to_owned()),
                off if OFF.contains(&off) => Ok("off".to_owned()),
                _ => Err(wrong()),
            },
            Self::MaxParallel => integer(1, MOST_PARALLEL),
            Self::LlmRetryCount => integer(0, MOST_RETRIES),
            Self::LlmRetryDelayMs => integer(0, LONGEST_DELAY_MS),
            Self::Provider => value.parse::<Provider>().map(|known| known.as_str().to_owned()).map_err(|_| wrong()),
            // The address as it was given: its query belongs to it.
            Self::Endpoint => match Endpoint::parse(value) {
                Ok(_) => Ok(value.to_owned()),
                Err(error) => Err(crate::settings::with_hint(&error)),
            },
            Self::Model if value.is_empty() || value.chars().any(char::is_control) => Err(wrong()),
            Self::Model => Ok(value.to_owned()),
            Self::ApiKeyEnv => variable_name(value),
        }
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name()).chain(self.aliases().iter().copied())
    }
}

fn folded(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace(['-', '.'], "_")
}

/// The name of a variable. What looks like a key is refused, and not shown.
fn variable_name(value: &str) -> Result<String, String> {
    let is_name = value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    let is_one_word = !value.trim_matches('_').contains('_');
    let looks_like_a_key =
        value.len() >= SHORTEST_KEY && has_digit && (is_one_word || value.contains(|c: char| c.is_ascii_lowercase()));
    if is_name && !looks_like_a_key {
        return Ok(value.to_owned());
    }
    Err("that is no variable's name, and a key is never stored: put the key into an environment variable, and set \
         api_key_env to that variable's name, such as OPENAI_API_KEY"
        .to_owned())
}
