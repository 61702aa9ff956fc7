//! How a document is spaced.

/// White space of the documents that a grammar derives. It is never optional: a choice of white space is one more token to
/// refuse at every step, and a model that may write it without end does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Spacing {
    /// None at all: the fewest tokens.
    #[default]
    Compact,
    /// One space behind each comma and colon, as Python's `json.dumps` writes.
    Spaced,
}

impl Spacing {
    pub(super) fn comma(self) -> &'static str {
        match self {
            Self::Compact => ",",
            Self::Spaced => ", ",
        }
    }

    pub(super) fn colon(self) -> &'static str {
        match self {
            Self::Compact => ":",
            Self::Spaced => ": ",
        }
    }
}
