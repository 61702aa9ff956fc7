//! What only a terminal sees: colours, a spinner, a bar. The terminal is a real one, of the kernel's pseudo kind.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::command::command;
use crate::echo;
use crate::folder::Folder;
use crate::server::{MODELS, reply, serve};

/// The side of a terminal that a person looks at.
struct Screen {
    file: File,
    seen: String,
}

impl Screen {
    fn open() -> (Self, OwnedFd) {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&person).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap().into_string().unwrap();
        let program = File::options().read(true).write(true).open(name).unwrap();
        (Self { file: person.into(), seen: String::new() }, program.into())
    }

    /// Reads on; `false` when nobody writes to it any more.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        let length = self.file.read(&mut bytes).unwrap_or(0);
        self.seen.push_str(&String::from_utf8_lossy(&bytes[..length]));
        length > 0
    }

    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        while !self.seen.contains(text) {
            assert!(self.read(), "{text} never came: {}", self.seen);
        }
    }

    fn read_all(mut self) -> String {
        while self.read() {}
        self.seen
    }
}

/// The command, with settings of a terminal that can show colours.
fn on_terminal(args: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = command(args, &[]);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color").envs(variables.iter().copied()).stdin(Stdio::null());
    command
}

/// Both streams on one terminal: all that stood there in the end.
fn shown(args: &[&str], variables: &[(&str, &str)]) -> String {
    let (screen, program) = Screen::open();
    let mut command = on_terminal(args, variables);
    let mut child = command.stdout(program.try_clone().unwrap()).stderr(program).spawn().unwrap();
    drop(command);
    let text = screen.read_all();
    child.wait().unwrap();
    text
}

/// Standard error alone on a terminal.
fn start(args: &[&str]) -> (Child, Screen) {
    let (screen, program) = Screen::open();
    let mut command = on_terminal(args, &[]);
    let child = command.stdout(Stdio::piped()).stderr(program).spawn().unwrap();
    (child, screen)
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let url = serve(MODELS, reply!(r#""{\"zq\": true}""#));
    let doctor = ["doctor", "--endpoint", &url];
    let text = shown(&doctor, &[]);
    assert!(text.contains("\u{1b}[32menforced"), "{text:?}");
    let text = shown(&doctor, &[("NO_COLOR", "1")]);
    assert!(text.contains("enforced") && !text.contains("\u{1b}[3"), "{text:?}");
    let text = shown(&["grammar", "nope"], &[]);
    assert!(text.contains("\u{1b}[31m") && text.contains("error:"), "{text:?}");
    let text = shown(&["grammar", "nope"], &[("TERM", "dumb")]);
    assert!(text.starts_with("error:"), "{text:?}");
}

#[test]
fn a_spinner_turns_while_a_reply_takes_long() {
    let (seen, wait) = mpsc::sync_channel::<()>(1);
    let wait = std::sync::Mutex::new(wait);
    // The answer waits until a person saw the spinner.
    let (url, _) = echo::serve(move |_| wait.lock().unwrap().recv().unwrap_or_default());
    let (mut child, mut screen) = start(&["ask", "clarify", "x", "--endpoint", &url, "--mechanism", "prompt_only"]);
    screen.wait_for("waiting for the reply");
    drop(seen);
    let text = screen.read_all();
    let mut value = String::new();
    child.stdout.take().unwrap().read_to_string(&mut value).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{text}");
    assert!(value.starts_with('{'), "the spinner stays off standard output: {value}");
    assert!(text.contains("prompt_only · rung none"), "{text}");
}

#[test]
fn a_batch_shows_how_far_it_is_unless_json_is_asked_for() {
    let (url, _) = echo::serve(|_| {});
    let folder = Folder::new("terminal-batch");
    let (input, out) = (folder.write("in.txt", "a\nb\nprose\nd\n"), folder.path("out.jsonl"));
    let batch =
        ["batch", "clarify", &input, &out, "--endpoint", &url, "--mechanism", "prompt_only", "--max-reasks", "0"];
    let (mut child, screen) = start(&batch);
    let text = screen.read_all();
    assert_eq!(child.wait().unwrap().code(), Some(6), "{text}");
    assert!(text.contains("/4 · ") && text.contains("left"), "{text:?}");
    assert!(text.contains("4 lines · "), "{text:?}");
    let (mut child, screen) = start(&[&batch[..], &["--json", "--overwrite"]].concat());
    assert_eq!((screen.read_all().as_str(), child.wait().unwrap().code()), ("", Some(6)));
}
