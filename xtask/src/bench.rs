//! The benchmarks of the crates beside what a user would otherwise take, as ratios of one run: docs/benchmarks.md.

mod converter;
mod page;
mod read;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use crate::facts::Facts;
use crate::server::step;
use crate::{Outcome, files, python};
use page::{Call, Grammar, Measured};

/// Where the page goes.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The folder for benchmarks.md
    #[arg(long, default_value = "target/bench", value_name = "DIR")]
    out: PathBuf,
}

/// Workspaces of their own, in which the peers stay out of the project's lock file.
const REPAIR_PEERS: &str = "crates/slm-repair/benches/peers/Cargo.toml";
const GRAMMAR_PEERS: &str = "crates/slm-schema/benches/peers/Cargo.toml";

/// Runs them one after the other, and writes the page.
pub(crate) fn run(options: &Options) -> Outcome {
    let facts = Facts::now(format!("cargo xtask bench --out {}", options.out.display()));
    let measured = Measured {
        repair: peers(REPAIR_PEERS)?,
        grammar_peers: files::root().join(GRAMMAR_PEERS).exists().then(|| peers(GRAMMAR_PEERS)).transpose()?,
        converter: converter()?,
        call: call()?,
    };
    let path = files::root().join(&options.out).join("benchmarks.md");
    files::write(&path, &page::page(&facts, &measured)?)?;
    println!("wrote {}", files::shown(&path));
    Ok(())
}

/// The tables that a peers' workspace prints.
fn peers(manifest: &str) -> Outcome<String> {
    step(manifest);
    let printed = cargo(&["run", "--release", "--quiet", "--locked", "--manifest-path", manifest])?;
    let tables = read::tables(&printed);
    if tables.is_empty() { Err(format!("{manifest} printed no table:\n{printed}")) } else { Ok(tables) }
}

/// llama.cpp's own converter before and after ours; of its two runs the quicker one counts.
fn converter() -> Outcome<Vec<Grammar>> {
    step("llama.cpp's own converter, and ours between");
    let converter = converter::Converter::build()?;
    let before = converter.medians()?;
    let printed = cargo(&["bench", "--quiet", "--locked", "--package", "slm-schema", "--bench", "grammar", "compile"])?;
    let after = converter.medians()?;
    paired(&before, &read::divan(&printed), &after)
}

fn paired(
    before: &BTreeMap<String, f64>,
    ours: &BTreeMap<(String, String), f64>,
    after: &BTreeMap<String, f64>,
) -> Outcome<Vec<Grammar>> {
    let of = |(name, first): (&String, &f64)| {
        let ours = ours.get(&("compile".to_owned(), name.clone()));
        match (ours, after.get(name)) {
            (Some(ours), Some(second)) => {
                Ok(Grammar { contract: name.clone(), ours: *ours, theirs: first.min(*second) })
            }
            _ => Err(format!("{name} was not measured on both sides")),
        }
    };
    before.iter().map(of).collect()
}

fn call() -> Outcome<Call> {
    step("a structured call beside a bare request");
    let printed = cargo(&["bench", "--quiet", "--locked", "--package", "slm-backends", "--bench", "call"])?;
    let time = |name: &str| {
        read::named(&printed, name).ok_or_else(|| format!("the bench of a call printed no time of {name}:\n{printed}"))
    };
    Ok(Call { bare: time("bare request")?, set: time("set")?, negotiated: time("negotiated")? })
}

fn cargo(words: &[&str]) -> Outcome<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    python::run(Command::new(cargo).args(words).current_dir(files::root()), &format!("run cargo {}", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(ns: f64) -> BTreeMap<String, f64> {
        BTreeMap::from([("plan".to_owned(), ns)])
    }

    #[test]
    fn the_quicker_run_of_the_other_side_counts() {
        let ours = BTreeMap::from([(("compile".to_owned(), "plan".to_owned()), 10.0)]);
        let paired = paired(&times(30.0), &ours, &times(20.0)).unwrap();
        assert_eq!(paired, [Grammar { contract: "plan".to_owned(), ours: 10.0, theirs: 20.0 }]);
    }

    #[test]
    fn a_side_that_is_missing_is_an_error() {
        assert!(paired(&times(30.0), &BTreeMap::new(), &times(20.0)).unwrap_err().contains("plan"));
    }
}
