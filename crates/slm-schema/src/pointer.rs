//! JSON pointers (RFC 6901), grown while walking down a schema or a document.

use std::fmt;

/// A JSON pointer; the empty one names the root.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer(String);

impl Pointer {
    /// The root.
    pub fn root() -> Self {
        Self::default()
    }

    /// This pointer with one more reference token; `~` and `/` are escaped.
    #[must_use]
    pub fn key(&self, token: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + token.len() + 1);
        text.push_str(&self.0);
        text.push('/');
        for c in token.chars() {
            match c {
                '~' => text.push_str("~0"),
                '/' => text.push_str("~1"),
                c => text.push(c),
            }
        }
        Self(text)
    }

    /// This pointer with one more array index.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// The pointer's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Pointer {
    /// A pointer that is escaped already.
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
