//! The names of programming languages, as they stand in ids.

/// Languages and their usual short names, `-` between their words.
///
/// Programming, query, styling and shell languages; no data formats, frameworks or build tools: a `json-worker` or a
/// `cargo-worker` is some other worker. Left out, too, are the languages that are better known as something else
/// (`basic`, `clean`, `self`, `io`, `lean`, `scratch`, `move`, `batch`; `fs`, `ml`, `tf`, `md`, `ex`).
const LANGUAGES: &str = "\
    abap action-script actionscript ada agda apl apple-script applescript asm assembly awk bash bicep bqn c c# c++ \
    c-plus-plus c-sharp chapel clj cljs clojure clojure-script clojurescript cobol coffee-script coffeescript \
    common-lisp coq cplusplus cpp crystal cs csharp css cu cuda cxx cypher cython d dart datalog delphi dhall dlang \
    dotnet ecmascript elisp elixir elm emacs-lisp erlang f# f-sharp f-star fennel forth fortran free-pascal fsharp \
    gd-script gdscript gleam glsl gnu-c go golang gql graphql groovy hack-lang haskell haxe hcl hlsl hs html idris \
    isabelle j# janet java java-script javascript jl jq js jsonnet jsx julia kotlin kql ksh kt latex lfe lisp lua \
    luau mathematica matlab modula-2 modula2 mojo moonscript nim nix nushell oberon obj-c objc objcpp object-pascal \
    objective-c objective-c++ objective-cpp objectivec ocaml octave odin opencl pascal perl php pl-sql plsql \
    power-shell powershell prolog promql pure-script purescript pwsh py python q# q-sharp qsharp r racket raku rb \
    reasonml rego res-script rescript rexx rlang roc rocq rs ruby rust rustlang sas sass scala scheme scss sh shell \
    small-talk smalltalk sml solidity sparql sql standard-ml starlark stata swift system-verilog systemverilog t-sql \
    tcl terraform tex tla+ tlaplus ts tsql tsx type-script typescript v vala vb vb-net vba verilog vhdl \
    visual-basic vlang vyper wasm wat web-assembly webassembly wgsl wolfram wren zig zsh";

/// Versions that are names of their own; a letter and digits may be anything (`v2`, `d3`, `c4`), so they are listed.
const VERSIONS: &str = "\
    c11 c17 c23 c89 c90 c99 es5 es6 f77 f90 f95 lean4";

/// Is it the name of a language, in lower case with `-` between its words? A version may follow it, as in `python3`.
pub(crate) fn is_language(name: &str) -> bool {
    is_listed(name) || VERSIONS.split(' ').any(|known| known == name) || is_version(name)
}

/// `python3`, `c++20`, `java17`: at most two digits behind a name that is no single letter.
fn is_version(name: &str) -> bool {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (1..=2).contains(&(name.len() - bare.len())) && bare.len() > 1 && is_listed(bare)
}

fn is_listed(name: &str) -> bool {
    LANGUAGES.split(' ').any(|known| known == name)
}
