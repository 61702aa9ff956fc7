//! docs/peers.md: what the same prompts came to by each. Pure.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::turn::{Entry, FALSE_VALUE, Turn};
use super::{CAP, TIGHT_CAP};
use crate::facts::Facts;
use crate::markdown::{one_place, quoted, table, whole};
use crate::statistics::{Estimate, Share, mean, mean_of, median_of};

const INTRODUCTION: &str = "\
# Beside the peers

The same prompts through our client and through the libraries that a user would otherwise take, in turns, on one server with
one small model. Made by `cargo xtask eval --peers` from [the turns](results/peers.jsonl), one line each; a test holds this
page against them.

Each peer is set up as its own documentation shows for a server that speaks OpenAI's protocol; the scripts are in
`xtask/peers`. All get the same system text, model, temperature, seed, cap and number of tries; how the schema reaches the
model is left to each. The verdict on a value is that of the contract's own schema. Calls and tokens are counted by a proxy
before the server, so silent retries count. One call at a time; each turn another contestant comes first. Prompt tokens
count in full where the server had them cached.

Few prompts, one tiny model, one build of one server: read it as what happens on this set-up, not as a ranking.
";

/// Why a set-up fails here, for whoever sees it fail: in which words, and the reason.
const CUT: (&[&str], &str) = (
    &["Length", "Incomplete", "EOF", "length limit"],
    "the reply was cut at the cap. None of the peers gives it more room: it is an error at once, or the same request once more.",
);
const TOOLS: &str = "the model's chat template has no tools, so the server drops `tools` from the request, answers 200, and the \
                     model never sees the schema. On a template with tools this row would look different; here the library's \
                     default mode fails without a word about the cause.";

/// The whole page.
pub(crate) fn page(facts: &Facts, turns: &[Turn]) -> String {
    let mut text = INTRODUCTION.to_owned();
    let mut section = |title: &str, body: &str| {
        let _ = write!(text, "\n## {title}\n\n{body}");
    };
    let like: Vec<Row<'_>> = rows(turns, CAP);
    let tight: Vec<Row<'_>> = rows(turns, TIGHT_CAP);
    section("The run", &table(&["", ""], &facts.rows()));
    section("Like for like", &like_for_like(&like, turns));
    section("Against the best peer", &against_the_best(&like));
    section(&format!("When {TIGHT_CAP} tokens cut the reply"), &when_cut(&tight));
    section("What gave no value", &failures(turns));
    text
}

/// A contestant's turns under one cap.
struct Row<'a> {
    entry: &'static Entry,
    turns: Vec<&'a Turn>,
}

impl Row<'_> {
    fn valid(&self) -> Share {
        Share::count(&self.turns, |turn| turn.valid)
    }

    fn mean(&self, figure: fn(&Turn) -> f64) -> Option<Estimate> {
        mean_of(self.turns.iter().map(|turn| figure(turn)))
    }

    fn calls(&self) -> Option<Estimate> {
        self.mean(|turn| float(turn.calls))
    }

    fn seconds(&self) -> Option<Estimate> {
        self.mean(seconds)
    }

    fn tokens(&self) -> Option<Estimate> {
        self.mean(|turn| float(turn.completion_tokens))
    }
}

fn rows(turns: &[Turn], cap: u64) -> Vec<Row<'_>> {
    let of = |entry: &'static Entry| Row {
        entry,
        turns: turns.iter().filter(|turn| turn.contestant == entry.name && turn.cap == cap).collect(),
    };
    Entry::ALL.iter().map(of).filter(|row| !row.turns.is_empty()).collect()
}

fn calls(row: &Row<'_>) -> String {
    row.calls().map_or_else(|| "-".to_owned(), |calls| format!("{calls:.2}"))
}

fn seconds(turn: &Turn) -> f64 {
    float(turn.ms) / 1000.0
}

