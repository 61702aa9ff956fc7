//! Which built-in role an id stands for.

/// Declares the roles that emit the contract of their own name, each with its prompt, `prompts/ROLE.md`.
macro_rules! emitting {
    ($($role:literal),+ $(,)?) => {
        /// Roles whose answer is a document of the contract of the same name, with their prompt's template.
        pub(crate) const EMITTING: &[(&str, &str)] =
            &[$(($role, include_str!(concat!("../prompts/", $role, ".md")))),+];
    };
}

emitting![
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

/// The languages (and their usual short names) that an id may begin with, `-` between their words.
const LANGUAGES: &str = "\
    ada asm assembly bash c c# c++ c-plus-plus c-sharp clojure cobol cpp crystal csharp css cuda cxx d dart \
    elixir elm erlang f# f-sharp fortran fsharp gleam go golang groovy haskell hcl html java java-script \
    javascript js jsx julia kotlin kt lisp lua matlab nim nix objc objective-c ocaml pascal perl php powershell \
    prolog py python r racket rb rs ruby rust scala scheme sh shell solidity sql swift tcl terraform ts tsx \
    type-script typescript v vb verilog vhdl visual-basic zig";

/// The names of the roles that emit a contract.
pub(crate) fn emitting() -> impl Iterator<Item = &'static str> {
    EMITTING.iter().map(|(name, _)| *name)
}

/// The built-in role that an id stands for: the id itself, or what follows the name of a programming language.
///
/// Case does not matter, and `-` and `_` are the same.
///
/// ```
/// use slm_agents::base_role;
///
/// assert_eq!(base_role("go-worker"), Some("worker"));
/// assert_eq!(base_role("c_sharp_scope-judge"), Some("scope_judge"));
/// assert_eq!(base_role("co-worker"), None); // no language
/// ```
pub fn base_role(id: &str) -> Option<&'static str> {
    let id = id.to_ascii_lowercase().replace('_', "-");
    emitting().chain(FREE_TEXT).find(|role| {
        let role = role.replace('_', "-");
        id == role
            || language_of(&id, &role).is_some_and(|language| LANGUAGES.split(' ').any(|known| known == language))
    })
}

/// What stands before `-role` in `id`.
fn language_of<'a>(id: &'a str, role: &str) -> Option<&'a str> {
    id.strip_suffix(role)?.strip_suffix('-')
}

/// Does the built-in role that this id stands for emit a contract?
pub fn emits_contract(id: &str) -> bool {
    base_role(id).is_some_and(|base| emitting().any(|role| role == base))
}

/// Does the built-in role that this id stands for answer in free text?
pub fn is_free_text(id: &str) -> bool {
    base_role(id).is_some_and(|base| FREE_TEXT.contains(&base))
}
