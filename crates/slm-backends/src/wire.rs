//! Values to bytes and back, without any input or output: what is sent, and what an answer says.

pub(crate) mod chat;
pub(crate) mod constraint;
pub(crate) mod error_body;
pub(crate) mod messages;
pub(crate) mod models;
pub(crate) mod ollama;
pub(crate) mod sse;
pub(crate) mod tool_call;
