//! What a live run saw of one server, kept as a file.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use slm_backends::{Diagnosis, Mechanism, Outcome as Reply};
use slm_schema::Tier;

use crate::facts::Facts;
use crate::{Outcome, files};

/// What was seen of one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The server's place on the page.
    pub(crate) place: usize,
    /// What it is, in a heading.
    pub(crate) title: String,
    /// When, where, by which command.
    pub(crate) facts: Facts,
    /// The preset it was recognised as.
    pub(crate) provider: String,
    /// What each mechanism's probe showed.
    pub(crate) mechanisms: Vec<Seen>,
    /// Calls that ran to their end.
    pub(crate) calls: Vec<Tried>,
    /// What is sent for each contract, and what that leaves out.
    pub(crate) contracts: Vec<Sent>,
}

/// What a probe showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// Which mechanism.
    pub(crate) mechanism: String,
    /// Enforced, ignored, rejected or untried.
    pub(crate) state: String,
    /// What that rests on.
    pub(crate) detail: String,
}

/// What a mechanism's calls came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tried {
    pub(crate) mechanism: String,
    pub(crate) temperature: String,
    pub(crate) calls: usize,
    /// Those that were not cut.
    pub(crate) finished: usize,
    /// Those that are valid under the original schema.
    pub(crate) valid: usize,
}

/// How a contract is sent when nobody names a mechanism.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sent {
    pub(crate) contract: String,
    pub(crate) mechanism: String,
    /// Rules of the contract.
    pub(crate) rules: usize,
    /// Those that decoding does not make sure of exactly.
    pub(crate) lost: Vec<Lost>,
}

/// A rule that decoding does not make sure of exactly.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Lost {
    pub(crate) keyword: String,
    pub(crate) tier: String,
    pub(crate) why: String,
    pub(crate) pointer: String,
}

impl Seen {
    /// All that a diagnosis found.
    pub(crate) fn all(diagnosis: &Diagnosis) -> Vec<Self> {
        let reports = diagnosis.mechanisms.iter();
        let seen = |mechanism: Mechanism, state: &str, detail: &str| Self {
            mechanism: mechanism.as_str().to_owned(),
            state: state.to_owned(),
            detail: detail.to_owned(),
        };
        reports.map(|report| seen(report.mechanism, report.state.as_str(), &report.detail)).collect()
    }
}

impl Sent {
    /// What a reply tells of its request.
    pub(crate) fn of(contract: &str, reply: &Reply) -> Self {
        let entries = reply.report().entries();
        let lost = entries.iter().filter(|entry| entry.tier != Tier::Grammar).map(|entry| Lost {
            keyword: entry.keyword.clone(),
            tier: entry.tier.as_str().to_owned(),
            why: entry.why.to_owned(),
            pointer: entry.pointer.clone(),
        });
        Self {
            contract: contract.to_owned(),
            mechanism: reply.mechanism().as_str().to_owned(),
            rules: entries.len(),
            lost: lost.collect(),
        }
    }
}

impl Record {
    /// Writes it into a folder.
    pub(crate) fn write(&self, folder: &Path, name: &str) -> Outcome {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        files::write(&folder.join(format!("{name}.json")), &(text + "\n"))
    }
}

/// All records of a folder, in the order of the page; none where there is no folder.
pub(crate) fn read(folder: &Path) -> Outcome<Vec<Record>> {
    let mut records = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return Ok(records) };
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", files::shown(&path));
        let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
        records.push(serde_json::from_str::<Record>(&text).map_err(|error| failed(&error))?);
    }
    records.sort_by_key(|record| record.place);
    Ok(records)
}
