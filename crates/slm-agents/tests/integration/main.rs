//! The crate as its users see it.

mod built_in;
mod documentation;
#[cfg(feature = "yaml")]
mod folder;
mod folding;
mod hostile_prompt;
#[cfg(feature = "yaml")]
mod hostile_yaml;
mod innocent;
#[cfg(feature = "yaml")]
mod load;
mod normalize;
mod planted;
mod prompt;
#[cfg(feature = "yaml")]
mod seeds;

use slm_agents::{Finding, check_prompt};
use slm_schema::{Contract, Registry};

#[expect(clippy::unwrap_used, reason = "a test's helper fails as the test does")]
fn contract(name: &str) -> &'static Contract {
    Registry::builtin().get(name).unwrap()
}

/// What the check finds in a prompt for a built-in contract, as `LINE NAME` or `LINE NAME in PLACE`.
fn findings(name: &str, prompt: &str) -> Vec<String> {
    check_prompt(prompt, contract(name)).iter().map(short).collect()
}

fn short(finding: &Finding) -> String {
    match finding.place.as_deref() {
        None => format!("{} {}", finding.line, finding.name),
        Some("") => format!("{} {} in root", finding.line, finding.name),
        Some(place) => format!("{} {} in {place}", finding.line, finding.name),
    }
}
