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

/// Runs of llama.cpp's own converter and of ours: shared machines change their pace, and of each side the quickest run counts.
const TURNS: usize = 4;

/// llama.cpp's own converter and ours, in turns.
fn converter() -> Outcome<Vec<Grammar>> {
    step("llama.cpp's own converter, and ours, in turns");
    let converter = converter::Converter::build()?;
    let (mut theirs, mut ours) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..TURNS {
        keep_least(&mut theirs, converter.medians()?);
        let printed =
            cargo(&["bench", "--quiet", "--locked", "--package", "slm-schema", "--bench", "grammar", "compile"])?;
        let compiled = read::divan(&printed).into_iter().filter(|((group, _), _)| group == "compile");
        keep_least(&mut ours, compiled.map(|((_, name), median)| (name, median)));
    }
    paired(&theirs, &ours)
}

fn keep_least(least: &mut BTreeMap<String, f64>, times: impl IntoIterator<Item = (String, f64)>) {
    for (name, time) in times {
        least.entry(name).and_modify(|known| *known = known.min(time)).or_insert(time);
    }
}

fn paired(theirs: &BTreeMap<String, f64>, ours: &BTreeMap<String, f64>) -> Outcome<Vec<Grammar>> {
    let of = |(name, theirs): (&String, &f64)| {
        let ours = ours.get(name).ok_or_else(|| format!("{name} was not measured on both sides"))?;
        Ok(Grammar { contract: name.clone(), ours: *ours, theirs: *theirs })
    };
    theirs.iter().map(of).collect()
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
    fn the_quickest_run_of_each_side_counts() {
        let mut least = times(30.0);
        keep_least(&mut least, times(20.0));
        keep_least(&mut least, times(25.0));
        let paired = paired(&least, &times(10.0)).unwrap();
        assert_eq!(paired, [Grammar { contract: "plan".to_owned(), ours: 10.0, theirs: 20.0 }]);
    }

    #[test]
    fn a_side_that_is_missing_is_an_error() {
        assert!(paired(&times(30.0), &BTreeMap::new()).unwrap_err().contains("plan"));
    }
}
