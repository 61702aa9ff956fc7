//! What is printed, and the exit codes. A reader that closed the pipe has seen enough, so failures to write are no
//! failures of the command.

use std::io::Write as _;

use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value, json};

/// What went wrong.
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
/// What may go wrong.
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
/// What is good.
pub(crate) const GREEN: Style = AnsiColor::Green.on_default();
/// What matters less.
pub(crate) const DIM: Style = Style::new().dimmed();

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// A value; done.
    Done,
    /// The job failed.
    Failed,
    /// Usage or configuration.
    Usage,
    /// Cut off, or empty.
    Truncated,
    /// The text parses but violates the schema, or is no JSON.
    Invalid,
    /// The model refused.
    Refused,
    /// All lines were done, and some are no values.
    Incomplete,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Truncated => 3,
            Self::Invalid => 4,
            Self::Refused => 5,
            Self::Incomplete => 6,
        }
    }
}

/// Why a command has nothing to show: one line for a person, one document with `--json`.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    document: Value,
    /// What led to it, for those who ask.
    causes: Box<[String]>,
}

impl Failure {
    /// A mistake in how the command was called.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", message)
    }

    /// Something that stops the job, by class.
    pub(crate) fn new(exit: Exit, class: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let document = json!({"outcome": "error", "error": {"class": class, "message": message}});
        Self { exit, message, document, causes: Box::default() }
    }

    /// The same, with what led to it.
    pub(crate) fn with_causes(mut self, causes: Vec<String>) -> Self {
        self.causes = causes.into();
        self
    }

    /// The same, with a document of the command's own.
    pub(crate) fn with_document(mut self, document: Value) -> Self {
        self.document = document;
        self
    }

    /// What `--json` prints.
    pub(crate) fn into_document(self) -> Map<String, Value> {
        let mut members = Map::new();
        if let Value::Object(own) = self.document {
            members = own;
        }
        members
    }

    /// Prints it: with `json` the document, else the line, and what led to it if that is asked for.
    pub(crate) fn report(self, json: bool, verbose: bool) -> Exit {
        if json {
            document(&self.document);
        } else {
            error(&self.message);
        }
        if verbose && !json {
            self.causes.iter().for_each(|cause| note(&format!("  because: {cause}")));
        }
        self.exit
    }
}

/// The one JSON document of `--json`.
pub(crate) fn document(document: &Value) {
    line(&document.to_string());
}

/// A line on standard output.
pub(crate) fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    let _closed_pipe = writeln!(out, "{text}");
}

/// A line on standard output, with its colours where it is a terminal that wants them.
pub(crate) fn coloured(text: &str) {
    let mut out = anstream::AutoStream::auto(std::io::stdout()).lock();
    let _closed_pipe = writeln!(out, "{text}");
}

/// `text` in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// What went wrong, on standard error.
pub(crate) fn error(text: &str) {
    labelled(RED, "error", text);
}

/// What the user should know, on standard error.
pub(crate) fn warning(text: &str) {
    labelled(YELLOW, "warning", text);
}

fn labelled(style: Style, label: &str, text: &str) {
    let mut err = anstream::AutoStream::auto(std::io::stderr()).lock();
    let _closed_pipe = writeln!(err, "{style}{label}:{style:#} {text}");
}

/// A line on standard error.
pub(crate) fn note(text: &str) {
    let mut err = std::io::stderr().lock();
    let _closed_pipe = writeln!(err, "{text}");
}

/// Puts `value` under `key`, unless there is none: keys that do not apply are left out.
pub(crate) fn insert(document: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        document.insert(key.to_owned(), value.into());
    }
}
