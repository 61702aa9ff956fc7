//! docs/grammars.md: how large each contract's grammar is, and how many stacks of the engine it keeps alive.

use schoolmarm::{Grammar, GrammarState};
use slm_schema::{Contract, Registry};

use crate::Outcome;
use crate::markdown::table;

/// Documents that are read for each contract.
const SAMPLES: u64 = 100;

const HEADER: &str = "\
# What the grammars cost

Written by `cargo xtask grammars` from the code; do not edit.

A server that samples under a grammar keeps a set of stacks: one for each way in which the text may go on. llama.cpp checks the
token that was sampled against all of them, and masks its whole vocabulary by each of them where that token is refused; so what
matters is how many are live at once, and how many rules there are to read for each request.

";

const FOOTER: &str = "
Three are live inside a string: a plain character, an escape, the closing quote. More are live where the words of an enum part, or
the names of the properties that may come next. They are as few as can be, in the sense of this: a stack reads one class of
characters, and what follows is the same for all of them. In no state of any contract do two live stacks read the same character,
and in none do two go on alike; so a grammar in which each character decides what follows needs one for each of them. A test of
`slm-schema` visits every state, of the contracts and of generated schemas, and finds for the contracts the figures above.

Where a schema itself leaves open which of its parts is meant, more are live than that: branches of a union that overlap, names
of an object that takes others beside those it declares, patterns and formats, counts over 1999. The optional properties of an
object are written out for each place that they may follow, up to 300 times in all, about 17 properties that each may be left
out; beyond that a choice goes on in another one, and stacks of both are live.
";

/// The page.
pub(crate) fn page() -> Outcome<String> {
    let row = |contract: &Contract| {
        let grammar = contract.grammar();
        let most = most_live(contract, grammar.as_str())?;
        Ok(vec![
            contract.name().to_owned(),
            grammar.rule_count().to_string(),
            grammar.as_str().len().to_string(),
            most.to_string(),
        ])
    };
    let rows = Registry::builtin().iter().map(row).collect::<Outcome<Vec<_>>>()?;
    Ok(format!("{HEADER}{}{FOOTER}", table(&["contract", "rules", "bytes", "live stacks at most"], &rows)))
}

/// The most stacks that are live anywhere in some documents.
fn most_live(contract: &Contract, grammar: &str) -> Outcome<usize> {
    let failed = |error: schoolmarm::GrammarError| format!("the grammar of {}: {error}", contract.name());
    let mut state = GrammarState::new(Grammar::new(grammar).map_err(failed)?).map_err(failed)?;
    let mut most = 0;
    for document in (0..SAMPLES).filter_map(|seed| contract.sample(seed)) {
        state.reset().map_err(failed)?;
        most = most.max(state.num_stacks());
        for c in document.chars() {
            state.accept_token(c.encode_utf8(&mut [0; 4])).map_err(failed)?;
            most = most.max(state.num_stacks());
        }
    }
    Ok(most)
}
