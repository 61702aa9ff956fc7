//! From a role's id and tools to the way its answers are decoded.

use slm_schema::{Contract, Registry};

use crate::error::Error;
use crate::id::{built_in, is_free_text};
use crate::role::{Decoding, RoleSpec};

/// Where a document-only answer may be stopped: what small models write once the document is done.
///
/// Each holds a raw newline. None can occur inside a JSON string, where a newline is escaped, nor between the tokens of
/// a compact document.
pub const STOP_SEQUENCES: [&str; 3] = ["\n## ", "```\n\n", "\nNote:"];

/// How a role's answers are decoded, from its id, its tools and its `schema_role`.
///
/// | role | contract | `serial_tools` | `json_only` | `stop` |
/// | --- | --- | --- | --- | --- |
/// | with tools | its own, if any | yes | no | none |
/// | free text (`context`, `memory`, `describer`) | none | with tools | no | none |
/// | any other with a contract | its own | no | yes | [`STOP_SEQUENCES`] |
/// | any other | none | no | no | none |
///
/// The role's [`Overrides`](crate::Overrides) come on top; they cannot constrain a request that carries tools.
///
/// A role's own contract is its `schema_role`, or else that of the built-in role its id stands for
/// ([`base_role`](crate::base_role)).
pub fn normalize_decoding(role: &RoleSpec) -> Decoding {
    let overrides = &role.overrides;
    let with_tools = !role.tools.is_empty();
    let contract = contract_name(role);
    // Whatever is wished: a constraint forbids the tool call, and without a contract there is none.
    let json_only = contract.is_some() && !with_tools && overrides.json_only.unwrap_or(true);
    let stop = if json_only { STOP_SEQUENCES.map(str::to_owned).to_vec() } else { Vec::new() };
    Decoding {
        contract,
        serial_tools: overrides.serial_tools.unwrap_or(with_tools),
        json_only,
        stop: overrides.stop.clone().unwrap_or(stop),
        max_tokens: overrides.max_tokens,
        temperature: overrides.temperature,
    }
}

fn contract_name(role: &RoleSpec) -> Option<String> {
    if is_free_text(&role.id) {
        return None;
    }
    let own = || built_in(&role.id)?.contract.map(str::to_owned);
    role.schema_role.clone().or_else(own)
}

impl RoleSpec {
    /// Fills in the decoding, by [`normalize_decoding`]. Doing it twice changes nothing.
    #[must_use]
    pub fn normalize(mut self) -> Self {
        self.decoding = normalize_decoding(&self);
        self
    }

    /// The contract it emits, from the registry that holds it; `None` for a role that emits none.
    ///
    /// It follows from the declaration, so it is the same before and after [`RoleSpec::normalize`].
    ///
    /// # Errors
    ///
    /// The registry has no contract of that name: a `schema_role` that is not registered there, or is misspelt.
    pub fn contract<'a>(&self, registry: &'a Registry) -> Result<Option<&'a Contract>, Error> {
        let Some(name) = normalize_decoding(self).contract else {
            return Ok(None);
        };
        registry.get(&name).map(Some).map_err(|source| Error::unknown_contract(&self.id, source))
    }
}
