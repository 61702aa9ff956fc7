//! What an endpoint is and does, for a person who wants to know why.

use std::time::Duration;

use slm_schema::{Contract, EnforcementReport};

use crate::capabilities::{Capabilities, State};
use crate::connection::Connection;
use crate::endpoint::Endpoint;
use crate::hash::fnv1a;
use crate::identify::{Identity, Reach, Server};
use crate::knowledge::Knowledge;
use crate::mechanism::Mechanism;
use crate::negotiate::{self, Next};
use crate::plain::plain;
use crate::probe::canary;
use crate::provider::Provider;

/// What was found out about one mechanism.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MechanismReport {
    /// Which.
    pub mechanism: Mechanism,
    /// What the probe showed.
    pub state: State,
    /// In one line, what it rests on.
    pub detail: String,
}

/// Everything that could be found out about an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// Did anything answer?
    pub reachable: bool,
    /// What serves it.
    pub server: Option<Server>,
    /// The preset in use: the configured one, or the one that was recognised.
    pub provider: Provider,
    /// The address.
    pub endpoint: Endpoint,
    /// The model that calls will use.
    pub model: Option<String>,
    /// The models that it lists.
    pub models: Vec<String>,
    /// The tokens that prompt and answer have together.
    pub context_window: Option<u64>,
    /// How many requests it works on at once.
    pub slots: Option<u64>,
    /// How long it took to list its models.
    pub latency: Option<Duration>,
    /// All five mechanisms, strongest first.
    pub mechanisms: Vec<MechanismReport>,
    /// The mechanism that calls will use.
    pub selected: Mechanism,
    /// Why that is not a stronger one, each with the fix; for an unreachable endpoint, what to start.
    pub causes: Vec<String>,
    capabilities: Capabilities,
    forced: Option<Mechanism>,
}

impl Diagnosis {
    /// The mechanism that a call of this contract would use as things stand, and who would see to each of its rules.
    pub fn enforcement(&self, contract: &Contract) -> (Mechanism, EnforcementReport) {
        let hash = fnv1a(&contract.to_json());
        let lowered = |mechanism| {
            let strict = !self.capabilities.spelling_for(hash).without_strict;
            contract.lower(self.provider.dialect(mechanism, strict))
        };
        if let Some(forced) = self.forced {
            return (forced, lowered(forced).report);
        }
        let first = match negotiate::next(&self.capabilities, self.provider, contract, hash) {
            Next::Use(mechanism) => Some(mechanism),
            Next::Probe(_) => None,
        };
        // A schema beyond a mechanism's limits goes by the next one.
        let others = self.capabilities.enforced().filter(|mechanism| self.capabilities.carries(*mechanism, hash));
        let fitting = first.into_iter().chain(others).find(|mechanism| lowered(*mechanism).check().is_ok());
        let mechanism = fitting.unwrap_or_default();
        (mechanism, lowered(mechanism).report)
    }
}

/// Finds out everything that can be found out.
pub(crate) async fn diagnose(connection: &Connection, knowledge: &Knowledge) -> Diagnosis {
    let (identity, capabilities) = knowledge.explore(connection).await;
    let model = connection.config.model.clone().or_else(|| identity.models.first().cloned());
    let selected = match (connection.config.mechanism, canary()) {
        (Some(forced), _) => forced,
        (None, Some(contract)) => match negotiate::next(&capabilities, identity.provider, contract, 0) {
            Next::Use(mechanism) => mechanism,
            // Not every probe could be sent: what is known decides.
            Next::Probe(_) => capabilities.enforced().next().unwrap_or_default(),
        },
        (None, None) => Mechanism::PromptOnly,
    };
    let mechanisms = Mechanism::ALL
        .into_iter()
        .map(|mechanism| MechanismReport {
            mechanism,
            state: capabilities.state(mechanism),
            detail: detail(&capabilities, &identity, mechanism),
        })
        .collect();
    Diagnosis {
        reachable: identity.is_reachable(),
        server: identity.server.clone(),
        provider: identity.provider,
        endpoint: connection.endpoint.clone(),
        causes: causes(connection, &identity, &capabilities, selected),
        model,
        models: identity.models.clone(),
        context_window: identity.window,
        slots: identity.slots,
        latency: identity.latency,
        mechanisms,
        selected,
        forced: connection.config.mechanism,
        capabilities,
    }
}

