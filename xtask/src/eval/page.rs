//! docs/results.md: what a run came to, for a reader. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::matrix::Setting;
use super::prompts::Prompt;
use super::record::{FALSE_VALUE, Record};
use super::summary::{self, Summary};
use crate::facts::Facts;
use crate::markdown::{one_place, quoted, table, whole};
use crate::statistics::Share;

const INTRODUCTION: &str = "\
# Results

Every built-in contract under every mechanism, measured on a real server with a small model. Made by `cargo xtask eval` from
[the calls](results/calls.jsonl), one line each; a test holds this page against them.

The prompts (`fixtures/eval/prompts.jsonl`) are requests to a coding harness: plain ones, and such that ask for another form,
hold quotes and code, are in another language, or give nothing to go by. Each contract meets others of them, the same under
each mechanism. `auto` means that the client chooses the mechanism by what it saw enforced; every other row forces one. A
call asks again at most once, and the judge is always the contract's own schema. *Finished* is a reply that the model ended
by itself: not cut by a limit, not stopped by the client in a loop. Intervals, in parentheses, are at 95 %: Wilson's for shares,
Student's for means, by ranks for medians.

Valid is not useful: at 135 million parameters the words are seldom worth much. What is measured is whether a program can
rely on the shape, and on being told where there is none.
";

const HOW_TO_READ: &str = "\
*As it came*: the first reply was a valid document. *Repaired*: with the repair ladder's help. *In the end*: with at most one
re-ask, of any kind. *Otherwise*: neither a value nor cut, looping or refused: invalid to the end, empty, or an error of the
endpoint. Tokens are those of all replies of a call, as the server counted them. Seconds are those of a call while as many ran
at once as the server has slots; the machine may have had other work, so they are an order of magnitude.
";

/// The whole page.
pub(crate) fn page(facts: &Facts, records: &[Record], prompts: &[Prompt]) -> String {
    let summaries: Vec<Summary> = Setting::ALL.into_iter().map(|setting| Summary::of(setting, records)).collect();
    let mut text = INTRODUCTION.to_owned();
    let mut section = |title: &str, body: &str| {
        let _ = write!(text, "\n## {title}\n\n{body}");
    };
    section("The run", &table(&["", ""], &facts.rows()));
    section("By mechanism", &by_mechanism(&summaries));
    section("What must hold", &what_must_hold(&summaries, records));
    section("Tokens and time", &cost(&summaries));
    section("Rungs of the repair ladder", &by_rung(records));
    section("By contract", &by_group(records, "contract", |record| record.case.contract.clone()));
    let kinds: BTreeMap<&str, &str> = prompts.iter().map(|prompt| (prompt.id.as_str(), prompt.kind.as_str())).collect();
    let kind = |record: &Record| (*kinds.get(record.case.prompt.as_str()).unwrap_or(&"unknown")).to_owned();
    section("By kind of prompt", &by_group(records, "prompt", kind));
    section("What gave no value", &failures(records));
    text
}

fn by_mechanism(summaries: &[Summary]) -> String {
    let head =
        ["asked for", "finished", "as it came", "repaired", "in the end", "truncated", "loop", "refused", "otherwise"];
    let rows: Vec<Vec<String>> = summaries
        .iter()
        .map(|summary| {
            let shares = [
                summary.finished,
                summary.as_it_came,
                summary.at_first,
                summary.in_the_end,
                summary.truncated,
                summary.looped,
                summary.refused,
                summary.otherwise,
            ];
            std::iter::once(summary.setting.to_string()).chain(shares.map(|share| share.to_string())).collect()
        })
        .collect();
    format!("{}\n{HOW_TO_READ}\n![Shares of valid calls by mechanism](results/valid.svg)\n", table(&head, &rows))
}

