//! The APIs that endpoints speak.

/// Which API is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Api {
    /// OpenAI's chat completions, as most have it.
    Completions,
    /// Anthropic's Messages.
    Messages,
    /// Ollama's own chat.
    OllamaChat,
}
