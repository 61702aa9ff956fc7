//! The built-in roles: those that emit a contract, each with one of its own name or shared, and those of free text.

use crate::id::BUILT_IN;
use crate::role::RoleSpec;

/// The built-in roles, normalised and without tools: what tools there are is for the harness to say.
///
/// ```
/// let roles = slm_agents::built_in_roles();
/// let emitting = |contract: &str| {
///     let role = |role: &&slm_agents::RoleSpec| role.decoding.contract.as_deref() == Some(contract);
///     roles.iter().filter(role).map(|role| role.id.as_str()).collect::<Vec<_>>()
/// };
/// assert_eq!(emitting("tester"), ["tester", "verifier"]);
/// assert_eq!(emitting("worker"), ["worker", "fixer", "refactorer", "test_writer"]);
/// ```
pub fn built_in_roles() -> Vec<RoleSpec> {
    BUILT_IN.iter().map(|role| RoleSpec::new(role.id).normalize()).collect()
}
