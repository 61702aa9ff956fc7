//! Which calls a run makes. Pure.

use std::fmt;

use serde::{Deserialize, Serialize};
use slm_backends::Mechanism;

use super::prompts::Prompt;

/// What is asked of the client: a mechanism, or to choose one itself; and how warm the model samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Setting {
    /// `None`: `auto`.
    pub(crate) mechanism: Option<Mechanism>,
    /// The sampling temperature.
    pub(crate) temperature: f64,
}

impl Setting {
    /// All that are compared, strongest first.
    pub(crate) const ALL: [Self; 7] = [
        Self { mechanism: None, temperature: 0.0 },
        Self { mechanism: Some(Mechanism::GbnfGrammar), temperature: 0.0 },
        Self { mechanism: Some(Mechanism::GbnfGrammar), temperature: 1.0 },
        Self { mechanism: Some(Mechanism::JsonSchema), temperature: 0.0 },
        Self { mechanism: Some(Mechanism::JsonSchema), temperature: 1.0 },
        Self { mechanism: Some(Mechanism::JsonObject), temperature: 0.0 },
        Self { mechanism: Some(Mechanism::PromptOnly), temperature: 0.0 },
    ];

    /// The mechanism's name, or `auto`.
    pub(crate) fn asked(self) -> &'static str {
        self.mechanism.map_or("auto", Mechanism::as_str)
    }

    /// Does this setting, by itself, leave the model no way to write an invalid document?
    pub(crate) fn is_enforced(self) -> bool {
        self.mechanism.is_some_and(|mechanism| mechanism < Mechanism::JsonObject)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} t={:.1}", self.asked(), self.temperature)
    }
}

/// One call, as its record names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Case {
    /// The contract's name.
    pub(crate) contract: String,
    /// The mechanism's name, or `auto`.
    pub(crate) asked: String,
    /// The sampling temperature.
    pub(crate) temperature: f64,
    /// The prompt's id.
    pub(crate) prompt: String,
    /// The sampler's seed.
    pub(crate) seed: u64,
}

impl Case {
    /// Was it made under this setting?
    pub(crate) fn is_under(&self, setting: Setting) -> bool {
        self.asked == setting.asked() && self.temperature.total_cmp(&setting.temperature).is_eq()
    }
}

/// From one contract's prompts to the next round's: without a common divisor with the size of the set, so that a contract
/// meets each prompt once before it meets one again.
const STRIDE: usize = 5;

/// The prompt that row `row` meets in round `round`.
pub(crate) fn prompt_of(prompts: &[Prompt], row: usize, round: usize) -> Option<&Prompt> {
    prompts.get((row + round * STRIDE) % prompts.len().max(1))
}

/// `rounds` prompts for each contract under each setting: the same for all settings, and others for the next contract, so
/// that even one round meets the whole set. A larger number adds calls and changes none.
pub(crate) fn cases(contracts: &[&str], prompts: &[Prompt], rounds: usize) -> Vec<(Case, Setting)> {
    let mut found = Vec::new();
    for round in 0..rounds {
        for (row, contract) in contracts.iter().enumerate() {
            let Some(prompt) = prompt_of(prompts, row, round) else { continue };
            for setting in Setting::ALL {
                let case = Case {
                    contract: (*contract).to_owned(),
                    asked: setting.asked().to_owned(),
                    temperature: setting.temperature,
                    prompt: prompt.id.clone(),
                    seed: u64::try_from(round).unwrap_or(u64::MAX).saturating_add(1),
                };
                found.push((case, setting));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::eval::prompts;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|row| format!("c{row}")).collect()
    }

    fn made(contracts: usize, rounds: usize) -> Vec<(Case, Setting)> {
        let names = names(contracts);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        cases(&names, &prompts::all().unwrap(), rounds)
    }

    #[test]
    fn one_round_over_the_contracts_meets_every_prompt_under_every_setting() {
        let prompts = prompts::all().unwrap();
        for setting in Setting::ALL {
            let met: BTreeSet<String> = made(16, 1)
                .into_iter()
                .filter(|(case, _)| case.is_under(setting))
                .map(|(case, _)| case.prompt)
                .collect();
            assert_eq!(met.len(), prompts.len(), "{setting}");
        }
    }

    #[test]
    fn a_contract_meets_each_prompt_once_before_one_again() {
        let count = prompts::all().unwrap().len();
        let met: BTreeSet<String> = made(3, count)
            .into_iter()
            .filter(|(case, setting)| case.contract == "c1" && *setting == Setting::ALL[0])
            .map(|(case, _)| case.prompt)
            .collect();
        assert_eq!(met.len(), count);
    }

    #[test]
    fn more_rounds_keep_the_calls_of_fewer() {
        let (few, many) = (made(16, 1), made(16, 3));
        assert_eq!(many.len(), 3 * few.len());
        assert_eq!(many[..few.len()], few[..]);
        let distinct: BTreeSet<String> = many.iter().map(|(case, _)| serde_json::to_string(case).unwrap()).collect();
        assert_eq!(distinct.len(), many.len(), "no call is made twice");
    }
}
