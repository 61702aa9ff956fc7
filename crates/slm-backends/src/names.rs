//! Names as users write them: an unknown one lists those there are.

use std::str::FromStr;

use crate::error::{Error, ErrorKind};
use crate::mechanism::Mechanism;
use crate::provider::Provider;

impl FromStr for Mechanism {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|mechanism| mechanism.as_str() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            Error::new(ErrorKind::Config, format!("\"{}\" is no mechanism; there are {names}", text.escape_debug()))
        })
    }
}

impl FromStr for Provider {
    type Err = Error;

    /// Takes `llama.cpp`, `llama-cpp` and `LlamaCpp` for `llama_cpp`, and so on.
    fn from_str(text: &str) -> Result<Self, Error> {
        let folded = fold(text);
        Self::ALL.into_iter().find(|provider| fold(provider.as_str()) == folded).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            Error::new(ErrorKind::Config, format!("\"{}\" is no provider; there are {names}", text.escape_debug()))
                .with_hint("custom fits everything that speaks OpenAI's chat API")
        })
    }
}

fn fold(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
