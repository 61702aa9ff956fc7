//! A folder of its own for a check that reads a file.

use std::path::{Path, PathBuf};

/// Gone when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// A folder in which nothing is but this file.
    pub fn with(name: &str, data: &[u8]) -> Self {
        let thread = format!("{:?}", std::thread::current().id());
        let thread: String = thread.chars().filter(char::is_ascii_digit).collect();
        let folder = Self(std::env::temp_dir().join(format!("slm-fuzz-{}-{thread}", std::process::id())));
        std::fs::create_dir_all(&folder.0).expect("a temporary folder can be made");
        std::fs::write(folder.0.join(name), data).expect("a temporary file can be written");
        folder
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}