fn detail(known: &Capabilities, identity: &Identity, mechanism: Mechanism) -> String {
    let detail = known.detail(mechanism);
    if !detail.is_empty() {
        return detail.to_owned();
    }
    match (mechanism, &identity.reach) {
        (Mechanism::PromptOnly, _) => "the floor: works everywhere and enforces nothing".to_owned(),
        (_, Reach::Unreachable(_) | Reach::Silent) => "the endpoint does not answer".to_owned(),
        (_, Reach::Answered(status)) if *status >= 400 => format!("the endpoint answers {status}"),
        (_, Reach::Answered(_)) => "the endpoint would not answer the probe, or not in time".to_owned(),
    }
}

fn causes(connection: &Connection, identity: &Identity, known: &Capabilities, selected: Mechanism) -> Vec<String> {
    let mut causes = Vec::new();
    let start = identity.provider.preset().start;
    match &identity.reach {
        Reach::Unreachable(failure) => {
            let hint = failure.hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default();
            causes.push(format!("{}{hint}", failure.message));
            return causes;
        }
        Reach::Silent => {
            causes.push(format!(
                "something listens there and does not answer; is it a model server? start one with `{start}`"
            ));
            return causes;
        }
        Reach::Answered(503) => causes.push("the model is still loading; ask again in a moment".to_owned()),
        Reach::Answered(401 | 403) => {
            causes.push("the endpoint asks for a key; set SLMCODE_API_KEY to one that it takes".to_owned());
        }
        Reach::Answered(400) => causes.push(
            "the endpoint will not list its models; a proxy without a database says so of a key that is not its own: set \
             SLMCODE_API_KEY to one that it takes"
                .to_owned(),
        ),
        Reach::Answered(404) if !connection.endpoint.names_a_version() => {
            causes.push("the endpoint lists no models; the address may lack /v1".to_owned());
        }
        Reach::Answered(_) => {}
    }
    if let Some(model) = &connection.config.model
        && !identity.models.is_empty()
        && !identity.models.contains(model)
    {
        let names = identity.models.join(", ");
        causes.push(format!("the endpoint does not list the model \"{model}\"; it lists {}", plain(&names)));
    }
    // Where our grammar goes before a schema that is enforced too, nothing was lost.
    let strongest = known.enforced().next().map_or(selected, |enforced| enforced.min(selected));
    let stronger = identity.provider.preset().prior.iter().filter(|mechanism| **mechanism < strongest);
    causes.extend(stronger.filter_map(|mechanism| cause(identity.provider, known, *mechanism)));
    causes
}

/// Why a mechanism that the provider may have is not enforced, and the fix.
fn cause(provider: Provider, known: &Capabilities, mechanism: Mechanism) -> Option<String> {
    let fix = match (known.state(mechanism), provider) {
        (State::Enforced, _) => return None,
        (State::Ignored, Provider::Ollama) => {
            "cloud models and MLX builds take a schema without enforcing it: pull a GGUF build of the model"
        }
        (State::Ignored, Provider::Vllm) => {
            "a reasoning parser can keep the grammar from starting: try without --reasoning-parser, or upgrade vLLM"
        }
        (State::Ignored, Provider::LlamaCpp) => "upgrade llama.cpp; some chat templates build grammars for tools only",
        (State::Ignored, Provider::LmStudio) => "use a GGUF model and a current version of LM Studio",
        (State::Ignored, _) => "a gateway may drop the field, or the server does not know it: ask the server directly",
        (State::Rejected, _) => "upgrade the server, or choose a model for which it has structured output",
        (State::Untried, _) => "ask again when the server is idle",
    };
    let detail = known.detail(mechanism);
    let detail = if detail.is_empty() { "could not be probed" } else { detail };
    Some(format!("{mechanism}: {detail}; {fix}"))
}
