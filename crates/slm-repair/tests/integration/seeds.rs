//! The checks of the fuzz targets, on their seeds and on random bytes.

use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;

// The checks are written once; their crate is a workspace of its own and cannot be depended on.
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[path = "../../../fuzz/src/contract.rs"]
mod contract;
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[path = "../../../fuzz/src/pattern.rs"]
mod pattern;
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[path = "../../../fuzz/src/repair.rs"]
mod repair;
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[path = "../../../fuzz/src/repair_as.rs"]
mod repair_as;
#[expect(unreachable_pub, reason = "it is public in the crate of the targets")]
#[path = "../../../fuzz/src/stream.rs"]
mod stream;

type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 5] = [
    ("contract", contract::check),
    ("pattern", pattern::check),
    ("repair", repair::check),
    ("repair_as", repair_as::check),
    ("stream", stream::check),
];

#[test]
fn seeds_have_no_finding() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    for (target, check) in TARGETS {
        let mut seen = 0;
        for entry in fs::read_dir(directory.join(target)).unwrap() {
            let data = fs::read(entry.unwrap().path()).unwrap();
            // Each beginning of a seed is one, too.
            (0..=data.len()).filter_map(|end| data.get(..end)).for_each(check);
            seen += 1;
        }
        assert!(seen > 0, "{target} has no seed");
    }
}

/// Bytes of the kind that parsers look at, and any others.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let mark = prop::sample::select(&b"{}[]()\"'`,:;\\/*#<>=+-._ \n\t0159aeEfnrtuxTNF\xe2\x80\x9c\xef\xbb\xbf$^|?"[..]);
    vec(prop_oneof![8 => mark, 1 => any::<u8>()], 0..64)
}

proptest! {
    #[test]
    fn random_bytes_have_no_finding(data in bytes()) {
        for (_, check) in TARGETS {
            check(&data);
        }
    }
}
