//! Text that the check must leave alone.

use slm_agents::{RoleSpec, check_agent, check_prompt};
use slm_schema::Contract;

use crate::{contract, findings};

#[track_caller]
fn leaves_alone(name: &str, prompts: &[&str]) {
    for prompt in prompts {
        assert_eq!(findings(name, prompt), Vec::<String>::new(), "{prompt}");
    }
}

#[test]
fn names_in_backticks_that_are_no_fields() {
    leaves_alone(
        "review",
        &[
            "Read `src/main.rs` and `Cargo.toml` first, then `README.md`.",
            "Run `cargo test`, `go vet ./...` or `make`.",
            "Look for `unwrap` in `src`. Use `grep` to find it.",
            "The `verdict` is `approve`, `request_changes` or `reject`.",
            "Say `critical` only if data is lost.",
            "Never call `std::process::exit`, `panic!` or `foo()`.",
            "A function `parse_config` that returns `None` is fine.",
            "Use the tool `read_file`; the command `rustfmt` is at hand.",
            "Check that `timeout` is positive and `retries` is small.",
            "`timeout` must be positive.",
            "`max_retries` must be positive; functions that return `user_id` are deprecated.",
            "In tests, `max_retries` is small. Call it with `max_len`. Set `RUST_LOG` first.",
            "Code lives in `internal`, tests in `tests`.",
            "Put new helpers for tests into `support`.",
            "Write `null` or `true`, never `\"yes\"`.",
            "Answer `unknown` if you cannot tell.",
            "The worker is `go-worker`; it answers to `orchestrator`.",
            "`slm-schema` holds the contracts; `ripgrep-all` names the files.",
            "Branch `main` is protected. Set the variable `RUST_LOG`.",
            "Call `open` before `close`.",
            "See `main.rs`, `lib.rs` and `a.b.c`.",
            "Lock files such as `Cargo.lock` are not reviewed.",
            "`verdict: approve` lets the change in.",
            "`findings[].line`, `findings.file` and `/findings/0/fix` point into the code.",
            "Unclosed `backtick",
            "``double `ticks` here`` and `verdict`",
        ],
    );
}

#[test]
fn lists_that_are_not_of_fields() {
    leaves_alone(
        "review",
        &[
            "Rules:\n- Note: be brief\n- Never: guess",
            "Rules:\n- naming: follow the project\n- errors: never swallow them",
            "Tools:\n- `read`: reads a file\n- `search`: lists the places of a word",
            "Commands:\n- `cargo test`: runs the tests\n- `just`: runs the rest",
            "`severity` is one of:\n- critical: data is lost\n- blocker: nobody may merge",
            "- findings: the problems\n- note: keep them short\n- summary: what it does\n- verdict: last",
            "- verdict: one of\n  - approve: all is well\n  - hold: wait",
            "- Read the change.\n- Think: what can break?\n- Write the `verdict`.",
            "1. summary: first\n2. verdict: last",
            "Links:\n- docs: https://example.org\n- http://example.org",
            "* *Important:* stay calm\n* **Remember**: it is a draft",
            "---\n- \n-\n",
        ],
    );
}

#[test]
fn objects_that_are_not_answers() {
    leaves_alone(
        "review",
        &[
            "The tool takes these arguments:\n\n```json\n{\"path\": \"a.rs\", \"limit\": 3}\n```",
            "You are given `{\"diff\": \"…\", \"title\": \"…\"}`.",
            "```rust\nstruct A { b: u8 }\nlet c = A { b: 1 };\n```",
            "```yaml\nscore: 1\n```",
            "```ts\nconst x = {score: 1, \"why\": 2};\n```",
            "Use `Point { x: 1, y: 2 }` or `${HOME}` or `{{contract}}` or `{name}`.",
            "A finding is `{\"severity\": \"minor\", \"file\": \"a\", \"line\": 1, \"message\": \"m\"}`.",
            "A set {a, b} and a function f(x) { return x; }",
            "Answer: {\"findings\": [], \"summary\": \"say \\\"score\\\": 3\", \"verdict\": \"approve\"}",
            "```json\n{\"findings\": [], // no \"score\": here\n \"summary\": \"http://a.b/c\", \"verdict\": \"approve\" | \"reject\"}\n```",
        ],
    );
}

#[test]
fn names_of_an_agents_tools_are_no_promises() {
    let prompt = "Set `read_lines` to go. Put the place into `seek`, then give the `verdict`.";
    assert_eq!(findings("review", prompt).len(), 2);
    let agent = RoleSpec::new("review").tools(["read_lines", "seek"]);
    assert!(check_agent(&agent, prompt, contract("review")).is_empty());
}

#[test]
fn an_open_contract_takes_any_name() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#;
    let open = Contract::from_json("open", schema).unwrap();
    let prompt =
        "Set `b` to 1, put why in `reason`.\n\n- a: one\n- c: two\n\n```json\n{\"a\": \"\", \"d\": {\"e\": 1}}\n```";
    assert!(check_prompt(prompt, &open).is_empty());
}

#[test]
fn a_contract_without_fields_is_no_trouble() {
    let list =
        Contract::from_json("list", r#"{"type": "array", "items": {"type": "string", "maxLength": 3}}"#).unwrap();
    assert!(check_prompt("Plain text.\n\n- a: one\n\n`b.c` and {\"d\": 1}", &list).is_empty());
    assert_eq!(check_prompt("Put why in `reason`.", &list)[0].known, Vec::<String>::new());
}

#[test]
fn odd_text_ends() {
    let deep = "{\"a\": [".repeat(20_000);
    let backticks = "`".repeat(20_001);
    let bullets = "- a: b\n".repeat(2_000);
    let names = "`a` and ".repeat(5_000);
    for text in [
        "",
        "\n",
        "```",
        "```json\n{",
        "{\"",
        "`",
        "- ",
        "{\"a\\",
        "\u{feff}é`é`{é",
        &deep,
        &backticks,
        &bullets,
        &names,
    ] {
        let _findings = check_prompt(text, contract("review"));
    }
}