/// The claims, each with its count: where one does not hold, it says so.
fn what_must_hold(summaries: &[Summary], records: &[Record]) -> String {
    let mut text = String::new();
    let mut claim = |what: &str, share: Share| {
        let verdict = if share.is_whole() { "holds" } else { "**does not hold**" };
        let _ = writeln!(text, "* {what}: {verdict}, {share}.");
    };
    for summary in summaries.iter().filter(|summary| summary.setting.is_enforced()) {
        claim(&format!("`{}`: each first reply that finished is a value", summary.setting), summary.of_finished);
    }
    let auto: Vec<&Record> = records.iter().filter(|record| record.case.asked == "auto").collect();
    let named = Share::count(&auto, |record| !["error", FALSE_VALUE].contains(&record.outcome.as_str()));
    claim("`auto`: each call ends with a value or says how else the reply ended", named);
    let wrong = summary::false_values(records);
    claim("No value breaks its contract, whatever was asked for", Share { hits: wrong.of - wrong.hits, of: wrong.of });
    if let Some(floor) = summaries.iter().find(|summary| summary.setting.asked() == "prompt_only") {
        let (came, repaired, end) = (floor.as_it_came.hits, floor.at_first.hits, floor.in_the_end.hits);
        let _ = writeln!(
            text,
            "* `prompt_only`, where nothing is enforced: of {} calls {came} gave a value as it came, repair added {}, one re-ask added {}.",
            floor.in_the_end.of,
            repaired - came,
            end - repaired,
        );
    }
    text
}

fn cost(summaries: &[Summary]) -> String {
    let head = ["asked for", "calls", "prompt tokens", "reply tokens", "seconds, median", "seconds, 9 of 10"];
    let row = |summary: &Summary| {
        vec![
            summary.setting.to_string(),
            summary.in_the_end.of.to_string(),
            whole(summary.prompt_tokens),
            whole(summary.completion_tokens),
            one_place(summary.seconds.0),
            one_place(summary.seconds.1),
        ]
    };
    let rows: Vec<Vec<String>> = summaries.iter().map(row).collect();
    format!(
        "{}\nTokens are means of a call, the prompt's with those that the server had cached.\n",
        table(&head, &rows)
    )
}

fn by_rung(records: &[Record]) -> String {
    let counts: Vec<(Setting, BTreeMap<String, Share>)> =
        Setting::ALL.into_iter().map(|setting| (setting, summary::rungs(setting, records))).collect();
    let names: BTreeSet<&str> = counts.iter().flat_map(|(_, rungs)| rungs.keys().map(String::as_str)).collect();
    let head: Vec<&str> = std::iter::once("asked for").chain(names.iter().copied()).collect();
    let rows: Vec<Vec<String>> = counts
        .iter()
        .map(|(setting, rungs)| {
            let none = Share::count(records.iter().filter(|record| record.case.is_under(*setting)), |_| false);
            let cells = names.iter().map(|name| rungs.get(*name).copied().unwrap_or(none).to_string());
            std::iter::once(setting.to_string()).chain(cells).collect()
        })
        .collect();
    format!(
        "{}\nCalls whose last reply the rung had a part in; `none`: a value as it came, `-`: no value, and nothing changed.\n",
        table(&head, &rows)
    )
}

/// Valid calls of all, for each group under each setting.
fn by_group(records: &[Record], what: &str, group: impl Fn(&Record) -> String) -> String {
    let groups: BTreeSet<String> = records.iter().map(&group).collect();
    let settings: Vec<String> = Setting::ALL.iter().map(Setting::to_string).collect();
    let head: Vec<&str> = std::iter::once(what).chain(settings.iter().map(String::as_str)).collect();
    let rows: Vec<Vec<String>> = groups
        .into_iter()
        .map(|name| {
            let cell = |setting: &Setting| {
                let those = records.iter().filter(|record| group(record) == name && record.case.is_under(*setting));
                let share = Share::count(those, |record| record.is_valid());
                format!("{}/{}", share.hits, share.of)
            };
            let cells: Vec<String> = Setting::ALL.iter().map(cell).collect();
            std::iter::once(name.clone()).chain(cells).collect()
        })
        .collect();
    format!("Calls that ended with a value.\n\n{}", table(&head, &rows))
}

