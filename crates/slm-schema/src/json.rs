//! A JSON document that keeps the order of its keys.
//!
//! `serde_json::Value` keeps it only if somebody in the dependency graph switched `preserve_order` on; property order is
//! meaning here (a model writes in schema order), so schemas are read into a type of our own.

use std::fmt::{self, Write as _};

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

/// The key under which serde_json hands over a number when some dependent enabled `arbitrary_precision`.
const NUMBER_TOKEN: &str = "$serde_json::private::Number";

/// A JSON value in source order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Json {
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) | Self::Array(_) => None,
        }
    }

    /// The value at a JSON pointer.
    pub(crate) fn at(&self, pointer: &str) -> Option<&Self> {
        pointer.split('/').skip(1).try_fold(self, |value, token| match value {
            Self::Array(items) => items.get(token.parse::<usize>().ok()?),
            Self::Object(_) => value.get(&token.replace("~1", "/").replace("~0", "~")),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::String(_) => None,
        })
    }

    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(*flag),
            Self::Number(number) => Value::Number(number.clone()),
            Self::String(text) => Value::String(text.clone()),
            Self::Array(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Self::Object(members) => {
                Value::Object(members.iter().map(|(name, value)| (name.clone(), value.to_value())).collect())
            }
        }
    }

    /// The same with whole numbers written as such: `1.0` and `1e0` are `1`.
    pub(crate) fn canonical(&self) -> Self {
        match self {
            Self::Number(number) => Self::Number(whole(number).unwrap_or_else(|| number.clone())),
            Self::Array(items) => Self::Array(items.iter().map(Self::canonical).collect()),
            Self::Object(members) => {
                Self::Object(members.iter().map(|(name, value)| (name.clone(), value.canonical())).collect())
            }
            Self::Null | Self::Bool(_) | Self::String(_) => self.clone(),
        }
    }

    /// Appends the canonical spelling: no white space, keys in source order, serde_json's escapes.
    pub(crate) fn write_compact(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Self::Number(number) => out.push_str(&number.to_string()),
            Self::String(text) => write_string(text, out),
            Self::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write_compact(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (i, (name, value)) in members.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    write_string(name, out);
                    out.push(':');
                    value.write_compact(out);
                }
                out.push('}');
            }
        }
    }

    pub(crate) fn compact(&self) -> String {
        let mut out = String::new();
        self.write_compact(&mut out);
        out
    }
}

/// A number without a fraction as an integer, where 64 bits hold it.
fn whole(number: &Number) -> Option<Number> {
    let float = number.as_f64().filter(|_| number.as_i128().is_none())?;
    #[expect(clippy::cast_possible_truncation, reason = "a whole number within the range of i64, as just checked")]
    let whole = (float.fract() == 0.0 && float.abs() < 9e18).then_some(float as i64)?;
    Some(whole.into())
}

/// Appends `text` as a JSON string in canonical spelling: what must be escaped is, nothing else.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => {
                // Writing into a String cannot fail.
                let _infallible = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Json, E> {
        Number::from_f64(number).map(Json::Number).ok_or_else(|| E::custom("a number that is not finite"))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Json, E> {
        Ok(Json::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == NUMBER_TOKEN {
                let digits: String = map.next_value()?;
                return digits.parse().map(Json::Number).map_err(de::Error::custom);
            }
            if !seen.insert(name.clone()) {
                return Err(de::Error::custom(format_args!("the key {name:?} stands twice in one object")));
            }
            members.push((name, map.next_value()?));
        }
        Ok(Json::Object(members))
    }
}