fn like_for_like(rows: &[Row<'_>], turns: &[Turn]) -> String {
    let head = [
        "contestant",
        "set up",
        "valid",
        "calls",
        "prompt tokens",
        "reply tokens",
        "seconds",
        "median",
        "characters of a value",
    ];
    let cells = |row: &Row<'_>| {
        let picked = if row.entry.is_picked { ", picked by hand" } else { "" };
        let chars = mean_of(row.turns.iter().filter(|turn| turn.valid).map(|turn| float(turn.chars)));
        vec![
            row.entry.name.to_owned(),
            format!("{}{picked}", row.entry.how),
            row.valid().to_string(),
            calls(row),
            whole(row.mean(|turn| float(turn.prompt_tokens))),
            whole(row.tokens()),
            one_place(row.seconds()),
            one_place(median_of(row.turns.iter().map(|turn| seconds(turn)))),
            whole(chars),
        ]
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let mut text = table(&head, &rows);
    text.push_str(
        "\nCalls, tokens and seconds are means of a prompt, all tries included; the characters are those of a valid value in \
         compact JSON. Intervals, in parentheses, are at 95 %: Wilson's for shares, Student's for means, by ranks for medians.\n",
    );
    if let Some(first) = turns.iter().find(|turn| turn.contestant == "finding out") {
        let _ = writeln!(
            text,
            "\nOurs finds out before its first call what the server enforces. Here all five mechanisms were tried: {} calls, {} \
             prompt and {} reply tokens, {:.1} s; kept between runs where a cache folder is named, and not in the table.",
            first.calls,
            first.prompt_tokens,
            first.completion_tokens,
            float(first.ms) / 1000.0
        );
    }
    let left: u64 = turns.iter().map(|turn| turn.left).sum();
    if left > 0 {
        let _ = writeln!(
            text,
            "\nOf {left} calls the server never said what they cost: they failed, or ours left the stream once it had seen enough (of \
             a probe, or of a loop). Their pieces are counted as reply tokens, their prompts not at all."
        );
    }
    text
}

/// What ours may need of what the best peer needs.
const TOKENS_TARGET: f64 = 0.7;
const SECONDS_TARGET: f64 = 0.8;

/// The least of a figure among the peers that gave the most values, and whose it is.
fn best<'r>(rows: &[Row<'r>], most: u32, figure: impl Fn(&Row<'r>) -> Option<Estimate>) -> Option<(f64, &'static str)> {
    let peers = rows.iter().filter(|row| !row.entry.is_ours() && row.valid().hits == most);
    let figures = peers.filter_map(|row| Some((figure(row)?.point, row.entry.name)));
    figures.min_by(|one, other| one.0.total_cmp(&other.0))
}

fn against_the_best(rows: &[Row<'_>]) -> String {
    let peers = rows.iter().filter(|row| !row.entry.is_ours());
    let Some(most) = peers.map(|row| row.valid().hits).max() else { return "No peer took part.\n".to_owned() };
    let mut text = format!("The best peers gave {most} valid values; among these:\n\n");
    for row in rows.iter().filter(|row| row.entry.is_ours()) {
        let named = Share::count(&row.turns, |turn| turn.valid || is_named(turn));
        let verdict = if named.is_whole() {
            "each a value or a named outcome"
        } else {
            "**not each a value or a named outcome**"
        };
        let _ = writeln!(text, "* *{}*: {} valid, {verdict} ({named}).", row.entry.name, row.valid());
        let figures = [
            ("reply tokens", row.tokens(), best(rows, most, Row::tokens), TOKENS_TARGET),
            ("seconds", row.seconds(), best(rows, most, Row::seconds), SECONDS_TARGET),
        ];
        for (what, own, best, target) in figures {
            let (Some(own), Some((peer, name))) = (own.map(|own| own.point), best) else { continue };
            let ratio = own / peer;
            let verdict = if ratio <= target { "met" } else { "**missed**" };
            let _ = writeln!(
                text,
                "  * {what}: {own:.1}, {ratio:.2}× of the {peer:.1} of {name}; the aim of {target}× is {verdict}."
            );
        }
        let _ = write!(text, "{}", by_contract(row, rows, most));
    }
    text
}

/// Where the tokens go: without it nobody can tell a compact notation from a short answer.
fn by_contract(own: &Row<'_>, rows: &[Row<'_>], most: u32) -> String {
    let mut text = String::new();
    let mut names: Vec<&str> = own.turns.iter().map(|turn| turn.contract.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let figures = |row: &Row<'_>| {
            let valid = || row.turns.iter().filter(|turn| turn.contract == name && turn.valid);
            let tokens = mean(valid().map(|turn| float(turn.completion_tokens)));
            Some((tokens?, mean(valid().map(|turn| float(turn.chars)))?))
        };
        let peers = rows.iter().filter(|row| !row.entry.is_ours() && row.valid().hits == most);
        let best = peers
            .filter_map(|row| Some((figures(row)?, row.entry.name)))
            .min_by(|one, other| one.0.0.total_cmp(&other.0.0));
        if let (Some((tokens, chars)), Some(((peer_tokens, peer_chars), peer))) = (figures(own), best) {
            let _ = writeln!(
                text,
                "  * `{name}`: {tokens:.0} tokens for {chars:.0} characters, {peer} {peer_tokens:.0} for {peer_chars:.0}."
            );
        }
    }
    text
}

