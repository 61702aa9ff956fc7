//! A chat request's body.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::constraint::Field;
use crate::api::Api;
use crate::provider::Preset;

/// Who says something in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    System,
    User,
    Assistant,
}

impl Speaker {
    fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) speaker: Speaker,
    pub(crate) text: String,
}

impl Message {
    pub(crate) fn new(speaker: Speaker, text: impl Into<String>) -> Self {
        Self { speaker, text: text.into() }
    }
}

/// How a reply is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// In one piece.
    Whole,
    /// As a stream.
    Stream,
    /// As a stream, with the tokens counted at its end.
    StreamWithUsage,
}

/// What a chat request says, whoever it is for.
#[derive(Debug)]
pub(crate) struct Chat<'a> {
    pub(crate) model: &'a str,
    pub(crate) messages: &'a [Message],
    /// The cap on the reply's tokens, and the name of its field.
    pub(crate) cap: Option<(&'a str, u64)>,
    pub(crate) temperature: Option<f64>,
    pub(crate) seed: Option<u64>,
    /// Strings that end the reply.
    pub(crate) stop: &'a [String],
    pub(crate) constraint: Option<Field>,
    /// The fields that carry tools; never beside a constraint.
    pub(crate) tools: Vec<Field>,
    pub(crate) delivery: Delivery,
    pub(crate) api: Api,
    /// How the seed is called here; empty where there is none.
    pub(crate) seed_field: &'a str,
    /// Fields that this kind of endpoint always gets, as JSON text.
    pub(crate) fixed: &'a [(&'a str, &'a str)],
    pub(crate) extra: &'a Map<String, Value>,
}

static NOTHING: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

impl<'a> Chat<'a> {
    /// A request with these messages, and what the preset asks for; nothing else is set.
    pub(crate) fn new(model: &'a str, messages: &'a [Message], cap: Option<u64>, preset: &'a Preset) -> Self {
        Self {
            model,
            messages,
            cap: cap.map(|cap| (preset.cap_field, cap)),
            temperature: None,
            seed: None,
            seed_field: preset.seed_field,
            stop: &[],
            constraint: None,
            tools: Vec::new(),
            delivery: Delivery::Whole,
            api: preset.api,
            fixed: preset.fixed,
            extra: &NOTHING,
        }
    }

    /// The body as JSON text. A field of `extra` replaces the one of the same name.
    pub(crate) fn body(&self) -> String {
        match self.api {
            Api::Completions => self.completions(),
            Api::Messages => super::messages::body(self),
            Api::OllamaChat => super::ollama::body(self),
        }
    }

    fn completions(&self) -> String {
        let mut fields: Vec<Field> = vec![
            ("model".to_owned(), Value::from(self.model).to_string()),
            ("messages".to_owned(), messages(self.messages)),
            ("stream".to_owned(), (self.delivery != Delivery::Whole).to_string()),
        ];
        if self.delivery == Delivery::StreamWithUsage {
            fields.push(("stream_options".to_owned(), r#"{"include_usage":true}"#.to_owned()));
        }
        if let Some((name, cap)) = self.cap {
            fields.push((name.to_owned(), cap.to_string()));
        }
        if let Some(temperature) = self.temperature {
            fields.push(("temperature".to_owned(), Value::from(temperature).to_string()));
        }
        if let Some(seed) = self.seed.filter(|_| !self.seed_field.is_empty()) {
            fields.push((self.seed_field.to_owned(), seed.to_string()));
        }
        if !self.stop.is_empty() {
            fields.push(("stop".to_owned(), Value::from(self.stop).to_string()));
        }
        fields.extend(self.fixed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        fields.retain(|(name, _)| !self.extra.contains_key(name));
        fields.extend(self.extra.iter().map(|(name, value)| (name.clone(), value.to_string())));
        fields.extend(self.constraint.clone());
        fields.extend(self.tools.iter().cloned());
        object(&fields)
    }
}

pub(super) fn messages(messages: &[Message]) -> String {
    let texts: Vec<String> = messages
        .iter()
        .map(|message| {
            let text = Value::from(message.text.as_str());
            format!(r#"{{"role":"{}","content":{text}}}"#, message.speaker.as_str())
        })
        .collect();
    format!("[{}]", texts.join(","))
}

pub(super) fn object(fields: &[Field]) -> String {
    let texts: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str()))).collect();
    format!("{{{}}}", texts.join(","))
}
