//! Runs the command, away from the settings of whoever runs the tests.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Standard output as the one JSON document it must be.
    #[track_caller]
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Ended with `code`, one line on standard error, nothing on standard output.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, words: &[&str]) {
        assert_eq!((self.code, self.stdout.as_str(), self.stderr.lines().count()), (code, "", 1), "{self:?}");
        for word in words {
            assert!(self.stderr.contains(word), "{word} is missing: {self:?}");
        }
    }
}

pub(crate) fn slmcode(args: &[&str], stdin: impl AsRef<[u8]>) -> Run {
    slmcode_with(args, &[], stdin)
}

/// The command, not yet started, and its streams not yet tied to anything.
pub(crate) fn command(args: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slmcode"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SLMCODE_")) {
        command.env_remove(name);
    }
    command.args(args);
    // Ports of servers that are gone are given to others.
    command.env("SLMCODE_CACHE_DIR", "off").env("SLMCODE_CONFIG", "off").envs(variables.iter().copied());
    command
}

pub(crate) fn slmcode_with(args: &[&str], variables: &[(&str, &str)], stdin: impl AsRef<[u8]>) -> Run {
    let mut child = command(args, variables)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("slmcode starts");
    // A command that does not read its input closes it early.
    let _closed_pipe = child.stdin.take().expect("piped").write_all(stdin.as_ref());
    let output = child.wait_with_output().expect("slmcode ends");
    Run {
        code: output.status.code().expect("slmcode is not killed"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