fn is_named(turn: &Turn) -> bool {
    turn.said.as_deref().is_some_and(|said| !said.starts_with(FALSE_VALUE) && !said.starts_with("error"))
}

fn when_cut(rows: &[Row<'_>]) -> String {
    let cells = |row: &Row<'_>| {
        let said = row.turns.iter().find_map(|turn| turn.said.as_deref());
        vec![
            row.entry.name.to_owned(),
            row.valid().to_string(),
            calls(row),
            row.turns.iter().map(|turn| turn.calls).max().unwrap_or(0).to_string(),
            whole(row.tokens()),
            one_place(row.seconds()),
            said.map_or_else(|| "-".to_owned(), |said| quoted(said, 110)),
        ]
    };
    let head =
        ["contestant", "valid", "calls", "most calls", "reply tokens", "seconds", "its words, where it gave no value"];
    let table = table(&head, &rows.iter().map(cells).collect::<Vec<_>>());
    let raised = rows.iter().find(|row| row.entry.name == "ours, raised once");
    let share = raised.map(|row| Share::count(&row.turns, |turn| turn.valid && turn.calls <= 2)).unwrap_or_default();
    let verdict = if share.is_whole() { "met" } else { "**missed**" };
    format!(
        "{table}\nThe first prompt once more, with a cap below what the contracts need. A cap that the caller names is the caller's \
         word, so ours calls such a reply truncated and leaves it there; the outcome tells the caller to give it more room. Valid in \
         at most two calls when the caller does: {verdict}, {share}.\n"
    )
}

/// Each way to fail, by contestant, with the words of its first.
fn failures(turns: &[Turn]) -> String {
    let mut found: BTreeMap<(&str, &str), (u32, &str)> = BTreeMap::new();
    for turn in turns.iter().filter(|turn| turn.cap == CAP) {
        if let Some(said) = turn.said.as_deref() {
            let class = said.split(": ").next().unwrap_or(said);
            found.entry((turn.contestant.as_str(), class)).and_modify(|(count, _)| *count += 1).or_insert((1, said));
        }
    }
    if found.is_empty() {
        return format!("With a cap of {CAP} tokens every turn gave a valid value.\n");
    }
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|((who, _), (count, words))| vec![(*who).to_owned(), count.to_string(), quoted(words, 160)])
        .collect();
    let mut text = table(&["contestant", "prompts", "its words, for example"], &rows);
    text.push('\n');
    let peers = || {
        found
            .iter()
            .filter_map(|((who, _), (_, words))| Some((Entry::named(who)?, *words)))
            .filter(|(entry, _)| !entry.is_ours())
    };
    let mut reason = |whom: Vec<&str>, why: &str| {
        let mut whom = whom;
        whom.dedup();
        if !whom.is_empty() {
            let _ = writeln!(text, "* {}: {why}", whom.join(", "));
        }
    };
    reason(peers().filter(|(entry, _)| !entry.is_constrained).map(|(entry, _)| entry.name).collect(), TOOLS);
    let is_cut = |words: &str| CUT.0.iter().any(|mark| words.contains(mark));
    reason(
        peers().filter(|(entry, words)| entry.is_constrained && is_cut(words)).map(|(entry, _)| entry.name).collect(),
        CUT.1,
    );
    text
}

