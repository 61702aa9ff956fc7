//! One schema object: its keywords, read with their place for error messages.

use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::keywords;
use crate::pointer::Pointer;
use crate::schema::Size;

/// Notes that generators and editors write beside the rules.
const NOTES: [&str; 10] = [
    "example",
    "discriminator",
    "externalDocs",
    "xml",
    "enumNames",
    "enumDescriptions",
    "markdownDescription",
    "errorMessage",
    "defaultSnippets",
    "deprecationMessage",
];

/// A schema object being read.
#[derive(Clone, Copy)]
pub(super) struct Node<'a, 'p> {
    pub(super) members: &'a [(String, Json)],
    pub(super) at: &'p Pointer,
}

impl<'a> Node<'a, '_> {
    pub(super) fn get(self, keyword: &str) -> Option<&'a Json> {
        self.members.iter().find(|(name, _)| name == keyword).map(|(_, value)| value)
    }

    pub(super) fn has(self, keyword: &str) -> bool {
        self.get(keyword).is_some()
    }

    pub(super) fn error(self, kind: ErrorKind, keyword: &str, message: impl Into<String>) -> Error {
        Error::new(kind, message).at(self.at.as_str()).keyword_named(keyword)
    }

    pub(super) fn invalid(self, keyword: &str, message: impl Into<String>) -> Error {
        self.error(ErrorKind::InvalidKeyword, keyword, message)
    }

    pub(super) fn unsatisfiable(self, keyword: &str, message: impl Into<String>) -> Error {
        self.error(ErrorKind::Unsatisfiable, keyword, message)
    }

    /// Refuses a keyword that no draft knows: it is a slip, and a rule that nobody would enforce.
    pub(super) fn check_keywords(self) -> Result<(), Error> {
        let is_note = |name: &str| name.starts_with("x-") || NOTES.contains(&name);
        let stranger = self.members.iter().find(|(name, _)| !keywords::is_known(name) && !is_note(name));
        let Some((name, _)) = stranger else { return Ok(()) };
        let hint = match nearest(name) {
            Some(near) => format!("no draft knows it; did you mean `{near}`?"),
            None => "no draft knows it; remove it, or begin its name with x- if it is a note".to_owned(),
        };
        Err(self.error(ErrorKind::UnsupportedKeyword, name, hint))
    }

    pub(super) fn annotation(self, keyword: &str) -> Result<Option<String>, Error> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.invalid(keyword, "must be a string")),
        }
    }

    pub(super) fn flag(self, keyword: &str) -> Result<bool, Error> {
        match self.get(keyword) {
            None => Ok(false),
            Some(Json::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.invalid(keyword, "must be true or false")),
        }
    }

    pub(super) fn list(self, keyword: &str) -> Result<Option<&'a [Json]>, Error> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Json::Array(items)) => Ok(Some(items)),
            Some(_) => Err(self.invalid(keyword, "must be an array")),
        }
    }

    pub(super) fn map(self, keyword: &str) -> Result<&'a [(String, Json)], Error> {
        match self.get(keyword) {
            None => Ok(&[]),
            Some(Json::Object(members)) => Ok(members),
            Some(_) => Err(self.invalid(keyword, "must be an object")),
        }
    }

    /// `min` and `max` as a size.
    pub(super) fn size(self, min: &str, max: &str) -> Result<Size, Error> {
        let least = self.count(min)?.unwrap_or(0);
        let most = self.count(max)?;
        Size::new(least, most)
            .ok_or_else(|| self.unsatisfiable(min, format!("is {least}, which is more than `{max}` allows")))
    }

    fn count(self, keyword: &str) -> Result<Option<usize>, Error> {
        let Some(json) = self.get(keyword) else { return Ok(None) };
        let whole = match json {
            Json::Number(number) => whole(number).filter(|(_, fraction)| !fraction).map(|(whole, _)| whole),
            Json::Null | Json::Bool(_) | Json::String(_) | Json::Array(_) | Json::Object(_) => None,
        };
        whole
            .and_then(|whole| usize::try_from(whole).ok())
            .map(Some)
            .ok_or_else(|| self.invalid(keyword, "must be a whole number from 0 up"))
    }
}

/// A number rounded down to a whole one, and whether that cut a fraction off; `None` beyond 127 bits.
pub(super) fn whole(number: &serde_json::Number) -> Option<(i128, bool)> {
    if let Some(whole) = number.as_i128() {
        return Some((whole, false));
    }
    let float = number.as_f64()?;
    #[expect(clippy::cast_possible_truncation, reason = "within the range of i128, as just checked")]
    let whole = (float.abs() < 1e38).then(|| float.floor() as i128)?;
    Some((whole, float.fract() != 0.0))
}

/// The rule whose name is a slip away: at most two letters.
fn nearest(name: &str) -> Option<&'static str> {
    keywords::rules()
        .map(|rule| (distance(name, rule), rule))
        .filter(|(distance, _)| *distance <= 2)
        .min()
        .map(|(_, rule)| rule)
}

/// How many letters have to be changed, added or dropped to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for ((to, diagonal), above) in b.iter().zip(&row).zip(row.iter().skip(1)) {
            let left = next.last().copied().unwrap_or(i);
            next.push((diagonal + usize::from(from != *to)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
