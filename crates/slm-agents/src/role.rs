//! What an agent is: its id, its tools, its contract, and how its answers are decoded.

/// An agent's declaration.
///
/// ```
/// use slm_agents::RoleSpec;
///
/// let judge = RoleSpec::new("triage").schema_role("scope_judge").normalize();
/// assert_eq!(judge.decoding.contract.as_deref(), Some("scope_judge"));
/// assert!(judge.decoding.json_only);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct RoleSpec {
    /// Names the agent, and with it the role: `worker`, `go-worker`, `scope_judge`.
    pub id: String,
    /// The names of the tools that its requests carry.
    pub tools: Vec<String>,
    /// The contract it emits, where its id does not say so.
    pub schema_role: Option<String>,
    /// What is to differ from the decoding that follows from the rest.
    pub overrides: Overrides,
    /// How its answers are decoded; filled by [`RoleSpec::normalize`].
    pub decoding: Decoding,
}

/// How a role's answers are decoded. The default constrains nothing.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Decoding {
    /// The name of the contract that a final answer obeys; none for free text.
    pub contract: Option<String>,
    /// Is an assistant message cut after its first tool call? Small models lose track of more than one.
    pub serial_tools: bool,
    /// Is the whole answer the contract's document? Never so on a request that carries tools.
    pub json_only: bool,
    /// Where generation may stop early; without an override only with `json_only`.
    pub stop: Vec<String>,
    /// The cap on a reply's tokens; none leaves it to the contract's bound.
    pub max_tokens: Option<u64>,
    /// The sampling temperature; none leaves it to the caller.
    pub temperature: Option<f64>,
}

/// What of a role's decoding differs from what follows from its id and tools; `None` leaves a setting as it is.
///
/// ```
/// use slm_agents::{Overrides, RoleSpec};
///
/// let explore = RoleSpec::new("explore").overrides(Overrides { json_only: Some(false), ..Overrides::default() });
/// assert!(!explore.normalize().decoding.json_only);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overrides {
    /// In place of "with tools".
    pub serial_tools: Option<bool>,
    /// `Some(false)` gives up the constraint; `Some(true)` changes nothing where there are tools or no contract.
    pub json_only: Option<bool>,
    /// In place of the stop sequences; an empty list is none.
    pub stop: Option<Vec<String>>,
    /// The cap on a reply's tokens.
    pub max_tokens: Option<u64>,
    /// The sampling temperature.
    pub temperature: Option<f64>,
}

impl RoleSpec {
    /// A role without tools, its decoding not yet filled in.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), ..Self::default() }
    }

    /// Gives it these tools, in place of any it had.
    #[must_use]
    pub fn tools<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.tools = tools.into_iter().map(Into::into).collect();
        self
    }

    /// Changes its decoding where the overrides say so, in place of any it had.
    #[must_use]
    pub fn overrides(mut self, overrides: Overrides) -> Self {
        self.overrides = overrides;
        self
    }

    /// Names the contract it emits, in place of the one its id stands for.
    #[must_use]
    pub fn schema_role(mut self, contract: impl Into<String>) -> Self {
        self.schema_role = Some(contract.into());
        self
    }
}
