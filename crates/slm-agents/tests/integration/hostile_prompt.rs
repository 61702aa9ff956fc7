//! Whatever a prompt holds, it is judged: each finding stands on a line of it, and nothing panics.

use proptest::prelude::*;
use slm_agents::{check_prompt, unmentioned_fields};

use crate::contract;

/// Pieces that mean something to the check.
const PIECES: [&str; 43] = [
    "`",
    "``",
    "```",
    "```json\n",
    "\n",
    "\n\n",
    "- ",
    "  - ",
    "1. ",
    "| ",
    " |",
    "**",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "“",
    "”",
    ": ",
    ", ",
    "…",
    "…é",
    "\u{feff}",
    "\t",
    "\\",
    "//",
    "#",
    "summary",
    "findings[].",
    "line",
    "verdit",
    "score",
    "approve",
    "each finding has ",
    "put it in ",
    "set verdict to ",
    " is ",
    "verdict",
    "Answer: ",
    "never ",
    "12",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_prompts(pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..40)) {
        let prompt = pieces.concat();
        let lines = prompt.split('\n').count();
        let found = check_prompt(&prompt, contract("review"));
        for finding in &found {
            prop_assert!((1..=lines).contains(&finding.line), "{finding}");
            prop_assert!(!finding.message().is_empty());
        }
        prop_assert!(found.is_sorted_by_key(|finding| finding.line));
        prop_assert!(unmentioned_fields(&prompt, contract("review")).len() <= 8);
    }

    #[test]
    fn random_text(prompt in any::<String>()) {
        let _findings = check_prompt(&prompt, contract("tasks"));
    }
}
