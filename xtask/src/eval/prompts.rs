//! What the models are asked: requests to a coding harness, plain ones and such that pull away from the contract.

use serde::Deserialize;

use crate::Outcome;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Prompt {
    /// Its name in the records.
    pub(crate) id: String,
    /// What makes it hard, in words; `plain` where nothing does.
    pub(crate) kind: String,
    /// The request.
    #[serde(rename = "prompt")]
    pub(crate) text: String,
}

/// The fixed set, in the order of its file.
pub(crate) fn all() -> Outcome<Vec<Prompt>> {
    let text = include_str!("../../../fixtures/eval/prompts.jsonl");
    text.lines()
        .enumerate()
        .map(|(line, text)| {
            serde_json::from_str(text).map_err(|error| format!("fixtures/eval/prompts.jsonl:{}: {error}", line + 1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_are_unique_and_every_kind_is_there() {
        let prompts = all().unwrap();
        let ids: BTreeSet<&str> = prompts.iter().map(|prompt| prompt.id.as_str()).collect();
        assert_eq!(ids.len(), prompts.len());
        let kinds: BTreeSet<&str> = prompts.iter().map(|prompt| prompt.kind.as_str()).collect();
        let expected = ["another language", "asks for another form", "nothing to go by", "plain", "quotes and code"];
        assert!(kinds.iter().eq(&expected), "{kinds:?}");
    }
}
