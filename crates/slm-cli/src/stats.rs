//! Counts of calls and of replies, kept between runs: one file beside the capabilities, with an entry for each endpoint.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slm_repair::{Fingerprint, RepairCounts, RepairStats};

use crate::replace::replace;
use crate::settings;
use crate::tally::{Tally, line};

const NAME: &str = "stats.json";
const VERSION: u32 = 1;
/// The endpoint that was used longest ago goes where there are more.
const MOST_ENDPOINTS: usize = 200;
/// Others hold the file for milliseconds.
const PAUSE: Duration = Duration::from_millis(10);
const TRIES: u32 = 200;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Document {
    version: u32,
    endpoints: Vec<Entry>,
}

/// The latest first.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    endpoint: String,
    #[serde(flatten)]
    counts: Counts,
}

/// Of calls, how they ended; of their replies, what they came to.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Counts {
    #[serde(flatten)]
    pub(crate) calls: Tally,
    pub(crate) repairs: RepairCounts,
}

impl Counts {
    fn merge(&mut self, other: &Self) {
        self.calls.merge(&other.calls);
        let repairs = RepairStats::from(&self.repairs);
        repairs.merge(&other.repairs);
        self.repairs = repairs.counts();
    }

    /// For a person: a line of each kind that there is.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = self.calls.lines();
        let RepairCounts { valid, repaired, truncated, invalid, rungs, .. } = &self.repairs;
        let replies = [
            ("valid".to_owned(), valid),
            ("repaired".to_owned(), repaired),
            (format!("truncated ({})", Fingerprint::Truncated.action()), truncated),
            (format!("invalid ({})", Fingerprint::Invalid.action()), invalid),
        ];
        let fixed =
            [("from memory", &self.repairs.fixed_from_memory), ("by a round trip", &self.repairs.fixed_by_round_trip)];
        lines.extend([line("replies", replies), line("rungs", rungs), line("fixed", fixed)].into_iter().flatten());
        lines
    }
}

/// Adds the calls of this run. That they cannot be counted is no failure of theirs.
pub(crate) fn add(endpoint: &str, calls: Tally, repairs: RepairCounts) {
    let Some(directory) = settings::cache_dir().filter(|_| calls.calls > 0) else { return };
    if let Err(error) = add_in(&directory, endpoint, &Counts { calls, repairs }) {
        tracing::warn!(directory = %directory.display(), %error, "calls cannot be counted");
    }
}

/// What was counted, of one endpoint or of all.
pub(crate) fn read(endpoint: Option<&str>) -> Counts {
    let document = settings::cache_dir().and_then(|directory| document(&directory).ok()).unwrap_or_default();
    let mut counts = Counts::default();
    let wanted = document.endpoints.iter().filter(|entry| endpoint.is_none_or(|endpoint| entry.endpoint == endpoint));
    for entry in wanted {
        counts.merge(&entry.counts);
    }
    counts
}

fn add_in(directory: &Path, endpoint: &str, counts: &Counts) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let _lock = lock(directory)?;
    let mut document = document(directory)?;
    if document.version > VERSION {
        // A newer version of this program wrote it, and its users still need it.
        return Ok(());
    }
    let known = document.endpoints.iter().position(|entry| entry.endpoint == endpoint);
    let mut entry = known.map_or_else(
        || Entry { endpoint: endpoint.to_owned(), counts: Counts::default() },
        |place| document.endpoints.remove(place),
    );
    entry.counts.merge(counts);
    document.endpoints.insert(0, entry);
    document.endpoints.truncate(MOST_ENDPOINTS);
    document.version = VERSION;
    replace(&directory.join(NAME), serde_json::to_string_pretty(&document)?.as_bytes())
}

/// An empty one where there is no file, or none that can be read: counts are worth less than the next ones.
fn document(directory: &Path) -> io::Result<Document> {
    match fs::read(directory.join(NAME)) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Document::default()),
        Err(error) => Err(error),
    }
}

/// Held until it is dropped, or its process ends.
fn lock(directory: &Path) -> io::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(directory.join(format!("{NAME}.lock")))?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "another process holds the file"))
}
