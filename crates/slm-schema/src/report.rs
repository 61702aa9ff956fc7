//! Who enforces what: one entry for every keyword of a schema under one dialect.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// Who makes sure of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Tier {
    /// Decoding: the rule cannot be violated.
    Grammar,
    /// Decoding, and more than the schema asks: some valid documents cannot be written.
    GrammarStricter,
    /// The validator, after the reply.
    Validator,
    /// The validator; the endpoint would refuse the keyword, so words in the description stand in for it.
    Description,
}

impl Tier {
    /// The tier's name as it stands in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Grammar => "grammar",
            Self::GrammarStricter => "grammar_stricter",
            Self::Validator => "validator",
            Self::Description => "description",
        }
    }
}

/// One keyword at one place of the schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Entry {
    /// JSON pointer to the schema object that holds the keyword.
    pub pointer: String,
    /// The keyword.
    pub keyword: String,
    /// Who enforces it.
    pub tier: Tier,
    /// Why it is not simply `grammar`; empty where it is.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub why: &'static str,
}

/// For every keyword of a schema, who enforces it. Canonical form (order, spelling, no white space) is no entry.
///
/// Copies share their entries: each call carries one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnforcementReport {
    entries: Arc<Vec<Entry>>,
}

impl EnforcementReport {
    pub(crate) fn push(&mut self, pointer: &str, keyword: &str, tier: Tier, why: &'static str) {
        let entry = Entry { pointer: pointer.to_owned(), keyword: keyword.to_owned(), tier, why };
        Arc::make_mut(&mut self.entries).push(entry);
    }

    /// The entries, in the order of the schema text.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries that decoding does not make sure of exactly.
    pub fn exceptions(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.tier != Tier::Grammar)
    }

    /// How many rules decoding makes sure of.
    pub fn enforced(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry.tier, Tier::Grammar | Tier::GrammarStricter)).count()
    }

    /// Does decoding alone make every document valid?
    pub fn is_fully_enforced(&self) -> bool {
        self.enforced() == self.entries.len()
    }
}

impl Serialize for EnforcementReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.entries.as_slice().serialize(serializer)
    }
}

impl fmt::Display for EnforcementReport {
    /// One line: how many keywords decoding makes sure of, and how many are left to the validator.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (enforced, total) = (self.enforced(), self.entries.len());
        if enforced == total {
            write!(f, "all {total} rules enforced while decoding")
        } else {
            let left = total - enforced;
            write!(f, "{enforced} of {total} rules enforced while decoding, {left} checked after the reply")
        }
    }
}
