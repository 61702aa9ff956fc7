//! docs/benchmarks.md: the ratios of one run. Pure.

use std::fmt::Write as _;

use super::read::shown;
use crate::Outcome;
use crate::facts::Facts;
use crate::markdown::table;

/// What one run measured.
#[derive(Debug)]
pub(crate) struct Measured {
    /// The tables of the repair peers.
    pub(crate) repair: String,
    /// The tables of the grammar peers, where their workspace is there.
    pub(crate) grammar_peers: Option<String>,
    /// Our compiler beside llama.cpp's own converter.
    pub(crate) converter: Vec<Grammar>,
    /// A structured call beside a bare request.
    pub(crate) call: Call,
}

/// A contract's grammar, in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grammar {
    pub(crate) contract: String,
    pub(crate) ours: f64,
    pub(crate) theirs: f64,
}

/// A call, in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) bare: f64,
    /// With a mechanism that is set.
    pub(crate) set: f64,
    /// With one that is negotiated.
    pub(crate) negotiated: f64,
}

const INTRODUCTION: &str = "\
# Benchmarks

What the crates cost beside what a user would otherwise take. Made by `cargo xtask bench`, which runs the crates' own benches
one after the other. Times are medians where nothing else is said; only the ratios are worth comparing with those of another machine.
";

const REPAIR: &str = "\
`slm-repair` beside `jsonrepair` and `llm_json`, and beside one parse of the undamaged document by serde_json: × is ours over
that parse. All four in turns, round after round; the least of the rounds. A peer whose value is not the one that was meant has no time.

";

const GRAMMARS: &str = "\
`slm-schema` beside llguidance, both from the schema's text: ours to a printed grammar, which a server has yet to parse; theirs to a
parser over a vocabulary of single bytes that was made before, and, since it puts off a part of its work, to its first mask too; × is
ours over theirs. In turns, round after round; the least of the rounds. A peer that refuses the smallest valid document has no time.

";

const CONVERTER: &str = "\
`Contract::grammar` beside llama.cpp's own `json_schema_to_grammar` (made to write GBNF), each from the schema as it holds it in
memory; × is ours over theirs. Theirs is timed inside the prebuilt module. The two run in turns, and of each the quickest run counts.
The grammars are not the same: theirs lets the model write white space, and drops some rules silently.

";

const CALL: &str = "\
`Client::structured` beside a bare request of the same HTTP client, in turns, to a server on loopback that answers at once: what
negotiation, the prompt, the wire, repair and validation add. With a mechanism that is set, and with one that is negotiated,
where two are compared for the contract.

";

/// The whole page.
pub(crate) fn page(facts: &Facts, measured: &Measured) -> Outcome<String> {
    let mut text = format!("{INTRODUCTION}\n## The run\n\n{}", table(&["", ""], &facts.rows()));
    let mut section = |title: &str, about: &str, body: &str| {
        let _ = write!(text, "\n## {title}\n\n{about}{body}");
    };
    section("Repair", REPAIR, &measured.repair);
    if let Some(tables) = &measured.grammar_peers {
        section("Grammars beside other engines", GRAMMARS, tables);
    }
    section("Grammars beside llama.cpp's own converter", CONVERTER, &converter(&measured.converter)?);
    section("A call", CALL, &call(measured.call));
    Ok(text)
}

fn converter(grammars: &[Grammar]) -> Outcome<String> {
    let row = |grammar: &Grammar| {
        let Grammar { contract, ours, theirs } = grammar;
        vec![contract.clone(), shown(*ours), shown(*theirs), format!("{:.2}", ours / theirs)]
    };
    let rows: Vec<Vec<String>> = grammars.iter().map(row).collect();
    let mut ratios: Vec<f64> = grammars.iter().map(|grammar| grammar.ours / grammar.theirs).collect();
    ratios.sort_by(f64::total_cmp);
    let (Some(least), Some(most)) = (ratios.first(), ratios.last()) else {
        return Err("no grammar was measured".to_owned());
    };
    let table = table(&["contract", "slm-schema", "llama.cpp", "×"], &rows);
    Ok(format!("{table}\nFrom {least:.2}× to {most:.2}×.\n"))
}

fn call(call: Call) -> String {
    let row = |name: &str, time: f64| {
        vec![name.to_owned(), shown(time), format!("{:.2}", time / call.bare), shown((time - call.bare).max(0.0))]
    };
    let rows = [
        row("bare request", call.bare),
        row("structured, mechanism set", call.set),
        row("structured, mechanism negotiated", call.negotiated),
    ];
    table(&["", "median", "×", "added"], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_ours_over_theirs() {
        let measured = Measured {
            repair: "| case |\n".to_owned(),
            grammar_peers: Some("| engine |\n".to_owned()),
            converter: vec![
                Grammar { contract: "plan".to_owned(), ours: 20_000.0, theirs: 80_000.0 },
                Grammar { contract: "docs".to_owned(), ours: 30_000.0, theirs: 60_000.0 },
            ],
            call: Call { bare: 100_000.0, set: 150_000.0, negotiated: 160_000.0 },
        };
        let page = page(&Facts::now("cargo xtask bench"), &measured).unwrap();
        for expected in [
            "| plan | 20.0 µs | 80.0 µs | 0.25 |",
            "From 0.25× to 0.50×.",
            "| structured, mechanism set | 150.0 µs | 1.50 | 50.0 µs |",
            "| structured, mechanism negotiated | 160.0 µs | 1.60 | 60.0 µs |",
            "| command | `cargo xtask bench` |",
        ] {
            assert!(page.contains(expected), "{expected}:\n{page}");
        }
    }

    #[test]
    fn nothing_measured_is_no_page() {
        let measured = Measured {
            repair: String::new(),
            grammar_peers: None,
            converter: Vec::new(),
            call: Call { bare: 1.0, set: 1.0, negotiated: 1.0 },
        };
        assert!(page(&Facts::now("cargo xtask bench"), &measured).is_err());
    }
}
