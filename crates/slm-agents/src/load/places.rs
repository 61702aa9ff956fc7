//! Problems noted at their places.

use std::path::Path;

use crate::consistency::Finding;
use crate::problem::{Problem, ProblemKind};
use crate::yaml::{Layout, Node, Place, Text, Value};

/// Notes what is wrong with one agent, or one file.
pub(super) struct Sink<'a> {
    file: &'a Path,
    problems: &'a mut Vec<Problem>,
    pub(super) agent: Option<String>,
}

/// Where a prompt's text stands.
pub(super) enum Lines<'a> {
    /// It is a file of its own.
    File(&'a Path, &'a str),
    /// It stands in the agent's file, whose text this is.
    Within(&'a str, &'a Text),
    /// It is built in, and the agent that uses it stands here.
    BuiltIn(Place),
}

impl<'a> Sink<'a> {
    pub(super) fn new(file: &'a Path, problems: &'a mut Vec<Problem>) -> Self {
        Self { file, problems, agent: None }
    }

    pub(super) fn add(&mut self, kind: ProblemKind, place: Place, message: impl Into<String>) {
        self.add_near(kind, place, message, None);
    }

    /// With the known name that was probably meant.
    pub(super) fn add_near(&mut self, kind: ProblemKind, place: Place, message: impl Into<String>, near: Option<&str>) {
        self.problems.push(Problem {
            file: self.file.to_owned(),
            line: Some(place.line),
            column: Some(place.column),
            kind,
            agent: self.agent.clone(),
            message: message.into(),
            nearest: near.map(str::to_owned),
        });
    }

    /// Notes what is wrong with a file that the agent refers to.
    pub(super) fn add_elsewhere(&mut self, problem: Problem) {
        self.problems.push(Problem { agent: self.agent.clone(), ..problem });
    }

    /// Notes what the check of a prompt found.
    pub(super) fn add_finding(&mut self, finding: &Finding, lines: &Lines<'_>) {
        let (file, line, column) = lines.place_of(self.file, finding);
        self.problems.push(Problem {
            file: file.to_owned(),
            line: Some(line),
            column,
            kind: finding.kind,
            agent: self.agent.clone(),
            message: finding.message(),
            nearest: finding.nearest.clone(),
        });
    }

    /// Notes something about a prompt as a whole.
    pub(super) fn add_at_start(&mut self, kind: ProblemKind, lines: &Lines<'_>, message: String) {
        let (file, line) = match lines {
            Lines::BuiltIn(place) => (self.file, place.line),
            Lines::File(path, _) => (*path, 1),
            Lines::Within(_, prompt) => match &prompt.layout {
                Layout::Literal(first) => (self.file, *first),
                Layout::Folded(range) => (self.file, *range.start()),
            },
        };
        let (file, agent) = (file.to_owned(), self.agent.clone());
        self.problems.push(Problem { file, line: Some(line), column: None, kind, agent, message, nearest: None });
    }

    /// A text that is not empty.
    pub(super) fn text<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n Text> {
        let message = match &node.value {
            Value::Text(text) if text.text.trim().is_empty() => format!("{what} is empty"),
            Value::Text(text) => return Some(text),
            Value::Bool(_) | Value::Number(_) => {
                format!("{what} must be a text, and this is {}; put it in quotes", node.value.kind())
            }
            Value::Null | Value::List(_) | Value::Map(_) => {
                format!("{what} must be a text, and this is {}", node.value.kind())
            }
        };
        self.add(ProblemKind::InvalidValue, node.place, message);
        None
    }

    /// The texts of a list.
    pub(super) fn texts(&mut self, node: &Node, what: &str) -> Option<Vec<String>> {
        let Value::List(items) = &node.value else {
            let message = format!("{what} must be a list, and this is {}", node.value.kind());
            self.add(ProblemKind::InvalidValue, node.place, message);
            return None;
        };
        let item = format!("each of {what}");
        items.iter().map(|node| self.text(node, &item).map(|text| text.text.clone())).collect()
    }
}

impl Lines<'_> {
    /// File, line and column of a finding. The column is that of its name, where the line holds it.
    fn place_of<'f>(&'f self, file: &'f Path, finding: &Finding) -> (&'f Path, usize, Option<usize>) {
        let column = |text: &str, line: usize| {
            let line = text.lines().nth(line.checked_sub(1)?)?;
            let at = line.find(&finding.name).filter(|_| !finding.name.is_empty())?;
            Some(line.get(..at)?.chars().count() + 1)
        };
        match self {
            Self::BuiltIn(place) => (file, place.line, Some(place.column)),
            Self::File(prompt, text) => (prompt, finding.line, column(text, finding.line)),
            Self::Within(text, prompt) => {
                let line = match &prompt.layout {
                    Layout::Literal(first) => first + finding.line - 1,
                    Layout::Folded(range) => {
                        let holds = |line: &usize| column(text, *line).is_some();
                        range.clone().find(holds).unwrap_or(*range.start())
                    }
                };
                (file, line, column(text, line))
            }
        }
    }
}
