//! Which ids fold back to a built-in role, and which only look as if they did.

use slm_agents::{RoleSpec, base_role, normalize_decoding};

#[track_caller]
fn folds(role: &str, ids: &str) {
    for id in ids.split_whitespace() {
        assert_eq!(base_role(id), Some(role), "{id}");
    }
}

/// They stand for nothing, so nothing is decoded for them.
#[track_caller]
fn stands_alone(ids: &str) {
    for id in ids.split_whitespace() {
        assert_eq!(base_role(id), None, "{id}");
        assert_eq!(normalize_decoding(&RoleSpec::new(id)).contract, None, "{id}");
    }
}

#[test]
fn any_language_folds_back() {
    folds(
        "worker",
        "go-worker golang-worker rust-worker python-worker py-worker ruby-worker javascript-worker js-worker jsx-worker \
         typescript-worker ts-worker tsx-worker java-worker kotlin-worker kt-worker scala-worker groovy-worker swift-worker \
         c-worker cpp-worker c++-worker cxx-worker c#-worker csharp-worker c-sharp-worker cs-worker f#-worker fsharp-worker \
         f-sharp-worker objective-c-worker objc-worker objectivec-worker objective-c++-worker haskell-worker hs-worker \
         ocaml-worker elixir-worker erlang-worker gleam-worker clojure-worker cljs-worker lisp-worker common-lisp-worker \
         scheme-worker racket-worker perl-worker raku-worker php-worker lua-worker luau-worker r-worker julia-worker \
         dart-worker zig-worker nim-worker d-worker v-worker vala-worker crystal-worker ada-worker cobol-worker \
         fortran-worker pascal-worker delphi-worker sql-worker plsql-worker pl-sql-worker t-sql-worker bash-worker sh-worker \
         shell-worker zsh-worker powershell-worker awk-worker tcl-worker html-worker css-worker scss-worker hcl-worker \
         terraform-worker nix-worker solidity-worker vyper-worker verilog-worker systemverilog-worker vhdl-worker \
         assembly-worker asm-worker cuda-worker glsl-worker wgsl-worker wasm-worker matlab-worker octave-worker \
         prolog-worker smalltalk-worker visual-basic-worker vb-worker vb.net-worker vba-worker abap-worker apl-worker \
         coffeescript-worker purescript-worker rescript-worker elm-worker type-script-worker java-script-worker \
         c-plus-plus-worker q#-worker tla+-worker emacs-lisp-worker gdscript-worker mojo-worker odin-worker",
    );
}

#[test]
fn any_separator_does() {
    folds("worker", "go-worker go_worker go.worker go/worker go:worker c_sharp_worker c.sharp-worker C-Sharp_Worker");
    folds("scope_judge", "scope-judge scope_judge scope.judge rust_scope_judge rust-scope-judge ts/scope-judge");
    folds("tester", "Python-Tester PYTHON_TESTER python-tester tester Tester");
    folds("security_review", "security-review go-security-review c++/security_review");
    folds("test_writer", "test-writer java-test-writer");
}

#[test]
fn a_version_belongs_to_its_language() {
    folds(
        "review",
        "python3-review python2-review py3-review c99-review c++20-review cpp17-review java17-review es6-review",
    );
    folds("review", "php8-review lua51-review f90-review lean4-review");
    stands_alone("v2-review d3-review c4-review r2-review v1-docs go1.22-review python3.12-review python311-review");
    stands_alone("rs232-worker 3-worker python-3-worker c++-20-worker");
}

#[test]
fn roles_of_free_text_fold_to_free_text() {
    folds("context", "java-context rust_context");
    folds("memory", "kotlin-memory");
    folds("describer", "haskell-describer sql/describer");
    assert_eq!(normalize_decoding(&RoleSpec::new("go-memory").schema_role("plan")).contract, None);
}

#[test]
fn other_words_before_a_role_do_not() {
    stands_alone(
        "co-worker cargo-worker make-worker npm-worker cmake-worker docker-worker json-worker yaml-worker web-worker \
         background-worker service-worker io-worker fs-worker ml-worker batch-worker metal-worker basic-worker code-worker \
         senior-worker my-worker a-worker the-worker new-worker ex-worker sub-worker super-worker re-worker net-worker \
         self-review clean-review code-review peer-review pre-review lean-plan test-plan basic-plan move-plan floor-plan \
         api-docs lean-docs md-docs make-docs user-docs scratch-memory shared-memory working-memory red-tester \
         load-tester no-context global-context gopher-worker sharp-worker plus-worker react-worker django-worker \
         spring-worker rails-worker vue-worker english-docs german-worker",
    );
}

#[test]
fn words_that_only_end_or_begin_like_a_role_do_not() {
    stands_alone(
        "document-reviewer reviewer go-reviewer planner go-planner workers go-workers coworker go-coworker steelworker \
         goworker GoWorker goWorker rustworker subtasks go-subtasks taskss explorer preview go-preview overview testers \
         contest latest test go-test tests judge go-judge scope go-scope docs-writer document documents go-doc placeholders \
         worker-go worker.go worker_go worker-2 go-worker-2 go-worker-fast review-go review.md plan.json docs/go tasks.yaml \
         prefix-go-worker my-go-worker fast-rust-tester",
    );
}

#[test]
fn odd_spellings_do_not() {
    stands_alone(
        "go--worker go- -worker --worker go__worker .worker /worker :worker go-worker- worker- _worker worker_ go - _ \
         go-python-worker python-go-worker go+worker go~worker go@worker go|worker go\\worker go,worker c+++-worker c-worker-",
    );
    for id in
        ["", " ", "go worker", " worker", "worker ", "go- worker", "go\tworker", "go\nworker", "wörker", "gö-worker"]
    {
        assert_eq!(base_role(id), None, "{id:?}");
    }
    let long = format!("{}worker", "go-".repeat(10_000));
    assert_eq!(base_role(&long), None);
}
