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
    /// For people: each member on a line of its own, two spaces further in than its container, as `serde_json` and
    /// `jq` write. Where the depth does not follow from the schema (behind a `$ref`, in any value) it is as
    /// [`Spaced`](Self::Spaced), so the white space is bounded.
    Pretty,
}

/// The white space at one place of a document.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Layout {
    spacing: Spacing,
    /// How many containers are open; `None` where the rule may stand at several depths.
    depth: Option<usize>,
}

impl Layout {
    pub(super) fn new(spacing: Spacing) -> Self {
        Self { spacing, depth: Some(0) }
    }

    /// Inside a container that stands here.
    pub(super) fn inside(self) -> Self {
        Self { depth: self.depth.map(|depth| depth + 1), ..self }
    }

    /// In a rule that may stand at several depths.
    pub(super) fn anywhere(self) -> Self {
        Self { depth: None, ..self }
    }

    pub(super) fn colon(self) -> &'static str {
        match self.spacing {
            Spacing::Compact => ":",
            Spacing::Spaced | Spacing::Pretty => ": ",
        }
    }

    /// Between two members.
    pub(super) fn comma(self) -> String {
        match (self.spacing, self.depth) {
            (Spacing::Compact, _) => ",".to_owned(),
            (Spacing::Pretty, Some(depth)) => format!(",{}", line(depth)),
            (Spacing::Spaced | Spacing::Pretty, _) => ", ".to_owned(),
        }
    }

    /// Before the first member, if there is one.
    pub(super) fn before(self) -> String {
        self.line_at(0)
    }

    /// Behind the last member, if there is one.
    pub(super) fn behind(self) -> String {
        self.line_at(1)
    }

    fn line_at(self, outwards: usize) -> String {
        match (self.spacing, self.depth) {
            (Spacing::Pretty, Some(depth)) => line(depth.saturating_sub(outwards)),
            (Spacing::Compact | Spacing::Spaced | Spacing::Pretty, _) => String::new(),
        }
    }
}

fn line(depth: usize) -> String {
    format!("\n{}", "  ".repeat(depth))
}
