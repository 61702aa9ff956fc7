//! Prompts: a template with a place for the contract, and the built-in one of each role.

use std::borrow::Cow;

use slm_schema::Contract;

use crate::error::{Error, ErrorKind};
use crate::id::{BUILT_IN, built_in};

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
/// The prompt of a role that answers in free text has no place for a contract: its template is what a model reads.
///
/// # Errors
///
/// The id stands for no built-in role.
///
/// ```
/// use slm_agents::{ErrorKind, prompt_for};
///
/// assert!(prompt_for("python-tester")?.template().contains("`verdict`"));
/// assert_eq!(prompt_for("co-worker").unwrap_err().kind(), ErrorKind::UnknownRole);
/// # Ok::<(), slm_agents::Error>(())
/// ```
pub fn prompt_for(role: &str) -> Result<Prompt, Error> {
    built_in(role).map(|role| Prompt::new(role.template)).ok_or_else(|| {
        let known: Vec<&str> = BUILT_IN.iter().map(|role| role.id).collect();
        let message = format!("no built-in role is meant by this id; known are: {}", known.join(", "));
        Error::new(ErrorKind::UnknownRole, role, message)
    })
}
