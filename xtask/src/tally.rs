//! Counting the live test: what held, what did not, and what it cost.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use slm_backends::{Ending, Mechanism, Outcome as Reply};
use slm_schema::Contract;

use crate::Outcome;
use crate::live::record::Tried;

/// One call of the matrix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) contract: &'static Contract,
    pub(crate) mechanism: Mechanism,
    pub(crate) temperature: f64,
    pub(crate) seed: u64,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<12} {:<12} t={:.1} seed {}",
            self.contract.name(),
            self.mechanism.as_str(),
            self.temperature,
            self.seed
        )
    }
}

impl Call {
    /// Does the mechanism leave the model no way to write an invalid document?
    pub(crate) fn is_enforced(&self) -> bool {
        self.mechanism < Mechanism::JsonObject
    }
}

/// What a mechanism's calls came to at one temperature.
#[derive(Debug, Default)]
struct Row {
    calls: usize,
    finished: usize,
    valid: usize,
    tokens: u64,
    elapsed: Duration,
}

/// Everything that was checked.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    passed: usize,
    failed: Vec<String>,
    rows: BTreeMap<(Mechanism, &'static str), Row>,
}

impl Tally {
    /// Counts one check.
    pub(crate) fn check(&mut self, what: &str, holds: bool) {
        println!("    {} {what}", if holds { "ok  " } else { "FAIL" });
        if holds {
            self.passed += 1;
        } else {
            self.failed.push(what.to_owned());
        }
    }

    /// Counts a call of the matrix, and says what came of it. Under an enforced mechanism a finished reply is a value.
    pub(crate) fn record(&mut self, call: &Call, reply: &Reply) -> String {
        let tokens = reply.usage().map_or(0, |usage| usage.completion_tokens);
        let row = self.rows.entry((call.mechanism, if call.temperature > 0.0 { "1.0" } else { "0" })).or_default();
        row.calls += 1;
        row.tokens += tokens;
        row.elapsed += reply.elapsed();
        // A loop is ended by the client, so such a reply did not finish either.
        let cut = matches!(reply.ending(), Ending::Truncated { .. } | Ending::WhitespaceLoop | Ending::RepetitionLoop);
        let valid = reply.value().is_some_and(|value| call.contract.validate(value).is_empty());
        row.finished += usize::from(!cut);
        row.valid += usize::from(valid);
        let holds = valid || cut || !call.is_enforced();
        if holds {
            self.passed += 1;
        } else {
            self.failed.push(format!("{call}: {:?} from {:?}", reply.ending(), reply.text()));
        }
        let rung = reply.rung().map_or("-", |rung| rung.as_str());
        let verdict = if holds { "" } else { "FAIL " };
        format!(
            "{verdict}{} rung {rung} {tokens} tokens {:.1} s",
            reply.ending().as_str(),
            reply.elapsed().as_secs_f64()
        )
    }

    /// The table, and the closing line.
    pub(crate) fn print(&mut self, elapsed: Duration) {
        println!("\n| mechanism | temperature | calls | finished | valid | tokens a call | seconds a call |");
        println!("| --- | --- | --- | --- | --- | --- | --- |");
        let (mut calls, mut finished) = (0, 0);
        for ((mechanism, temperature), row) in &self.rows {
            let count = u32::try_from(row.calls).unwrap_or(u32::MAX).max(1);
            let seconds = (row.elapsed / count).as_secs_f64();
            let tokens = row.tokens / u64::from(count);
            let Row { calls: all, finished: done, valid, .. } = row;
            println!("| {mechanism} | {temperature} | {all} | {done} | {valid} | {tokens} | {seconds:.1} |");
            if *mechanism < Mechanism::JsonObject {
                calls += all;
                finished += done;
            }
        }
        println!();
        self.check(&format!("most replies finish: {finished} of {calls}"), finished * 2 > calls);
        println!("\nlive test took {:.0} s", elapsed.as_secs_f64());
        println!("{} passed, {} failed", self.passed, self.failed.len());
    }

    /// What each mechanism's calls came to.
    pub(crate) fn calls(&self) -> Vec<Tried> {
        let rows = self.rows.iter().map(|((mechanism, temperature), row)| Tried {
            mechanism: mechanism.as_str().to_owned(),
            temperature: (*temperature).to_owned(),
            calls: row.calls,
            finished: row.finished,
            valid: row.valid,
        });
        rows.collect()
    }

    /// Fails with everything that did not hold.
    pub(crate) fn verdict(&self) -> Outcome {
        if self.failed.is_empty() {
            return Ok(());
        }
        Err(format!("the live test failed:\n  {}", self.failed.join("\n  ")))
    }
}
