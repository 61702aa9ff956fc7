//! What a probe asks, and what only a constraint can have made of it.

use std::sync::LazyLock;

use serde_json::Value;
use slm_schema::Contract;

use crate::mechanism::Mechanism;
use crate::wire::chat::{Message, Speaker};

/// No reply to the question holds this name by chance, and no prompt shows it. It is short, since a slow server writes two
/// tokens in a second.
const GUARD: &str = "zq";

static CANARY: LazyLock<Option<Contract>> = LazyLock::new(|| {
    let schema = format!(
        r#"{{"type":"object","properties":{{"{GUARD}":{{"type":"boolean"}}}},"required":["{GUARD}"],"additionalProperties":false}}"#
    );
    Contract::from_json("probe", &schema).ok()
});

/// The contract of probes: an object with one boolean of an odd name. Its schema is a constant that parses.
pub(crate) fn canary() -> Option<&'static Contract> {
    CANARY.as_ref()
}

/// A question whose natural answer breaks the constraint.
pub(super) fn question(mechanism: Mechanism) -> Vec<Message> {
    let text = match mechanism {
        // Some endpoints take `json_object` only where the prompt says JSON.
        Mechanism::JsonObject => "Do not write JSON. Reply with this single word and nothing else: hello",
        Mechanism::JsonSchema | Mechanism::GuidedJson | Mechanism::GbnfGrammar | Mechanism::PromptOnly => {
            "In one short sentence of plain prose: what colour is a clear sky at noon?"
        }
    };
    vec![Message::new(Speaker::User, text)]
}

/// Does a whole reply obey the mechanism?
pub(super) fn obeys(mechanism: Mechanism, text: &str) -> bool {
    match mechanism {
        // The name says it all, whatever stands around it: reasoning before the constraint begins, a fence.
        Mechanism::JsonSchema | Mechanism::GuidedJson | Mechanism::GbnfGrammar => {
            let value = slm_repair::repair(text).map(|repaired| repaired.value);
            canary().zip(value.ok()).is_some_and(|(contract, value)| contract.validate(&value).is_empty())
        }
        // Models write objects of themselves, though hardly where they are told not to: the reply as it is must be one.
        Mechanism::JsonObject => {
            let answer = text.rsplit("</think>").next().unwrap_or(text).trim();
            matches!(serde_json::from_str(answer), Ok(Value::Object(_)))
        }
        Mechanism::PromptOnly => false,
    }
}
