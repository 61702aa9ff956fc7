//! Which mechanism carries a contract: the ranks decide among those that were seen enforced.

use slm_schema::Contract;

use crate::capabilities::{Capabilities, State};
use crate::mechanism::Mechanism;
use crate::provider::Provider;

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Find out about this mechanism first.
    Probe(Mechanism),
    /// Send the contract by this one.
    Use(Mechanism),
}

/// Decides what to do next for a contract, by what is known so far.
pub(crate) fn next(known: &Capabilities, provider: Provider, contract: &Contract, hash: u64) -> Next {
    let usable = |mechanism| known.carries(mechanism, hash);
    let is_open = |mechanism| known.state(mechanism) == State::Untried && !known.is_probed(mechanism);
    for mechanism in provider.preset().prior.iter().copied() {
        if is_open(mechanism) {
            return Next::Probe(mechanism);
        }
        if !usable(mechanism) {
            continue;
        }
        if mechanism == Mechanism::JsonSchema && may_prefer_grammar(known, provider, contract) {
            if is_open(Mechanism::GbnfGrammar) {
                return Next::Probe(Mechanism::GbnfGrammar);
            }
            if usable(Mechanism::GbnfGrammar) {
                return Next::Use(Mechanism::GbnfGrammar);
            }
        }
        return Next::Use(mechanism);
    }
    Next::Use(Mechanism::PromptOnly)
}

/// Our grammar goes first where the provider's own converter is the weaker one and for this contract it really is; but a
/// grammar from the first token would silence a model that thinks first.
fn may_prefer_grammar(known: &Capabilities, provider: Provider, contract: &Contract) -> bool {
    let enforced = |mechanism| contract.lower(provider.dialect(mechanism, true)).report.enforced();
    provider.preset().grammar_first
        && !known.thinks()
        && enforced(Mechanism::GbnfGrammar) >= enforced(Mechanism::JsonSchema)
}
