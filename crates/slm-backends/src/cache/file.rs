//! The file itself: read leniently, written whole or not at all.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use super::{Document, NAME, PATIENCE, VERSION};

/// Nothing of ours is larger.
const LARGEST: u64 = 16 << 20;
const PAUSE: Duration = Duration::from_millis(10);

/// The entries, or none where there is no file, or no usable one.
pub(super) fn read(directory: &Path) -> io::Result<Vec<serde_json::Value>> {
    Ok(match open(directory)? {
        Found::Entries(entries) => entries,
        Found::Newer => Vec::new(),
        Found::Damaged => {
            let _lock = lock(directory)?;
            // It may have been replaced in the meantime.
            if let Found::Entries(entries) = open(directory)? {
                return Ok(entries);
            }
            set_aside(directory)?;
            Vec::new()
        }
    })
}

/// Changes the entries, alone.
pub(super) fn change(
    directory: &Path,
    change: impl FnOnce(Vec<serde_json::Value>) -> Vec<serde_json::Value>,
) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let _lock = lock(directory)?;
    let entries = match open(directory)? {
        Found::Entries(entries) => entries,
        // A newer version of this program wrote it, and its users still need it.
        Found::Newer => return Ok(()),
        Found::Damaged => {
            set_aside(directory)?;
            Vec::new()
        }
    };
    let document = Document { version: VERSION, entries: change(entries) };
    // Only one process is here at a time, so one name is enough; a leftover of one that was killed is overwritten.
    let temporary = directory.join(format!("{NAME}.tmp"));
    let mut file = File::create(&temporary)?;
    file.write_all(serde_json::to_string_pretty(&document)?.as_bytes())?;
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary, directory.join(NAME))
}

enum Found {
    Entries(Vec<serde_json::Value>),
    Newer,
    Damaged,
}

fn open(directory: &Path) -> io::Result<Found> {
    let file = match File::open(directory.join(NAME)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Entries(Vec::new())),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    let too_large = u64::try_from(bytes.len()).is_ok_and(|length| length > LARGEST);
    let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else { return Ok(Found::Damaged) };
    let version = value.get("version").and_then(serde_json::Value::as_u64);
    Ok(match serde_json::from_value::<Document>(value) {
        _ if version.is_some_and(|version| version > u64::from(VERSION)) => Found::Newer,
        Ok(document) if !too_large => Found::Entries(document.entries),
        Ok(_) | Err(_) => Found::Damaged,
    })
}

fn set_aside(directory: &Path) -> io::Result<()> {
    let aside = directory.join(format!("{NAME}.damaged"));
    tracing::warn!(file = %directory.join(NAME).display(), aside = %aside.display(), "damaged, and set aside");
    fs::rename(directory.join(NAME), aside)
}

/// Held until it is dropped, or its process ends. The file that carries the lock stays, and is empty.
fn lock(directory: &Path) -> io::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(directory.join(format!("{NAME}.lock")))?;
    let mut left = PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if left.is_zero() => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "another process holds the file"));
            }
            Err(TryLockError::WouldBlock) => {
                std::thread::sleep(PAUSE);
                left = left.saturating_sub(PAUSE);
            }
        }
    }
}
