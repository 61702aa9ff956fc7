//! The built-in roles: the sixteen that emit a contract of their own name, and three that answer in free text.

use crate::normalize::base_role;
use crate::role::RoleSpec;

/// Roles whose answer is a document of the contract of the same name.
pub(crate) const EMITTING: [&str; 16] = [
    "plan",
    "tasks",
    "review",
    "tester",
    "clarify",
    "escalate",
    "composition",
    "scope_judge",
    "worker",
    "explore",
    "docs",
    "architect",
    "coordinator",
    "orchestrator",
    "placeholder",
    "lessons",
];

/// Roles whose answer is prose for a model or a person to read.
pub(crate) const FREE_TEXT: [&str; 3] = ["context", "memory", "describer"];

/// The built-in roles, normalised and without tools: what tools there are is for the harness to say.
///
/// ```
/// let roles = slm_agents::built_in_roles();
/// assert_eq!(roles.len(), 19);
/// assert_eq!(roles.iter().filter(|role| role.decoding.json_only).count(), 16);
/// ```
pub fn built_in_roles() -> Vec<RoleSpec> {
    EMITTING.into_iter().chain(FREE_TEXT).map(|id| RoleSpec::new(id).normalize()).collect()
}

/// Does the built-in role that this id stands for emit a contract?
pub fn emits_contract(id: &str) -> bool {
    base_role(id).is_some_and(|role| EMITTING.contains(&role))
}

/// Does the built-in role that this id stands for answer in free text?
pub fn is_free_text(id: &str) -> bool {
    base_role(id).is_some_and(|role| FREE_TEXT.contains(&role))
}
