//! What servers tell about themselves without generating anything: `/v1/models`, `/props`, a sign of life, a version.

use serde_json::Value;

/// What `/v1/models` lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Models {
    pub(crate) ids: Vec<String>,
    /// For each of them, what tells this build of it from another one.
    pub(crate) builds: Vec<String>,
    pub(crate) owned_by: Option<String>,
    /// The window of the first model, where it is told.
    pub(crate) window: Option<u64>,
}

/// Reads `/v1/models`; `None` where the text is no such list.
pub(crate) fn read_models(text: &str) -> Option<Models> {
    let value: Value = serde_json::from_str(text).ok()?;
    // OpenAI's form, Ollama's own, or a bare array, as some gateways have it.
    let entries = value.get("data").or_else(|| value.get("models")).unwrap_or(&value).as_array()?;
    let id =
        |entry: &Value| ["id", "name"].iter().find_map(|key| entry.get(key)).and_then(Value::as_str).map(str::to_owned);
    let first = entries.first();
    let window = |entry: &Value| {
        let places = [entry.get("max_model_len"), entry.pointer("/meta/n_ctx"), entry.get("max_context_length")];
        places.into_iter().flatten().find_map(Value::as_u64)
    };
    Some(Models {
        ids: entries.iter().filter_map(id).collect(),
        builds: entries.iter().filter(|entry| id(entry).is_some()).map(build).collect(),
        owned_by: first.and_then(|entry| entry.get("owned_by")).and_then(Value::as_str).map(str::to_owned),
        window: first.and_then(window),
    })
}

/// Not the time of its creation, which some servers set anew with each answer.
fn build(entry: &Value) -> String {
    let places = ["/owned_by", "/root", "/digest", "/max_model_len", "/meta/n_params", "/meta/size", "/meta/n_ctx"];
    let told = places.iter().filter_map(|place| entry.pointer(place).filter(|value| !value.is_null()));
    told.map(Value::to_string).collect::<Vec<_>>().join(" ")
}

/// What llama.cpp's `/props` tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Props {
    pub(crate) window: Option<u64>,
    pub(crate) slots: Option<u64>,
    pub(crate) build: Option<String>,
    /// Does the chat template show tools to the model?
    pub(crate) supports_tools: Option<bool>,
}

/// Reads `/props`; `None` where the text is none of llama.cpp's.
pub(crate) fn read_props(text: &str) -> Option<Props> {
    let value: Value = serde_json::from_str(text).ok()?;
    let settings = value.get("default_generation_settings")?;
    Some(Props {
        window: settings.get("n_ctx").and_then(Value::as_u64),
        slots: value.get("total_slots").and_then(Value::as_u64),
        supports_tools: value.pointer("/chat_template_caps/supports_tools").and_then(Value::as_bool),
        build: value.get("build_info").and_then(Value::as_str).map(str::to_owned),
    })
}

/// Is this what a `LiteLLM` proxy says at `/health/liveliness`? It says it to everyone, with or without a key.
pub(crate) fn is_litellm_alive(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|said: String| said == "I'm alive!")
}

/// Reads `{"version": …}`, or `LiteLLM`'s own word for it.
pub(crate) fn read_version(text: &str) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    let told = ["version", "litellm_version"].iter().find_map(|key| value.get(key));
    told.and_then(Value::as_str).map(str::to_owned)
}
