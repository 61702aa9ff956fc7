//! The checks of the fuzz targets, on their seeds and on random changes of them.

use std::fs;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

// The checks are written once; their crate is a workspace of its own and cannot be depended on.
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[expect(clippy::expect_used, reason = "a check that fails is a failed test")]
#[path = "../../../fuzz/src/answer.rs"]
mod answer;
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[expect(clippy::expect_used, reason = "a check that fails is a failed test")]
#[path = "../../../fuzz/src/endpoint.rs"]
mod endpoint;
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[expect(clippy::expect_used, reason = "a check that fails is a failed test")]
#[path = "../../../fuzz/src/folder.rs"]
mod folder;
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[path = "../../../fuzz/src/remembered.rs"]
mod remembered;

fn replay(target: &str, check: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let mut random = StdRng::seed_from_u64(1);
    let mut seen = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let data = fs::read(entry.unwrap().path()).unwrap();
        check(&data);
        for _ in 0..40 {
            let mut changed = data.clone();
            for _ in 0..random.random_range(1..4) {
                let at = random.random_range(0..changed.len());
                changed[at] = random.random();
            }
            changed.truncate(random.random_range(changed.len() / 2..=changed.len()));
            check(&changed);
        }
        seen += 1;
    }
    assert!(seen > 0, "{target} has no seed");
}

#[test]
fn answers_have_no_finding() {
    replay("answer", answer::check);
}

#[test]
fn addresses_have_no_finding() {
    replay("endpoint", endpoint::check);
}

#[test]
fn remembered_capabilities_have_no_finding() {
    replay("remembered", remembered::check);
}
