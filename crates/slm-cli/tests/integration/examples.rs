//! Every example of `--help`, of this crate's README and of the workspace's, as a shell runs it.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{command, slmcode};
use crate::echo;
use crate::folder::Folder;

const AGENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../slm-agents/agents");

const COMMANDS: [&str; 20] = [
    "",
    "ask",
    "batch",
    "doctor",
    "readiness",
    "status",
    "config",
    "config get",
    "config set",
    "config unset",
    "config list",
    "repair",
    "validate",
    "grammar",
    "explain",
    "sample",
    "completions",
    "man",
    "agents",
    "agents check",
];

/// The lines under `Example:`.
fn of_help(command: &str) -> Vec<String> {
    let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
    let help = slmcode(&args, "").stdout;
    let (_, examples) = help.split_once("Example:\n").unwrap_or_else(|| panic!("{command} shows none: {help}"));
    examples.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// The lines after `$`, without the words on them.
fn of_readme() -> Vec<String> {
    let lines = include_str!("../../README.md").lines().filter_map(|line| line.strip_prefix("$ "));
    lines
        .map(|line| {
            line.split("  #").next().unwrap_or_default().split(" # ").next().unwrap_or_default().trim().to_owned()
        })
        .collect()
}

/// What the workspace's README shows of the demo, and the commands that it names in its text.
fn of_workspace() -> Vec<String> {
    let readme = include_str!("../../../../README.md");
    let shown = readme.lines().filter_map(|line| line.strip_prefix("==> ")).filter(|line| line.contains("slmcode "));
    let (text, mut fenced) = (readme.lines(), false);
    let prose = text.filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced
    });
    let named = prose.flat_map(|line| line.split('`').skip(1).step_by(2)).filter(|code| code.contains("slmcode "));
    shown.chain(named).map(str::to_owned).collect()
}

#[test]
fn every_example_runs() {
    let (url, _) = echo::serve(|_| {});
    let mut examples: Vec<String> = COMMANDS.iter().flat_map(|command| of_help(command)).collect();
    examples.extend(of_readme());
    let of_workspace = of_workspace();
    assert!(of_workspace.len() >= 5, "{of_workspace:?}");
    examples.extend(of_workspace);
    assert!(examples.len() > 30 && examples.iter().all(|example| example.contains("slmcode")), "{examples:?}");
    for example in examples {
        let folder = Folder::new("examples");
        folder.write("reply.json", r#"{"findings": [], "summary": "Fine.", "verdict": "approve"}"#);
        folder.write("requests.jsonl", "{\"prompt\": \"Make it faster\"}\n");
        folder.write("tickets.csv", "id,title\n1,Make it faster\n");
        copy(Path::new(AGENTS), Path::new(&folder.path("agents")));
        folder.write("config.toml", "");
        folder.write("config.toml.before-fix", "");
        let code = shell(&example, &folder, &url);
        // The server knows one answer, which fits one contract: that another one is invalid is no fault of the example.
        assert!(matches!(code, Some(0 | 4)), "{example}: {code:?}");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Runs a line with `slmcode` as the one that was built.
fn shell(line: &str, folder: &Folder, url: &str) -> Option<i32> {
    let jq = Command::new("jq").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let line =
        if jq.is_ok_and(|status| status.success()) { line.to_owned() } else { line.replace("| jq .connection", "") };
    // Addresses in examples are those of other people's servers.
    let line = line.replace("http://127.0.0.1:8080", url).replace("git diff", "echo diff");
    let program = command(&[], &[]);
    let script = format!("slmcode() {{ '{}' \"$@\"; }}\n{line}", program.get_program().to_string_lossy());
    let mut shell = Command::new("sh");
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
        .args(["-c", &script])
        .current_dir(folder.path(""))
        .env("SLMCODE_ENDPOINT", url)
        .env("SLMCODE_CONFIG", folder.path("config.toml"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap()
        .code()
}
