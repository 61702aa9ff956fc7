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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RoleSpec {
    /// Names the agent, and with it the role: `worker`, `go-worker`, `scope_judge`.
    pub id: String,
    /// The names of the tools that its requests carry.
    pub tools: Vec<String>,
    /// The contract it emits, where its id does not say so.
    pub schema_role: Option<String>,
    /// How its answers are decoded; filled by [`RoleSpec::normalize`].
    pub decoding: Decoding,
}

/// How a role's answers are decoded. The default constrains nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoding {
    /// The name of the contract that a final answer obeys; none for free text.
    pub contract: Option<String>,
    /// Is an assistant message cut after its first tool call? Small models lose track of more than one.
    pub serial_tools: bool,
    /// Is the whole answer the contract's document? Never so on a request that carries tools.
    pub json_only: bool,
    /// Where generation may stop early; only with `json_only`.
    pub stop: Vec<String>,
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

    /// Names the contract it emits, in place of the one its id stands for.
    #[must_use]
    pub fn schema_role(mut self, contract: impl Into<String>) -> Self {
        self.schema_role = Some(contract.into());
        self
    }
}
