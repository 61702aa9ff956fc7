//! Which built-in role an id stands for.

use crate::language::is_language;

/// A role that the harness has.
pub(crate) struct BuiltIn {
    pub(crate) id: &'static str,
    /// The contract that it emits; none answers in free text.
    pub(crate) contract: Option<&'static str>,
    /// Its prompt, the contract not yet filled in.
    pub(crate) template: &'static str,
}

/// Declares the built-in roles, each with its contract and its prompt, `prompts/ID.md`.
macro_rules! built_in {
    ($($id:literal => $contract:expr),+ $(,)?) => {
        pub(crate) const BUILT_IN: &[BuiltIn] = &[
            $(BuiltIn { id: $id, contract: $contract, template: include_str!(concat!("../prompts/", $id, ".md")) }),+
        ];
    };
}

built_in![
    // Each emits the contract of its own name.
    "plan" => Some("plan"),
    "tasks" => Some("tasks"),
    "review" => Some("review"),
    "tester" => Some("tester"),
    "clarify" => Some("clarify"),
    "escalate" => Some("escalate"),
    "composition" => Some("composition"),
    "scope_judge" => Some("scope_judge"),
    "worker" => Some("worker"),
    "explore" => Some("explore"),
    "docs" => Some("docs"),
    "architect" => Some("architect"),
    "coordinator" => Some("coordinator"),
    "orchestrator" => Some("orchestrator"),
    "placeholder" => Some("placeholder"),
    "lessons" => Some("lessons"),
    // Each shares the contract of another one, and has a task of its own.
    "fixer" => Some("worker"),
    "refactorer" => Some("worker"),
    "test_writer" => Some("worker"),
    "security_review" => Some("review"),
    "verifier" => Some("tester"),
    // Their answer is prose for a model or a person to read.
    "context" => None,
    "memory" => None,
    "describer" => None,
];

/// The built-in role that an id stands for: the id itself, or what follows the name of a programming language.
///
/// Case does not matter, and `-`, `_`, `.`, `/` and `:` separate alike. One language, once, before the role: nothing else
/// folds.
///
/// ```
/// use slm_agents::base_role;
///
/// assert_eq!(base_role("go-worker"), Some("worker"));
/// assert_eq!(base_role("c_sharp_scope-judge"), Some("scope_judge"));
/// assert_eq!(base_role("python3/tester"), Some("tester"));
/// assert_eq!(base_role("co-worker"), None); // no language
/// assert_eq!(base_role("worker.go"), None); // a file
/// ```
pub fn base_role(id: &str) -> Option<&'static str> {
    built_in(id).map(|role| role.id)
}

/// The built-in role itself.
pub(crate) fn built_in(id: &str) -> Option<&'static BuiltIn> {
    let id = id.to_ascii_lowercase().replace(['_', '.', '/', ':'], "-");
    BUILT_IN.iter().find(|role| {
        let role = role.id.replace('_', "-");
        id == role || language_of(&id, &role).is_some_and(is_language)
    })
}

/// What stands before `-role` in `id`.
fn language_of<'a>(id: &'a str, role: &str) -> Option<&'a str> {
    id.strip_suffix(role)?.strip_suffix('-')
}

/// Does the built-in role that this id stands for emit a contract?
pub fn emits_contract(id: &str) -> bool {
    built_in(id).is_some_and(|role| role.contract.is_some())
}

/// Does the built-in role that this id stands for answer in free text?
pub fn is_free_text(id: &str) -> bool {
    built_in(id).is_some_and(|role| role.contract.is_none())
}
