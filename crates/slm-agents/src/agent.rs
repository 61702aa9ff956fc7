//! An agent as a file declares it.

use std::path::PathBuf;
use std::sync::Arc;

use slm_schema::{Contract, Registry};

use crate::error::Error;
use crate::prompt::Prompt;
use crate::role::RoleSpec;

/// An agent from a YAML file: its role, its prompt, and the contract it brings along.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AgentSpec {
    /// Id, tools, contract and overrides, normalised.
    pub role: RoleSpec,
    /// What it is for, in words for people; empty where the file does not say.
    pub description: String,
    /// Its own prompt, or the built-in one of its role or its contract.
    pub prompt: Prompt,
    /// The contract of its own schema file; `schema_role` of the role has its name.
    pub schema: Option<Arc<Contract>>,
    /// Where it is declared.
    pub file: PathBuf,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
}

impl AgentSpec {
    /// The contract it emits: its own, or the registry's; `None` for an agent that emits none.
    ///
    /// # Errors
    ///
    /// The registry has no contract of the name that the agent gives.
    pub fn contract<'a>(&'a self, registry: &'a Registry) -> Result<Option<&'a Contract>, Error> {
        match &self.schema {
            Some(own) => Ok(Some(own)),
            None => self.role.contract(registry),
        }
    }

    /// The system prompt as the model reads it, with the contract described.
    ///
    /// # Errors
    ///
    /// The registry has no contract of the name that the agent gives.
    pub fn system_prompt(&self, registry: &Registry) -> Result<String, Error> {
        Ok(match self.contract(registry)? {
            Some(contract) => self.prompt.render(contract),
            None => self.prompt.template().to_owned(),
        })
    }
}
