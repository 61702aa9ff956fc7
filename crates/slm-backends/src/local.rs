//! The usual ports of the usual local servers.

use crate::endpoint::Endpoint;

/// The first local model server that answers: llama.cpp, Ollama, LM Studio, vLLM, SGLang, on their usual ports.
pub async fn find_local() -> Option<Endpoint> {
    None
}
