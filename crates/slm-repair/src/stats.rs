//! Counters of what repairs came to: recorded without a lock, merged, and written down.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, ErrorKind};
use crate::repaired::Repaired;
use crate::rung::Rung;

/// What a reply came to, as far as it matters for what is done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fingerprint {
    /// It was JSON as it came.
    Valid,
    /// A rung fixed it.
    Repaired,
    /// It was cut off.
    Truncated,
    /// A document is there, and is none.
    Invalid,
    /// There is no document.
    NoJson,
    /// There is more than one reading.
    Ambiguous,
    /// It is nested too deeply.
    TooDeep,
}

/// What to do about a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// Nothing: there is a value.
    None,
    /// Ask again with more room for the reply.
    RaiseMaxTokens,
    /// Ask again, and say what was wrong.
    Reask,
}

impl Fingerprint {
    /// Of what a repair gave.
    pub fn of(result: &Result<Repaired, Error>) -> Self {
        match result {
            Ok(repaired) if repaired.rung == Rung::None => Self::Valid,
            Ok(_) => Self::Repaired,
            Err(error) => match error.kind() {
                ErrorKind::Truncated => Self::Truncated,
                ErrorKind::Invalid => Self::Invalid,
                ErrorKind::NoJson => Self::NoJson,
                ErrorKind::Ambiguous => Self::Ambiguous,
                ErrorKind::TooDeep => Self::TooDeep,
            },
        }
    }

    /// What to do about such a reply.
    pub fn action(self) -> Action {
        match self {
            Self::Valid | Self::Repaired => Action::None,
            Self::Truncated => Action::RaiseMaxTokens,
            Self::Invalid | Self::NoJson | Self::Ambiguous | Self::TooDeep => Action::Reask,
        }
    }
}

const RUNGS: usize = Rung::ALL.len();

/// Counts repairs. Recording takes no lock, so one may be shared by all calls.
///
/// ```
/// use slm_repair::{RepairStats, repair};
///
/// let stats = RepairStats::default();
/// for text in ["[1]", "[1,]", "[1"] {
///     stats.record(&repair(text));
/// }
/// stats.record_round_trip();
/// let counts = stats.counts();
/// assert_eq!((counts.valid, counts.repaired, counts.truncated), (1, 1, 1));
/// assert_eq!((counts.fixed_from_memory, counts.fixed_by_round_trip), (1, 1));
/// ```
#[derive(Debug, Default)]
pub struct RepairStats {
    valid: AtomicU64,
    repaired: AtomicU64,
    truncated: AtomicU64,
    invalid: AtomicU64,
    fixed_by_round_trip: AtomicU64,
    rungs: [AtomicU64; RUNGS],
}

/// The counts at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RepairCounts {
    /// Replies that were JSON as they came.
    pub valid: u64,
    /// Replies that a rung fixed.
    pub repaired: u64,
    /// Replies that were cut off.
    pub truncated: u64,
    /// Replies without a value for any other reason.
    pub invalid: u64,
    /// Failures that a repair fixed, without asking again.
    pub fixed_from_memory: u64,
    /// Failures that a fresh round-trip fixed.
    pub fixed_by_round_trip: u64,
    /// How often each rung was the one that fixed a reply; rungs that never did are left out.
    pub rungs: BTreeMap<Rung, u64>,
}

impl RepairStats {
    /// Counts what a repair gave; its fingerprint.
    pub fn record(&self, result: &Result<Repaired, Error>) -> Fingerprint {
        let fingerprint = Fingerprint::of(result);
        self.record_as(fingerprint, result.as_ref().ok().map(|repaired| repaired.rung));
        fingerprint
    }

    /// Counts a reply of which more is known than its repair: one that a validator refused is invalid, though a rung read it.
    pub fn record_as(&self, fingerprint: Fingerprint, rung: Option<Rung>) {
        let outcome = match fingerprint {
            Fingerprint::Valid => &self.valid,
            Fingerprint::Repaired => &self.repaired,
            Fingerprint::Truncated => &self.truncated,
            Fingerprint::Invalid | Fingerprint::NoJson | Fingerprint::Ambiguous | Fingerprint::TooDeep => &self.invalid,
        };
        add(outcome, 1);
        if let Some(rung) = rung.filter(|_| fingerprint.action() == Action::None) {
            self.add_rung(rung, 1);
        }
    }

    /// Counts a failure that was fixed by asking again.
    pub fn record_round_trip(&self) {
        add(&self.fixed_by_round_trip, 1);
    }

    /// Adds what another has counted.
    pub fn merge(&self, other: &RepairCounts) {
        add(&self.valid, other.valid);
        add(&self.repaired, other.repaired);
        add(&self.truncated, other.truncated);
        add(&self.invalid, other.invalid);
        add(&self.fixed_by_round_trip, other.fixed_by_round_trip);
        for (rung, count) in &other.rungs {
            self.add_rung(*rung, *count);
        }
    }

    /// The counts as they are now.
    pub fn counts(&self) -> RepairCounts {
        let repaired = get(&self.repaired);
        let counted = Rung::ALL.into_iter().zip(self.rungs.iter().map(get));
        RepairCounts {
            valid: get(&self.valid),
            repaired,
            truncated: get(&self.truncated),
            invalid: get(&self.invalid),
            fixed_from_memory: repaired,
            fixed_by_round_trip: get(&self.fixed_by_round_trip),
            rungs: counted.filter(|(_, count)| *count > 0).collect(),
        }
    }

    fn add_rung(&self, rung: Rung, count: u64) {
        if let Some(counter) = self.rungs.get(rung as usize) {
            add(counter, count);
        }
    }
}

impl From<&RepairCounts> for RepairStats {
    fn from(counts: &RepairCounts) -> Self {
        let stats = Self::default();
        stats.merge(counts);
        stats
    }
}

impl Serialize for RepairStats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.counts().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RepairStats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from(&RepairCounts::deserialize(deserializer)?))
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::RaiseMaxTokens => "raise_max_tokens",
            Self::Reask => "reask",
        })
    }
}

// The counters stand for themselves: no other memory is read on the strength of one.
fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}

fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}
