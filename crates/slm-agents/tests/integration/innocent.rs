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
fn values_of_something_else() {
    leaves_alone(
        "worker",
        &[
            "Set `status` to `done`, `partial` or `blocked`.",
            "Set status to `done` once the tests pass; leave `notes` empty.",
            "If `status` is `open` in the ticket, ask.",
            "Check that `status` is `active` in every row.",
            "The table has a column whose `status` is `archived`.",
            "Compare `status` to `expected`.",
            "Set `status` to `STATUS`, never to `null`.",
            "Set the exit status to `1`. The HTTP status is `not_found` then.",
            "Set the status of the ticket to `closed`.",
            "Set the log level to `debug` and the action timeout to `short`.",
            "`status` comes last; `make` and `cargo test` come first.",
            "`action` is one of the three: `create` makes a file.",
            "The `path` is `src/main.rs`; `content` is `fn main() {}`.",
            "`status` to `finished`: no such thing.",
            "Before `status` is `blocked`, try `cargo check`.",
            "`action`: what happens to the file. `edit` needs a `path`.",
        ],
    );
    leaves_alone(
        "review",
        &[
            "The `verdict` is `approve` if there are no `findings`.",
            "`severity` is `major` or worse; `request_changes` is the `verdict` then.",
            "The `summary` is `short`. The `line` is `first_line`.",
            "Say which `severity` is `high` in the report that you read.",
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

#[test]
fn names_of_code_and_of_other_things() {
    leaves_alone(
        "review",
        &[
            "Each `finding` is one problem. A `line` is counted from 1.",
            "Types such as `Vec<String>`, `Option<Finding>`, `int[]` or `string` do not matter.",
            "Look at `user.email`, `config.timeout`, `file.close()` and `self.line`.",
            "`file.rs` and `summary.md` are files; `verdict.py` is too.",
            "Constants like `MAX_LINES`, environment variables like `PATH`.",
            "Check `git log --oneline`, `npm run build` and `docker compose up`.",
            "Each finding has a `file` and a `line`, and feeds the `verdict`.",
            "Watch for `async`, `await`, `unsafe` and `goto`.",
            "The functions `parse_line` and `read_file` were renamed.",
            "Compare `old_name` with `new_name` in the diff.",
            "The class `ReviewResult` has a method `to_json`.",
            "The branch is called `feature/summary`; the tag `v1.2.0` is older.",
            "Use `severity` \"minor\" if in doubt; `major` needs a reason.",
            "Links like `https://example.org/findings` are not followed.",
            "A regular expression such as `^[a-z_]+$` or a glob such as `src/**/*.rs`.",
            "Keys such as `Ctrl-C` end the program.",
            "If the change touches `Cargo.lock`, say so in `summary`.",
            "`impl Display for Finding` is fine, and so is `#[derive(Debug)]`.",
            "The table `users` has a column `created_at`; the header `X-Request-Id` is set.",
            "Answer in English; write `n/a` where nothing applies.",
            "Do not report `TODO` comments. The label `bug` of the tracker does not matter.",
            "The reply is shown to `users`. The answer must be JSON, and never `null`.",
        ],
    );
    leaves_alone(
        "explore",
        &["The `context` of a place, its `nodes` and `paths`, matter less than `path` and `line`."],
    );
    leaves_alone("tester", &["Ignore `comments` and `--verbose` in `commands`; run `pytest -q` or `go test ./...`."]);
    leaves_alone("plan", &["Each `action` starts with a verb, e.g. `Add`, `Remove` or `Rename`."]);
    leaves_alone("clarify", &["List each `question`, and the likely answers of all `question`s."]);
    leaves_alone(
        "orchestrator",
        &["If `action` is `dispatch`, `target` is `worker` or `tester`. With `wait`, leave it out."],
    );
    leaves_alone("lessons", &["`scope` is `file`, `project`, `language` or `general`."]);
    leaves_alone("docs", &["Say in `summary` what changed in `contents`, and keep `context` out of it."]);
}

#[test]
fn lists_and_tables_of_other_things() {
    leaves_alone(
        "review",
        &[
            "Languages:\n- go\n- rust\n- python",
            "Severities:\n- critical\n- major\n- minor",
            "| severity | when |\n| --- | --- |\n| `critical` | data is lost |\n| `minor` | it is ugly |",
            "| command | what |\n| --- | --- |\n| `cargo test` | the tests |\n| `just` | the rest |",
            "| tool | use |\n| --- | --- |\n| `grep` | find |\n| `read` | look |",
            "`git diff`: shows the change\n`git log`: shows the past",
            "**Note**: be brief.\n**Important**: no style.",
            "Checks:\n- errors are handled\n- locks are released\n- names say what they mean",
            "Steps:\n1. read\n2. think\n3. decide",
            "- `findings`: the problems\n  - one for each place\n  - no style\n- `verdict`: last",
            "- `severity`: how bad\n  - `critical`: data is lost\n  - `major`: it fails\n- `file`: where",
            "Files:\n- `src/main.rs`: the start\n- `src/lib.rs`: the rest",
            "Good reviews are:\n- short: one sentence each\n- kind: no blame\n- right: checked twice",
        ],
    );
}

#[test]
fn examples_that_are_forms_or_parts() {
    leaves_alone(
        "review",
        &[
            "Answer:\n```json\n{\"findings\": [], \"summary\": \"…\", \"verdict\": \"approve | request_changes | reject\"}\n```",
            "Answer:\n```json\n{\"findings\": [{\"severity\": \"<severity>\", \"file\": \"<path>\", \"line\": \"<line>\", \"message\": \"<what>\"}], \"summary\": \"<text>\", \"verdict\": \"<verdict>\"}\n```",
            "Answer:\n```json\n{\"findings\": [\"…\"], \"summary\": \"string\", \"verdict\": \"string\"}\n```",
            "Answer:\n```json\n{\"findings\": [], \"summary\": \"\", \"verdict\": \"\"}\n```",
            "Answer:\n```json\n{\"findings\": [{\"severity\": \"how bad it is\", \"file\": \"the path\", \"line\": \"line number\", \"message\": \"what goes wrong\"}], \"summary\": \"what it does\", \"verdict\": \"your decision\"}\n```",
            "Answer:\n```json\n{\"findings\": [...], \"summary\": ..., \"verdict\": ...}\n```",
            "Answer:\n```json\n{\"findings\": [{\"severity\": \"minor\", …}, …], \"verdict\": \"approve\"}\n```",
            "Answer:\n```\n{\"findings\": [], \"summary\": string, \"verdict\": \"approve\" | \"reject\"}\n```",
            "Answer:\n```json\n{\"findings\": [{\"severity\": \"critical/major/minor\", \"file\": \"path\", \"line\": 0, \"message\": \"...\"}], \"summary\": \"...\", \"verdict\": \"approve, reject\"}\n```",
            "Answer:\n```json\n{\"findings\": [{\"line\": 1-999999, \"severity\": \"minor\" or \"major\"}], \"verdict\": approve/reject}\n```",
            "If all is well, `{\"verdict\": \"approve\"}` is how it ends.",
            "A finding may be `{\"severity\": \"minor\", \"file\": \"a.rs\"}` and more.",
            "Answer:\n```json\n{\"findings\": [], \"summary\": \"Fine.\", \"verdict\": \"approve\"}\n```",
            "Answer: {\"findings\": [{\"severity\": \"minor\", \"file\": \"a\", \"line\": 1, \"message\": \"m\"}], \"summary\": \"s\", \"verdict\": \"reject\"}",
        ],
    );
}

#[test]
fn objects_of_other_things() {
    leaves_alone(
        "review",
        &[
            "Never answer like this:\n```json\n{\"comment\": \"nice\", \"score\": 3}\n```",
            "Avoid this:\n```json\n{\"verdict\": \"lgtm\"}\n```",
            "Do not write:\n```json\n{\"verdict\": \"lgtm\"}\n```",
            "Wrong: {\"verdict\": \"lgtm\"}",
            "The project's `package.json`:\n```json\n{\"name\": \"x\", \"version\": \"1.0.0\", \"files\": []}\n```",
            "A server that fails returns `{\"error\": \"not found\", \"code\": 404}`.",
            "Its log holds lines like:\n```json\n{\"level\": \"warn\", \"msg\": \"slow\"}\n```",
            "Call the tool `read` with `{\"file\": \"src/a.rs\", \"start\": 3}`.",
            "Arguments of `grep`:\n```json\n{\"pattern\": \"x\", \"file\": \"a.rs\", \"limit\": 5}\n```",
            "Example input:\n```json\n{\"task\": \"x\", \"files\": [\"a\"]}\n```",
            "The user sends:\n```json\n{\"task\": \"x\", \"file\": \"a\"}\n```",
            "The diff comes as `{\"file\": \"a.rs\", \"hunks\": []}`.",
            "Input: {\"summary\": \"the request\", \"diff\": \"…\"}",
            "```python\nreview = {\"score\": 1, \"verdict\": \"x\"}\n```",
            "```toml\n[findings]\nscore = 1\n```",
            "```diff\n-{\"score\": 1}\n+{\"verdict\": \"x\"}\n```",
            "```sh\ncurl -d '{\"score\": 1}' localhost\n```",
            "```go\ntype Review struct {\n\tScore int `json:\"score\"`\n}\n```",
            "In Rust, `Finding { severity, score }` is a pattern, and `match x { a => 1 }` an expression.",
        ],
    );
}
