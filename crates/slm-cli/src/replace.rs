//! A file written whole, or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Puts `bytes` in the place of the file's content; its folder is made if it is not there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // People keep links to such files elsewhere, and the link stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file's name"))?;
    let temporary = folder.join(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
    let written = write(&temporary, &target, bytes);
    if written.is_err() {
        // What was written of it helps nobody; the error is the one that counts.
        let _left_behind = fs::remove_file(&temporary);
    }
    written
}

fn write(temporary: &Path, target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    if let Ok(known) = fs::metadata(target) {
        file.set_permissions(known.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(temporary, target)
}
