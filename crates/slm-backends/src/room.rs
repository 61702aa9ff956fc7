//! How many tokens a reply may have, where the caller does not say.

use slm_schema::Contract;

use crate::mechanism::Mechanism;

/// For a contract without a bound: larger than sensible documents, small enough that a loop ends.
const WITHOUT_BOUND: u64 = 2048;
/// For a model that thinks before it answers.
const THINKING: u64 = 4096;
/// A window with less left than this is better left to the endpoint's own judgement.
const LEAST: u64 = 64;

/// What a reply has to share its room with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Space {
    /// Does the model think before it answers?
    pub(crate) thinks: bool,
    /// More than one where a reply was cut before.
    pub(crate) room: u64,
    pub(crate) window: Option<u64>,
    pub(crate) prompt_tokens: u64,
}

/// The cap for a reply under this contract.
pub(crate) fn cap(contract: &Contract, mechanism: Mechanism, space: Space) -> Option<u64> {
    let Space { thinks, room, window, prompt_tokens } = space;
    let bound = contract.bound().and_then(|bound| u64::try_from(bound.max_tokens()).ok());
    let document = match (bound, mechanism) {
        (None, _) => WITHOUT_BOUND,
        // Our grammar leaves no white space to write.
        (Some(bound), Mechanism::GbnfGrammar) => bound,
        (Some(bound), Mechanism::JsonSchema | Mechanism::GuidedJson) => bound.saturating_mul(2).saturating_add(64),
        // Fences, prose, indentation.
        (Some(bound), Mechanism::JsonObject | Mechanism::PromptOnly) => bound.saturating_mul(2).saturating_add(512),
    };
    let wanted = document.saturating_add(if thinks { THINKING } else { 0 }).saturating_mul(room);
    // vLLM answers a cap beyond its window with a 400. The estimate of the prompt is low: a quarter is added.
    let left = window.map(|window| window.saturating_sub(prompt_tokens.saturating_mul(5) / 4).saturating_sub(LEAST));
    match left {
        Some(left) if left < LEAST => None,
        Some(left) => Some(wanted.min(left)),
        None => Some(wanted),
    }
}
