//! The check of the fuzz target, on its seeds and each beginning of them.

use std::fs;
use std::path::Path;

// The checks are written once; their crate is a workspace of its own and cannot be depended on.
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[path = "../../../fuzz/src/agents.rs"]
mod agents;
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[expect(clippy::expect_used, reason = "a check that fails is a failed test")]
#[path = "../../../fuzz/src/folder.rs"]
mod folder;

#[test]
fn seeds_have_no_finding() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/agents");
    let seeds: Vec<Vec<u8>> =
        fs::read_dir(directory).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
    assert!(!seeds.is_empty());
    for data in seeds {
        (0..=data.len()).filter_map(|end| data.get(..end)).for_each(agents::check);
    }
}
