//! Generated files: written whole, or compared.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Outcome;

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// `path` relative to the root, for messages.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Makes `path` hold `text`: through a temporary file and a rename, so that a reader never sees half of it.
pub(crate) fn write(path: &Path, text: &str) -> Outcome {
    let failed = |what: &str, error: std::io::Error| format!("cannot {what} {}: {error}", shown(path));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed("make the folder of", error))?;
    }
    let temporary = path.with_extension("tmp");
    fs::write(&temporary, text).map_err(|error| failed("write", error))?;
    fs::rename(&temporary, path).map_err(|error| failed("put in place", error))
}

/// Does `path` hold `text`?
pub(crate) fn holds(path: &Path, text: &str) -> bool {
    fs::read_to_string(path).is_ok_and(|found| found == text)
}

/// Holds a page below `docs/` against what was measured; with `SLMCODE_WRITE_DOCS=1` it is written from that, which is how a
/// change of the layout reaches it without a new measurement.
#[cfg(test)]
pub(crate) fn assert_published(name: &str, text: &str) {
    let path = root().join("docs").join(name);
    if std::env::var_os("SLMCODE_WRITE_DOCS").is_some() {
        write(&path, text).unwrap();
    }
    assert!(
        holds(&path, text),
        "{} is not made of its measurements: SLMCODE_WRITE_DOCS=1 cargo test -p xtask published, and look at the difference",
        shown(&path)
    );
}
