//! The built-in roles: sixteen that emit a contract of their own name, and three that answer in free text.

use crate::id::{FREE_TEXT, emitting};
use crate::role::RoleSpec;

/// The built-in roles, normalised and without tools: what tools there are is for the harness to say.
///
/// ```
/// let roles = slm_agents::built_in_roles();
/// assert_eq!(roles.len(), 19);
/// assert_eq!(roles.iter().filter(|role| role.decoding.json_only).count(), 16);
/// ```
pub fn built_in_roles() -> Vec<RoleSpec> {
    emitting().chain(FREE_TEXT).map(|id| RoleSpec::new(id).normalize()).collect()
}
