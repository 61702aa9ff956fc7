//! Ollama's `format`: the converter of llama.cpp, inside Ollama. Not the cloud models and not the MLX builds, which ignore
//! the field.

use super::llama_cpp;
use super::rules::Rules;

pub(super) const RULES: Rules = llama_cpp::RULES;
