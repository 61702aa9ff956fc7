//! Prompts: a template with a place for the contract, and the built-in one of each role that emits a contract.

use std::borrow::Cow;

use slm_schema::Contract;

use crate::error::{Error, ErrorKind};
use crate::id::{EMITTING, base_role, emitting};

/// Stands in a template where the contract's description goes.
pub const CONTRACT_PLACEHOLDER: &str = "{{contract}}";

/// A system prompt, its contract not yet filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    template: Cow<'static, str>,
}

impl Prompt {
    /// A prompt from a template of your own.
    #[must_use]
    pub fn new(template: impl Into<Cow<'static, str>>) -> Self {
        Self { template: template.into() }
    }

    /// The text before the contract is filled in.
    pub fn template(&self) -> &str {
        &self.template
    }

    /// The text that a model reads: the contract's description in place of [`CONTRACT_PLACEHOLDER`], or at the end of a
    /// template that has no such place. A model that does not know the shape fills it with noise.
    pub fn render(&self, contract: &Contract) -> String {
        let template = self.template.trim_end();
        let description = contract.describe();
        if template.contains(CONTRACT_PLACEHOLDER) {
            template.replace(CONTRACT_PLACEHOLDER, &description)
        } else {
            format!("{template}\n\n{description}")
        }
    }
}

/// The built-in prompt of the role that an id stands for; `go-worker` has that of `worker`.
///
/// # Errors
///
/// The id stands for no built-in role, or for one that answers in free text.
///
/// ```
/// use slm_agents::{ErrorKind, prompt_for};
///
/// assert!(prompt_for("python-tester")?.template().contains("`verdict`"));
/// assert_eq!(prompt_for("memory").unwrap_err().kind(), ErrorKind::FreeText);
/// # Ok::<(), slm_agents::Error>(())
/// ```
pub fn prompt_for(role: &str) -> Result<Prompt, Error> {
    let Some(base) = base_role(role) else {
        let message =
            format!("no built-in role is meant by this id; known are: {}", emitting().collect::<Vec<_>>().join(", "));
        return Err(Error::new(ErrorKind::UnknownRole, role, message));
    };
    let template = EMITTING.iter().find(|(name, _)| *name == base).map(|(_, template)| *template);
    template.map(Prompt::new).ok_or_else(|| {
        let message = "it answers in free text and has no built-in prompt; write one with `Prompt::new`";
        Error::new(ErrorKind::FreeText, role, message)
    })
}
