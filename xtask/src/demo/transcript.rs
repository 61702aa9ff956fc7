//! What a run of the demo prints, put into the README.

use std::io::{BufRead as _, BufReader};
use std::process::Command;

use crate::{Outcome, files};

/// How the transcript begins in the README; its fence ends it.
const BEGINNING: &str = "```console\n$ cargo xtask demo\n==> ";
const FENCE: &str = "\n```\n";

/// Runs the demo in a process of its own, shows what it prints, and writes that down.
pub(crate) fn write() -> Outcome {
    let failed = |error: std::io::Error| format!("the demo cannot be run: {error}");
    let (reader, writer) = std::io::pipe().map_err(failed)?;
    let program = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(program);
    // Both streams through one pipe, so that the lines keep their order.
    command.arg("demo").stdout(writer.try_clone().map_err(failed)?).stderr(writer);
    let mut child = command.spawn().map_err(failed)?;
    // It holds ends of the pipe that would keep it open.
    drop(command);
    let mut transcript = String::new();
    for line in BufReader::new(reader).lines() {
        let line = line.map_err(failed)?;
        println!("{line}");
        transcript += &line;
        transcript.push('\n');
    }
    if !child.wait().map_err(failed)?.success() {
        return Err("the demo failed; README.md is as it was".to_owned());
    }
    let path = files::root().join("README.md");
    let readme = std::fs::read_to_string(&path).map_err(|error| format!("cannot read README.md: {error}"))?;
    files::write(&path, &put(&readme, &transcript)?)
}

/// The README with this transcript in the place of the one it holds.
fn put(readme: &str, transcript: &str) -> Outcome<String> {
    let missing = || "README.md holds no transcript of `cargo xtask demo` to replace".to_owned();
    let (before, rest) = readme.split_once(BEGINNING).ok_or_else(missing)?;
    let (_, behind) = rest.split_once(FENCE).ok_or_else(missing)?;
    let command = BEGINNING.trim_end_matches("==> ");
    Ok(format!("{before}{command}{}{FENCE}{behind}", transcript.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transcript_takes_the_place_of_the_old_one_alone() {
        let readme = "```console\n$ cargo xtask demo\n$ cargo test\n```\nA run:\n```console\n$ cargo xtask demo\n==> old\n{}\n```\nMore.\n";
        let written = put(readme, "==> new\n{\n}\n\n").unwrap();
        let expected = "```console\n$ cargo xtask demo\n$ cargo test\n```\nA run:\n```console\n$ cargo xtask demo\n==> new\n{\n}\n```\nMore.\n";
        assert_eq!(written, expected);
        put("no transcript", "==> new").unwrap_err();
    }

    #[test]
    fn the_readme_holds_one() {
        let readme = std::fs::read_to_string(files::root().join("README.md")).unwrap();
        put(&readme, "==> new").unwrap();
    }
}
