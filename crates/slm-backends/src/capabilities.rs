//! What an endpoint was seen to enforce, and what was taken away again.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::mechanism::Mechanism;
use crate::plain::{plain, without_secrets};

/// What is known about one mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A probe obeyed it.
    Enforced,
    /// It is taken with a 200 and changes nothing.
    Ignored,
    /// The endpoint refuses it.
    Rejected,
    /// Nothing was seen that says either way.
    #[default]
    Untried,
}

impl State {
    /// The state's name, as documents spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enforced => "enforced",
            Self::Ignored => "ignored",
            Self::Rejected => "rejected",
            Self::Untried => "untried",
        }
    }
}

/// How a schema goes on the wire where there is more than one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Spelling {
    /// The `strict` flag is left out: the endpoint refused it.
    pub(crate) without_strict: bool,
    /// `guided_json` in place of `structured_outputs`.
    pub(crate) older_guided: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
struct Knowledge {
    state: State,
    detail: String,
    probed: bool,
    /// Hashes of the contracts for which the endpoint refused it.
    refused_contracts: BTreeSet<u64>,
    /// Hashes of the contracts that it took only without `strict`.
    lenient_contracts: BTreeSet<u64>,
    /// By the hashes of contracts, the keywords without which it took them.
    put_aside: BTreeMap<u64, Vec<String>>,
}

/// What an endpoint was seen to enforce. The zero value is the floor, [`Mechanism::PromptOnly`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is so or not, whatever the others are")]
pub struct Capabilities {
    known: BTreeMap<Mechanism, Knowledge>,
    spelling: Spelling,
    thinks: bool,
    without_streams: bool,
    folds_system: bool,
    without_stop: bool,
}

impl Capabilities {
    /// What is known about a mechanism.
    pub fn state(&self, mechanism: Mechanism) -> State {
        self.known.get(&mechanism).map(|known| known.state).unwrap_or_default()
    }

    /// Where that is known from, in one line; empty where nothing is known.
    pub fn detail(&self, mechanism: Mechanism) -> &str {
        self.known.get(&mechanism).map(|known| known.detail.as_str()).unwrap_or_default()
    }

    /// The mechanisms that were seen enforced, strongest first.
    pub fn enforced(&self) -> impl Iterator<Item = Mechanism> {
        Mechanism::ALL.into_iter().filter(|mechanism| self.is_enforced(*mechanism))
    }

    /// Was it seen enforced, and not been taken away since?
    pub fn is_enforced(&self, mechanism: Mechanism) -> bool {
        self.state(mechanism) == State::Enforced
    }

    /// For how many contracts was it taken away?
    pub fn refused_contracts(&self, mechanism: Mechanism) -> usize {
        self.known.get(&mechanism).map_or(0, |known| known.refused_contracts.len())
    }

    /// May this contract be sent by it?
    pub(crate) fn carries(&self, mechanism: Mechanism, contract: u64) -> bool {
        self.known
            .get(&mechanism)
            .is_some_and(|known| known.state == State::Enforced && !known.refused_contracts.contains(&contract))
    }

    /// Has a probe of it come to an end, with or without evidence?
    pub(crate) fn is_probed(&self, mechanism: Mechanism) -> bool {
        self.known.get(&mechanism).is_some_and(|known| known.probed)
    }

    /// Was the model seen thinking before it answers?
    pub(crate) fn thinks(&self) -> bool {
        self.thinks
    }

    /// Is nothing known that a later run could use?
    pub(crate) fn is_empty(&self) -> bool {
        !self.without_streams
            && !self.folds_system
            && !self.without_stop
            && !self.known.values().any(|known| known.probed)
    }

    /// Adds what `other` knows about mechanisms that were not probed here.
    pub(crate) fn add_unknown(&mut self, other: &Self) {
        let open = Mechanism::ALL.into_iter().filter(|mechanism| !self.is_probed(*mechanism)).collect::<Vec<_>>();
        for mechanism in open {
            let Some(theirs) = other.known.get(&mechanism).filter(|theirs| theirs.probed) else { continue };
            self.known.insert(mechanism, theirs.clone());
            match mechanism {
                Mechanism::JsonSchema => self.spelling.without_strict = other.spelling.without_strict,
                Mechanism::GuidedJson => self.spelling.older_guided = other.spelling.older_guided,
                Mechanism::GbnfGrammar | Mechanism::JsonObject | Mechanism::PromptOnly => {}
            }
        }
        self.thinks |= other.thinks;
        self.without_streams |= other.without_streams;
        self.folds_system |= other.folds_system;
        self.without_stop |= other.without_stop;
    }

    /// The same with its words fit for a terminal: they come from a file that anything may have written.
    pub(crate) fn plain(self) -> Self {
        self.with_details(plain)
    }

    /// The same without these texts in its words.
    pub(crate) fn without(&self, secrets: &[String]) -> Self {
        self.clone().with_details(|detail| without_secrets(detail, secrets))
    }

    fn with_details(mut self, change: impl Fn(&str) -> String) -> Self {
        for known in self.known.values_mut() {
            known.detail = change(&known.detail);
        }
        self
    }

    /// Was a request not refused for asking for a stream?
    pub(crate) fn may_stream(&self) -> bool {
        !self.without_streams
    }

    /// Does the system message have to stand in the user's?
    pub(crate) fn folds_system(&self) -> bool {
        self.folds_system
    }

    /// Was a request not refused for its stop strings?
    pub(crate) fn takes_stop(&self) -> bool {
        !self.without_stop
    }

    pub(crate) fn learn_no_stop(&mut self) {
        self.without_stop = true;
    }

    pub(crate) fn learn_to_fold_system(&mut self) {
        self.folds_system = true;
    }

    pub(crate) fn learn_no_streams(&mut self) {
        self.without_streams = true;
    }

    pub(crate) fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// How this contract goes on the wire.
    pub(crate) fn spelling_for(&self, contract: u64) -> Spelling {
        let is_lenient =
            self.known.get(&Mechanism::JsonSchema).is_some_and(|k| k.lenient_contracts.contains(&contract));
        Spelling { without_strict: self.spelling.without_strict || is_lenient, ..self.spelling }
    }

    pub(crate) fn learn(&mut self, mechanism: Mechanism, state: State, detail: impl Into<String>) {
        let known = self.known.entry(mechanism).or_default();
        known.state = state;
        known.detail = detail.into();
        known.probed = true;
    }

    pub(crate) fn learn_spelling(&mut self, spelling: Spelling) {
        self.spelling = spelling;
    }

    pub(crate) fn learn_thinking(&mut self) {
        self.thinks = true;
    }

    pub(crate) fn take_without_strict(&mut self, contract: u64) {
        self.known.entry(Mechanism::JsonSchema).or_default().lenient_contracts.insert(contract);
    }

    /// The keywords that the endpoint does not take in this contract.
    pub(crate) fn put_aside(&self, mechanism: Mechanism, contract: u64) -> &[String] {
        self.known.get(&mechanism).and_then(|known| known.put_aside.get(&contract)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn take_without(&mut self, mechanism: Mechanism, contract: u64, keywords: Vec<String>) {
        self.known.entry(mechanism).or_default().put_aside.insert(contract, keywords);
    }

    pub(crate) fn refuse_contract(&mut self, mechanism: Mechanism, contract: u64) {
        self.known.entry(mechanism).or_default().refused_contracts.insert(contract);
    }
}
