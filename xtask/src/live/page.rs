//! docs/backends.md: what was seen of each server, for a reader. Pure.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::record::{Lost, Record, Sent};
use crate::markdown::table;

const HEADER: &str = "\
# Real servers

Written by `cargo xtask live --write`, and by the command in each section; do not edit. Figures come from live runs with a small
model, so they cannot be checked by making them again: each section says when and how it was made.

A mechanism counts as *enforced* only if a reply obeyed a constraint that it would not have obeyed by itself. *Negotiated* is what
a call uses when nobody names a mechanism. A rule that decoding does not hold is checked after the reply, always: *lost* means
lost to decoding, and never unchecked.
";

/// The whole page.
pub(crate) fn page(records: &[Record]) -> String {
    let mut page = HEADER.to_owned();
    page.push_str("\n## What is seen enforced\n\n");
    page.push_str(&mechanisms(records));
    page.push_str("\n## What each contract loses\n\nOf the rules of each contract, those that decoding holds, by what is negotiated.\n\n");
    page.push_str(&contracts(records));
    for record in records {
        section(&mut page, record);
    }
    page
}

fn titles<'r>(first: &'r str, records: &'r [Record]) -> Vec<&'r str> {
    std::iter::once(first).chain(records.iter().map(|record| record.title.as_str())).collect()
}

fn mechanisms(records: &[Record]) -> String {
    let names = records.first().map(|record| record.mechanisms.as_slice()).unwrap_or_default();
    let rows: Vec<Vec<String>> = names
        .iter()
        .map(|name| {
            let states = records.iter().map(|record| {
                let seen = record.mechanisms.iter().find(|seen| seen.mechanism == name.mechanism);
                seen.map_or("-", |seen| seen.state.as_str()).to_owned()
            });
            std::iter::once(format!("`{}`", name.mechanism)).chain(states).collect()
        })
        .collect();
    table(&titles("mechanism", records), &rows)
}

fn contracts(records: &[Record]) -> String {
    let names = records.first().map(|record| record.contracts.as_slice()).unwrap_or_default();
    let rows: Vec<Vec<String>> = names
        .iter()
        .map(|name| {
            let cells = records.iter().map(|record| {
                let sent = record.contracts.iter().find(|sent| sent.contract == name.contract);
                sent.map_or_else(|| "-".to_owned(), cell)
            });
            std::iter::once(name.contract.clone()).chain(cells).collect()
        })
        .collect();
    table(&titles("contract", records), &rows)
}

fn cell(sent: &Sent) -> String {
    let left = sent.lost.iter().filter(|lost| lost.tier != "grammar_stricter").count();
    let Sent { mechanism, rules, .. } = sent;
    if left == 0 {
        format!("`{mechanism}`, all {rules}")
    } else {
        format!("`{mechanism}`, {} of {rules}", rules - left)
    }
}

fn section(page: &mut String, record: &Record) {
    page.extend(["\n## ", &record.title, "\n\n"]);
    page.push_str(&table(&["what", "value"], &record.facts.rows()));
    page.extend(["\nRecognised as `", &record.provider, "`.\n\n"]);
    let rows: Vec<Vec<String>> = record
        .mechanisms
        .iter()
        .map(|seen| vec![format!("`{}`", seen.mechanism), seen.state.clone(), seen.detail.clone()])
        .collect();
    page.push_str(&table(&["mechanism", "seen", "what that rests on"], &rows));
    page.push_str("\nCalls that were made to their end:\n\n");
    let rows: Vec<Vec<String>> = record
        .calls
        .iter()
        .map(|row| {
            let counts = [row.calls, row.finished, row.valid].map(|count| count.to_string());
            [format!("`{}`", row.mechanism), row.temperature.clone()].into_iter().chain(counts).collect()
        })
        .collect();
    page.push_str(&table(&["mechanism", "temperature", "calls", "finished", "valid"], &rows));
    page.push_str("\nWhat decoding does not hold exactly, and where:\n\n");
    let reasons = reasons(&record.contracts);
    if reasons.is_empty() {
        page.push_str("* nothing: every rule of every contract is held\n");
    }
    for ((keyword, tier, why), places) in reasons {
        let places: Vec<String> = places.into_iter().map(|(contract, count)| format!("{contract} {count}")).collect();
        // Writing to a String does not fail.
        let _written = writeln!(page, "* `{keyword}` ({tier}): {why}. {}", places.join(", "));
    }
}

/// For each keyword and reason, how often it occurs in which contract.
fn reasons(contracts: &[Sent]) -> BTreeMap<(&str, &str, &str), BTreeMap<&str, usize>> {
    let mut found: BTreeMap<_, BTreeMap<&str, usize>> = BTreeMap::new();
    for sent in contracts {
        for Lost { keyword, tier, why, .. } in &sent.lost {
            let places = found.entry((keyword.as_str(), tier.as_str(), why.as_str())).or_default();
            *places.entry(sent.contract.as_str()).or_default() += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::record::{self, Seen, Tried};
    use super::*;
    use crate::facts::Facts;
    use crate::files;

    fn record(title: &str, mechanism: &str, lost: &[&str]) -> Record {
        let lost = lost.iter().map(|pointer| Lost {
            keyword: "maxLength".to_owned(),
            tier: "validator".to_owned(),
            why: "nobody counts".to_owned(),
            pointer: (*pointer).to_owned(),
        });
        Record {
            place: 0,
            title: title.to_owned(),
            facts: Facts::now("cargo xtask live"),
            provider: "custom".to_owned(),
            mechanisms: vec![Seen {
                mechanism: mechanism.to_owned(),
                state: "enforced".to_owned(),
                detail: "obeyed | held".to_owned(),
            }],
            calls: vec![Tried {
                mechanism: mechanism.to_owned(),
                temperature: "0".to_owned(),
                calls: 3,
                finished: 2,
                valid: 2,
            }],
            contracts: vec![Sent {
                contract: "plan".to_owned(),
                mechanism: mechanism.to_owned(),
                rules: 9,
                lost: lost.collect(),
            }],
        }
    }

    #[test]
    fn servers_stand_side_by_side_and_losses_are_counted() {
        let page = page(&[record("one", "gbnf_grammar", &[]), record("two", "json_schema", &["/a", "/b"])]);
        assert!(page.contains("| contract | one | two |"), "{page}");
        assert!(page.contains("| plan | `gbnf_grammar`, all 9 | `json_schema`, 7 of 9 |"), "{page}");
        // The second server was not asked about the first one's mechanism.
        assert!(page.contains("| `gbnf_grammar` | enforced | - |"), "{page}");
        assert!(page.contains("* nothing: every rule"), "{page}");
        assert!(page.contains("* `maxLength` (validator): nobody counts. plan 2\n"), "{page}");
        assert!(page.contains("| `json_schema` | 0 | 3 | 2 | 2 |"), "{page}");
        assert!(page.contains("obeyed \\| held"), "{page}");
    }

    #[test]
    fn the_published_page_is_made_of_the_published_records() {
        let docs = files::root().join("docs");
        let records = record::read(&docs.join("backends")).unwrap();
        if !records.is_empty() {
            files::assert_published("backends.md", &page(&records));
        }
    }
}
