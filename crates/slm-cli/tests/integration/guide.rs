//! `docs/guide.md`, command by command, against the recorded replies of a real server.
//!
//! `SLMCODE_RECORD=127.0.0.1:8080 SLMCODE_WRITE_DOCS=1 cargo test -p slm-cli guide` records anew from the server there, and
//! writes what it said into the guide.

use std::path::Path;
use std::process::Command;

use crate::command::command;
use crate::folder::Folder;
use crate::recorded;

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide.md");
/// The address in the guide.
const SHOWN: &str = "http://127.0.0.1:8080";

#[test]
fn every_step_of_the_guide_gives_what_it_shows() {
    let server = recorded::serve();
    let folder = Folder::new("guide");
    let text = std::fs::read_to_string(GUIDE).unwrap();
    let (mut current, mut lines, mut file) = (String::new(), text.lines(), None);
    while let Some(line) = lines.next() {
        current.extend([line, "\n"]);
        if let Some(name) = line.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")) {
            file = Some(name);
        } else if line.starts_with("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if line == "```console" {
                for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                    current.extend(["$ ", command, "\n", &shell(command, &folder, &server.url)]);
                }
            } else {
                let content = block.join("\n") + "\n";
                if let Some(name) = file.take() {
                    folder.write(name, &content);
                }
                current.push_str(&content);
            }
            current.push_str("```\n");
        }
    }
    server.keep();
    if std::env::var_os("SLMCODE_WRITE_DOCS").is_some() {
        std::fs::write(GUIDE, &current).unwrap();
    }
    let text = std::fs::read_to_string(GUIDE).unwrap();
    assert_eq!(
        without_times(&text),
        without_times(&current),
        "see the top of this file for how to write the guide anew"
    );
}

/// Runs a line; what stood on both streams, with the addresses and paths of the guide.
fn shell(line: &str, folder: &Folder, url: &str) -> String {
    let program = command(&[], &[]);
    let binary = Path::new(program.get_program());
    let example = binary.with_file_name("examples").join("own_type");
    if line.contains("own_type") {
        assert!(example.exists(), "the example is not built: run all tests of slm-cli, not this binary alone");
    }
    let line = line.replace("cargo run -q -p slm-cli --example own_type --", &format!("'{}'", example.display()));
    let script = format!("slmcode() {{ '{}' \"$@\"; }}\n{}", binary.display(), line.replace(SHOWN, url));
    let mut shell = Command::new("sh");
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let config = folder.path("config.toml");
    let output = shell
        .args(["-c", &format!("{{ {script}\n}} 2>&1")])
        .current_dir(folder.path(""))
        .env("SLMCODE_CONFIG", &config)
        .env("SLMCODE_CACHE_DIR", folder.path("cache"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{line}: {text}");
    text.replace(url, SHOWN).replace(&config, "~/.config/slmcode/config.toml")
}

/// How long things take is another matter each time.
fn without_times(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for place in 1..words.len() {
        let is_unit =
            ["ms", "s"].iter().any(|unit| words[place].trim_end_matches([')', '\n', '`', '$']).trim() == *unit);
        if is_unit || words[place].starts_with("ms)\n") || words[place].starts_with("s\n") {
            let before = &mut words[place - 1];
            if before.parse::<f64>().is_ok() {
                before.replace_range(.., "N");
            }
        }
    }
    words.join(" ")
}
