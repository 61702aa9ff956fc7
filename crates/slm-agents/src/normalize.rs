//! From a role's id and tools to the way its answers are decoded.

use crate::role::{Decoding, RoleSpec};
use crate::roles::{EMITTING, FREE_TEXT, is_free_text};

/// Where a document-only answer may be stopped: what small models write once the document is done.
///
/// Each holds a raw newline. None can occur inside a JSON string, where a newline is escaped, nor between the tokens of
/// a compact document.
pub const STOP_SEQUENCES: [&str; 3] = ["\n## ", "```\n\n", "\nNote:"];

/// The languages (and their usual short names) that an id may begin with, `-` between their words.
const LANGUAGES: &str = "\
    ada asm assembly bash c c# c++ c-plus-plus c-sharp clojure cobol cpp crystal csharp css cuda cxx d dart \
    elixir elm erlang f# f-sharp fortran fsharp gleam go golang groovy haskell hcl html java java-script \
    javascript js jsx julia kotlin kt lisp lua matlab nim nix objc objective-c ocaml pascal perl php powershell \
    prolog py python r racket rb rs ruby rust scala scheme sh shell solidity sql swift tcl terraform ts tsx \
    type-script typescript v vb verilog vhdl visual-basic zig";

/// How a role's answers are decoded, from its id, its tools and its `schema_role`.
///
/// | role | contract | `serial_tools` | `json_only` | `stop` |
/// | --- | --- | --- | --- | --- |
/// | with tools | its own, if any | yes | no | none |
/// | free text (`context`, `memory`, `describer`) | none | with tools | no | none |
/// | any other with a contract | its own | no | yes | [`STOP_SEQUENCES`] |
/// | any other | none | no | no | none |
///
/// A role's own contract is its `schema_role`, or else that of the built-in role its id stands for ([`base_role`]).
pub fn normalize_decoding(role: &RoleSpec) -> Decoding {
    let with_tools = !role.tools.is_empty();
    let contract = contract_name(role);
    let json_only = contract.is_some() && !with_tools;
    let stop = if json_only { STOP_SEQUENCES.map(str::to_owned).to_vec() } else { Vec::new() };
    Decoding { contract, serial_tools: with_tools, json_only, stop }
}

fn contract_name(role: &RoleSpec) -> Option<String> {
    if is_free_text(&role.id) {
        return None;
    }
    let built_in = || base_role(&role.id).map(str::to_owned);
    role.schema_role.clone().or_else(built_in)
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
    EMITTING.into_iter().chain(FREE_TEXT).find(|role| {
        let role = role.replace('_', "-");
        id == role
            || language_of(&id, &role).is_some_and(|language| LANGUAGES.split(' ').any(|known| known == language))
    })
}

/// What stands before `-role` in `id`.
fn language_of<'a>(id: &'a str, role: &str) -> Option<&'a str> {
    id.strip_suffix(role)?.strip_suffix('-')
}
