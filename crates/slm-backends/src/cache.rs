//! What was learnt, kept on disk between runs: one file for all endpoints, shared by every process that uses it.
//!
//! It holds no keys: addresses stand there without user names and queries, and what a server said is searched for the
//! key before it is written.

mod file;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::capabilities::Capabilities;
use crate::connection::Connection;
use crate::identify::Identity;
use crate::plain::{plain, without_secrets};
use crate::probe;
use crate::provider::Provider;

/// The name of the file in the cache directory.
const NAME: &str = "capabilities.json";
/// Bumped when older readers would misunderstand.
const VERSION: u32 = 1;
/// The oldest entries go where there are more.
const MOST_ENTRIES: usize = 500;
/// Others hold the file for milliseconds. A call does not wait longer for it.
const PATIENCE: Duration = Duration::from_secs(2);

/// The file as a whole.
#[derive(Debug, Serialize, Deserialize)]
struct Document {
    version: u32,
    entries: Vec<serde_json::Value>,
}

/// Whose capabilities an entry holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Key {
    provider: Provider,
    endpoint: String,
    model: String,
    /// Some servers enforce on one way of delivery what they ignore on the other.
    streaming: bool,
    /// Which switches of the caller's were set, of thinking above all; empty where none was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    setting: String,
    /// Probes carry no tools, and constrained requests neither.
    tools: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    key: Key,
    /// Was the model seen thinking when it was probed?
    thinking: bool,
    /// What served the endpoint then: another server behind the same address does not inherit it.
    fingerprint: String,
    /// Seconds since 1970.
    seen: u64,
    capabilities: Capabilities,
}

/// What an endpoint was seen to enforce when it was last asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remembered {
    /// The address, as [`Endpoint::url`](crate::Endpoint::url) gives it.
    pub endpoint: String,
    /// What served it.
    pub provider: Provider,
    /// The model.
    pub model: String,
    /// When something was learnt last.
    pub seen: SystemTime,
    /// What was learnt.
    pub capabilities: Capabilities,
}

/// What [`Config::cache_dir`](crate::Config::cache_dir) holds of earlier runs, the latest first; without asking anyone. A file
/// that cannot be read holds nothing.
pub fn remembered(directory: &Path) -> Vec<Remembered> {
    let entries = file::read(directory).unwrap_or_else(|error| {
        tracing::warn!(directory = %directory.display(), %error, "what was learnt about endpoints cannot be read");
        Vec::new()
    });
    let mut known: Vec<Entry> = entries.into_iter().filter_map(parse).collect();
    known.sort_by_key(|entry| std::cmp::Reverse(entry.seen));
    known.into_iter().map(Remembered::from).collect()
}

impl From<Entry> for Remembered {
    fn from(entry: Entry) -> Self {
        let Entry { key, seen, capabilities, .. } = entry;
        let seen = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seen)).unwrap_or(SystemTime::UNIX_EPOCH);
        let capabilities = capabilities.plain();
        Self { endpoint: plain(&key.endpoint), provider: key.provider, model: plain(&key.model), seen, capabilities }
    }
}

/// The file in a directory.
#[derive(Debug)]
pub(crate) struct Cache {
    directory: PathBuf,
    refresh: bool,
    /// What was written last: the same is not written twice.
    written: Mutex<Option<(String, Capabilities)>>,
}

impl Cache {
    pub(crate) fn new(directory: PathBuf, refresh: bool) -> Self {
        Self { directory, refresh, written: Mutex::default() }
    }

    /// What was learnt about the endpoint, by this process or another one, if the same server is still there.
    pub(crate) async fn load(
        &self,
        connection: &Connection,
        identity: &Identity,
        setting: &str,
    ) -> Option<Capabilities> {
        if self.refresh {
            return None;
        }
        let key = key(connection, identity, setting);
        let fingerprint = identity.fingerprint(&key.model);
        let entries = off_thread(self.directory.clone(), file::read).await?;
        let entry = entries.into_iter().filter_map(parse).find(|entry| entry.key == key)?;
        if entry.fingerprint != fingerprint {
            tracing::info!(endpoint = %connection.endpoint, "another server than the one that was probed before");
            return None;
        }
        Some(entry.capabilities.plain())
    }

    /// Writes down what is known now.
    pub(crate) async fn save(
        &self,
        connection: &Connection,
        identity: &Identity,
        (setting, known): (&str, &Capabilities),
    ) {
        let key = key(connection, identity, setting);
        let secrets = connection.secrets();
        let known = known.without(&secrets);
        {
            let Ok(mut written) = self.written.lock() else { return };
            let new = Some((setting.to_owned(), known.clone()));
            if known.is_empty() || *written == new {
                return;
            }
            *written = new;
        }
        let seen = connection.clock.date().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let fingerprint = without_secrets(&identity.fingerprint(&key.model), &secrets);
        let entry = Entry { key, thinking: known.thinks(), fingerprint, seen, capabilities: known };
        let refresh = self.refresh;
        off_thread(self.directory.clone(), move |directory| {
            file::change(directory, |entries| put(entries, entry, refresh))
        })
        .await;
    }
}

fn key(connection: &Connection, identity: &Identity, setting: &str) -> Key {
    Key {
        provider: identity.provider,
        endpoint: connection.endpoint.url().to_owned(),
        model: probe::model(connection, identity).to_owned(),
        streaming: connection.config.streaming,
        setting: setting.to_owned(),
        tools: false,
    }
}

fn parse(entry: serde_json::Value) -> Option<Entry> {
    serde_json::from_value(entry).ok()
}

/// Puts an entry in the place of the one with its key; what only the other one knows is kept, if it is of the same server.
fn put(entries: Vec<serde_json::Value>, mut entry: Entry, refresh: bool) -> Vec<serde_json::Value> {
    let mut kept: Vec<Entry> = entries.into_iter().filter_map(parse).collect();
    if let Some(place) = kept.iter().position(|known| known.key == entry.key) {
        let known = kept.swap_remove(place);
        if known.fingerprint == entry.fingerprint && !refresh {
            entry.capabilities.add_unknown(&known.capabilities);
        }
    }
    kept.push(entry);
    kept.sort_by_key(|entry| std::cmp::Reverse(entry.seen));
    kept.truncate(MOST_ENTRIES);
    kept.into_iter().filter_map(|entry| serde_json::to_value(entry).ok()).collect()
}

/// File work, away from the threads that drive futures. A failure costs a probe in the next run, and no call.
async fn off_thread<T: Send + 'static>(
    directory: PathBuf,
    work: impl FnOnce(&Path) -> std::io::Result<T> + Send + 'static,
) -> Option<T> {
    let name = directory.join(NAME);
    match tokio::task::spawn_blocking(move || work(&directory)).await {
        Ok(Ok(value)) => Some(value),
        Ok(Err(error)) => {
            tracing::warn!(file = %name.display(), %error, "what is learnt about endpoints cannot be kept");
            None
        }
        Err(_) => None,
    }
}
