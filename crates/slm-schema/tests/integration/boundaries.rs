//! The crate stays a leaf: nobody who depends on it gets a runtime or a network stack.

use std::collections::BTreeSet;
use std::process::Command;

const ASYNC_OR_NETWORK: [&str; 8] = ["tokio", "reqwest", "hyper", "tracing", "mio", "rustls", "h2", "async-std"];

fn dependencies(package: &str, flags: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--package", package, "--edges", "normal", "--prefix", "none", "--format", "{p}", "--offline"])
        .args(flags)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn no_runtime_and_no_network_whatever_the_features() {
    for package in ["slm-schema", "slm-repair"] {
        let found = dependencies(package, &["--all-features"]);
        assert!(found.contains("serde_json"), "the tree was read");
        for stranger in ASYNC_OR_NETWORK {
            assert!(!found.contains(stranger), "{package} depends on {stranger}");
        }
    }
}

#[test]
fn without_features_only_the_four_and_what_they_bring() {
    let allowed = [
        "slm-schema",
        "slm-repair",
        "serde",
        "serde_core",
        "serde_derive",
        "serde_json",
        "thiserror",
        "thiserror-impl",
        "once_cell",
        "itoa",
        "memchr",
        "ryu",
        "zmij",
        "proc-macro2",
        "quote",
        "syn",
        "unicode-ident",
        "indexmap",
        "hashbrown",
        "equivalent",
    ];
    for package in ["slm-schema", "slm-repair"] {
        let found = dependencies(package, &["--no-default-features"]);
        let strangers: Vec<&String> = found.iter().filter(|name| !allowed.contains(&name.as_str())).collect();
        assert!(strangers.is_empty(), "{package} brings {strangers:?}");
    }
}
