//! What a measured page has to say of its run: when, where, of what, by which command.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use slm_backends::Diagnosis;

use crate::files;

/// When and where a run was made, and how to make it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// The day, in UTC.
    pub(crate) date: String,
    /// What makes the page again.
    pub(crate) command: String,
    /// The commit that was measured; marked where the checkout differed from it.
    pub(crate) commit: String,
    /// The compiler.
    pub(crate) rustc: String,
    /// Processor and cores.
    pub(crate) machine: String,
    /// Name and version of the server.
    pub(crate) server: Option<String>,
    /// The model, as the server names it.
    pub(crate) model: Option<String>,
    /// Further facts, in order: what, and its value.
    pub(crate) more: Vec<(String, String)>,
}

impl Facts {
    /// The facts of a run that begins now.
    pub(crate) fn now(command: impl Into<String>) -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self {
            date: date(seconds),
            command: command.into(),
            commit: commit(),
            rustc: said("rustc", &["--version"]).unwrap_or_else(|| "unknown".to_owned()),
            machine: machine(),
            server: None,
            model: None,
            more: Vec::new(),
        }
    }

    /// Adds what was found out about the endpoint.
    pub(crate) fn with_endpoint(mut self, diagnosis: &Diagnosis) -> Self {
        self.server = diagnosis.server.as_ref().map(|server| {
            let version = server.version.as_deref().unwrap_or("of an unknown version");
            format!("{} {version}", server.name)
        });
        self.model.clone_from(&diagnosis.model);
        if let Some(window) = diagnosis.context_window {
            self = self.with("window of a request", format!("{window} tokens"));
        }
        if let Some(slots) = diagnosis.slots {
            self = self.with("slots", slots.to_string());
        }
        self
    }

    /// Adds a fact.
    pub(crate) fn with(mut self, what: impl Into<String>, value: impl Into<String>) -> Self {
        self.more.push((what.into(), value.into()));
        self
    }

    /// Was it measured with the same things? The day and the wording of the command may differ.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        let comparable = |facts: &Self| Self { date: String::new(), command: String::new(), ..facts.clone() };
        comparable(self) == comparable(other)
    }

    /// As the rows of a table.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let unknown = || "unknown".to_owned();
        let mut rows = vec![
            ("date", self.date.clone()),
            ("command", format!("`{}`", self.command)),
            ("commit", self.commit.clone()),
            ("compiler", self.rustc.clone()),
            ("machine", self.machine.clone()),
        ];
        if self.server.is_some() || self.model.is_some() {
            rows.push(("server", self.server.clone().unwrap_or_else(unknown)));
            rows.push(("model", self.model.clone().unwrap_or_else(unknown)));
        }
        rows.extend(self.more.iter().map(|(what, value)| (what.as_str(), value.clone())));
        rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]).collect()
    }
}

fn commit() -> String {
    let git = |words: &[&str]| {
        let root = files::root();
        let root = root.to_string_lossy().into_owned();
        said("git", &[&["-C", &root], words].concat())
    };
    let Some(hash) = git(&["rev-parse", "--short=10", "HEAD"]) else { return "unknown".to_owned() };
    // Pages and data that this very run writes are no part of what is measured.
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs"]);
    if changed.is_some_and(|changed| !changed.is_empty()) { format!("{hash} and changes") } else { hash }
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map(|rest| rest.trim_start_matches([' ', '\t', ':']));
    let all = about.lines().filter(|line| line.starts_with("processor")).count().max(cores);
    // A run may be bound to a part of a machine that others use too.
    let cores = if cores < all { format!("{cores} of {all} cores") } else { format!("{cores} cores") };
    let (system, kind) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{system} {kind}, {}, {cores}", model.unwrap_or("unknown processor"))
}

/// What a command prints; `None` where it fails.
fn said(command: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(command).args(words).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

/// The day of a moment, in seconds since 1970: the Gregorian calendar, counted in eras of 400 years from 0000-03-01.
fn date(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{:02}", day - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_735_689_599, "2024-12-31"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(date(seconds), expected, "{seconds}");
        }
    }

    #[test]
    fn another_day_is_the_same_run_and_another_model_is_not() {
        let facts = Facts::now("cargo xtask eval");
        assert!(facts.agrees_with(&Facts { date: "1970-01-01".to_owned(), ..facts.clone() }));
        assert!(!facts.agrees_with(&Facts { model: Some("other".to_owned()), ..facts.clone() }));
        assert!(!facts.agrees_with(&facts.clone().with("cap", "40")));
    }
}
