//! `remembered`: what stands in a `capabilities.json`, whoever wrote it.

use super::folder::Folder;

/// Reads the bytes as that file, twice: one that is damaged is put aside, and then there is none.
pub fn check(data: &[u8]) {
    let folder = Folder::with("capabilities.json", data);
    let found = slm_backends::remembered(folder.path());
    assert_eq!(slm_backends::remembered(folder.path()), found);
    assert!(found.is_sorted_by_key(|entry| std::cmp::Reverse(entry.seen)), "the latest comes first");
}