fn float(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(contestant: &str, cap: u64, tokens: u64, ms: u64) -> Turn {
        Turn {
            contestant: contestant.to_owned(),
            contract: "review".to_owned(),
            prompt: "flag".to_owned(),
            cap,
            valid: true,
            said: None,
            chars: 90,
            calls: 1,
            left: 0,
            prompt_tokens: 100,
            completion_tokens: tokens,
            ms,
        }
    }

    fn failed(contestant: &str, cap: u64, said: &str) -> Turn {
        Turn { valid: false, said: Some(said.to_owned()), chars: 0, ..turn(contestant, cap, 400, 9000) }
    }

    fn page_of(turns: &[Turn]) -> String {
        page(&Facts::now("cargo xtask eval --peers"), turns)
    }

    #[test]
    fn the_best_peer_is_one_of_those_with_the_most_values() {
        let page = page_of(&[
            turn("ours", CAP, 70, 900),
            turn("openai-parse", CAP, 100, 1000),
            turn("langchain", CAP, 120, 2000),
            // Quick, and without a value.
            Turn { completion_tokens: 1, ms: 1, ..failed("outlines", CAP, "ValidationError: EOF") },
        ]);
        assert!(
            page.contains("reply tokens: 70.0, 0.70× of the 100.0 of openai-parse; the aim of 0.7× is met."),
            "{page}"
        );
        assert!(
            page.contains("seconds: 0.9, 0.90× of the 1.0 of openai-parse; the aim of 0.8× is **missed**."),
            "{page}"
        );
        assert!(page.contains("`review`: 70 tokens for 90 characters, openai-parse 100 for 90."), "{page}");
    }

    #[test]
    fn an_error_of_ours_is_no_named_outcome() {
        let named = page_of(&[failed("ours", CAP, "truncated (in_value)"), turn("outlines", CAP, 1, 1)]);
        assert!(named.contains("*ours*: 0/1 (0–79 %) valid, each a value or a named outcome (1/1"), "{named}");
        for said in ["error: no connection", "a value that breaks the contract: /a: no"] {
            let page = page_of(&[failed("ours", CAP, said), turn("outlines", CAP, 1, 1)]);
            assert!(page.contains("**not each a value or a named outcome**"), "{page}");
        }
    }

    #[test]
    fn a_third_call_misses_the_aim_for_cut_replies() {
        let raised = |calls| Turn { calls, ..turn("ours, raised once", TIGHT_CAP, 90, 900) };
        assert!(page_of(&[raised(2)]).contains("when the caller does: met, 1/1"));
        assert!(page_of(&[raised(2), raised(3)]).contains("when the caller does: **missed**, 1/2"));
        assert!(page_of(&[]).contains("when the caller does: **missed**, -"));
    }

    #[test]
    fn failures_are_told_with_their_reasons() {
        let page = page_of(&[
            failed("instructor-tools", CAP, "RetryError <- ValidationError: no tool call"),
            failed("instructor-tools", CAP, "RetryError <- ValidationError: another"),
            failed("openai-parse", CAP, "LengthFinishReasonError: cut"),
            failed("genai", CAP, "Error: something else"),
        ]);
        assert!(page.contains("| instructor-tools | 2 | `RetryError <- ValidationError: no tool call` |"), "{page}");
        assert!(page.contains("* instructor-tools: the model's chat template has no tools"), "{page}");
        assert!(page.contains("* openai-parse: the reply was cut at the cap."), "{page}");
    }

    #[test]
    fn calls_without_a_count_are_owned_up_to() {
        assert!(!page_of(&[turn("ours", CAP, 1, 1)]).contains("never said what they cost"));
        let page = page_of(&[Turn { left: 2, ..turn("ours", CAP, 1, 1) }]);
        assert!(page.contains("Of 2 calls the server never said what they cost"), "{page}");
    }
}