/// Each ending that is no value, by setting, with the words of its first.
fn failures(records: &[Record]) -> String {
    let mut found: BTreeMap<(&str, String, &str), (u32, &Record)> = BTreeMap::new();
    for record in records.iter().filter(|record| !record.is_valid()) {
        let temperature = format!("{:.1}", record.case.temperature);
        let key = (record.case.asked.as_str(), temperature, record.outcome.as_str());
        found.entry(key).and_modify(|(count, _)| *count += 1).or_insert((1, record));
    }
    if found.is_empty() {
        return "Every call ended with a value.\n".to_owned();
    }
    let rows: Vec<Vec<String>> = found
        .into_iter()
        .map(|((asked, temperature, outcome), (count, first))| {
            let words = first.detail.as_deref().map_or_else(|| "-".to_owned(), |text| quoted(text, 110));
            let which = format!("{} / {}", first.case.contract, first.case.prompt);
            vec![format!("{asked} t={temperature}"), outcome.to_owned(), count.to_string(), which, words]
        })
        .collect();
    table(&["asked for", "ending", "calls", "for example", "its words"], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::matrix::{self, Case};
    use crate::eval::prompts;
    use crate::eval::record::tests::record;

    /// A run over two contracts in which `ending` says how each call ended.
    fn page_of(ending: impl Fn(&Case) -> &'static [&'static str]) -> String {
        let prompts = prompts::all().unwrap();
        let records: Vec<Record> = matrix::cases(&["review", "tasks"], &prompts, 1)
            .into_iter()
            .map(|(case, _)| {
                let endings = ending(&case);
                record(case, endings)
            })
            .collect();
        page(&Facts::now("cargo xtask eval"), &records, &prompts)
    }

    #[test]
    fn a_claim_that_holds_is_said_to_hold() {
        let page = page_of(|_| &["value"]);
        assert!(!page.contains("does not hold"), "{page}");
        assert!(page.contains("| auto t=0.0 | 2/2 (34–100 %) | 2/2 (34–100 %) |"), "{page}");
        assert!(page.contains("Every call ended with a value."));
        assert!(page.contains("| command | `cargo xtask eval` |"));
    }

    #[test]
    fn a_claim_that_fails_is_said_to_fail() {
        let page = page_of(|case| if case.asked == "json_schema" { &["invalid", "value"] } else { &["value"] });
        assert_eq!(page.matches("does not hold").count(), 2, "{page}");
        let page = page_of(|case| if case.contract == "tasks" { &[FALSE_VALUE] } else { &["value"] });
        assert!(
            page.contains("No value breaks its contract, whatever was asked for: **does not hold**, 7/14"),
            "{page}"
        );
        let page = page_of(|case| if case.asked == "auto" { &["error"] } else { &["value"] });
        assert!(page.contains("how else the reply ended: **does not hold**, 0/2"), "{page}");
    }

    #[test]
    fn a_cut_reply_is_no_failure_of_the_constraint() {
        let page = page_of(|case| if case.contract == "tasks" { &["truncated"] } else { &["value"] });
        assert!(!page.contains("does not hold"), "{page}");
        assert!(page.contains("| tasks | 0/1 | 0/1 |"), "{page}");
        assert!(page.contains("| gbnf_grammar t=1.0 | truncated | 1 | tasks / "), "{page}");
    }

    #[test]
    fn what_repair_and_re_asks_add_at_the_floor_is_said() {
        let page = page_of(|case| if case.contract == "tasks" { &["invalid", "value"] } else { &["value"] });
        assert!(page.contains("of 2 calls 1 gave a value as it came, repair added 0, one re-ask added 1."), "{page}");
    }
}
