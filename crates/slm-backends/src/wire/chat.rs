//! A chat request's body.

use serde_json::{Map, Value};

use super::constraint::Field;

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

/// What a chat request says, whoever it is for.
#[derive(Debug)]
pub(crate) struct Chat<'a> {
    pub(crate) model: &'a str,
    pub(crate) messages: &'a [Message],
    /// The cap on the reply's tokens, and the name of its field.
    pub(crate) cap: Option<(&'a str, u64)>,
    pub(crate) temperature: Option<f64>,
    pub(crate) seed: Option<u64>,
    pub(crate) constraint: Option<Field>,
    pub(crate) extra: &'a Map<String, Value>,
}

impl Chat<'_> {
    /// The body as JSON text. A field of `extra` replaces the one of the same name.
    pub(crate) fn body(&self) -> String {
        let mut fields: Vec<Field> = vec![
            ("model".to_owned(), Value::from(self.model).to_string()),
            ("messages".to_owned(), messages(self.messages)),
            ("stream".to_owned(), "false".to_owned()),
        ];
        if let Some((name, cap)) = self.cap {
            fields.push((name.to_owned(), cap.to_string()));
        }
        if let Some(temperature) = self.temperature {
            fields.push(("temperature".to_owned(), Value::from(temperature).to_string()));
        }
        if let Some(seed) = self.seed {
            fields.push(("seed".to_owned(), seed.to_string()));
        }
        fields.retain(|(name, _)| !self.extra.contains_key(name));
        fields.extend(self.extra.iter().map(|(name, value)| (name.clone(), value.to_string())));
        fields.extend(self.constraint.clone());
        object(&fields)
    }
}

fn messages(messages: &[Message]) -> String {
    let texts: Vec<String> = messages
        .iter()
        .map(|message| {
            let text = Value::from(message.text.as_str());
            format!(r#"{{"role":"{}","content":{text}}}"#, message.speaker.as_str())
        })
        .collect();
    format!("[{}]", texts.join(","))
}

fn object(fields: &[Field]) -> String {
    let texts: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str()))).collect();
    format!("{{{}}}", texts.join(","))
}
