//! Does a prompt promise only fields that its contract has?
//!
//! A prompt and its contract are written apart and drift apart. A field that is promised and does not exist is the worst
//! kind of drift: under a grammar the model cannot write it, and its content ends up squeezed into some other field.
//!
//! Three kinds of promise are read: names in backticks, keys of JSON examples, and lists of fields. Values of examples,
//! and those that a field is said to have, are held against the contract, too. Prose is full of names that are no promise
//! (files, commands, values, tools), so a name counts only where the text around it uses it as a field; the rules stand in
//! the modules.

mod backticks;
mod bullets;
mod example;
mod fields;
mod scan;
mod stated;
mod text;
mod value;

use std::collections::BTreeSet;
use std::fmt;

use slm_schema::Contract;

use crate::nearest;
use crate::problem::ProblemKind;
use crate::role::RoleSpec;
use fields::Fields;
use text::{Block, BlockKind};

/// How a prompt promises a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Promise {
    /// A name in backticks.
    Backticks,
    /// A key in a JSON example.
    Example,
    /// An item of a list of fields.
    Bullet,
}

/// A field that a prompt promises and its contract does not have there, or an example or a value that it does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// [`ProblemKind::UnknownField`] or [`ProblemKind::InvalidExample`].
    pub kind: ProblemKind,
    /// The line of the prompt, from 1.
    pub line: usize,
    /// The field's name, as the prompt writes it; empty for an example as a whole.
    pub name: String,
    /// How it is promised.
    pub promise: Promise,
    /// Where the prompt shows it, like `findings[]`; empty for the root, `None` where it does not say.
    pub place: Option<String>,
    /// The contract's name.
    pub contract: String,
    /// What the contract has there; of the whole contract where the prompt shows no place.
    pub known: Vec<String>,
    /// The field, with its place, or the value that was probably meant.
    pub nearest: Option<String>,
    /// What is wrong with an example; empty for a field.
    detail: String,
}

impl Finding {
    /// What is wrong, without the line.
    pub fn message(&self) -> String {
        let Self { name, place, contract, known, .. } = self;
        if !self.detail.is_empty() {
            return format!("{}, by contract \"{contract}\"", self.detail);
        }
        let place = match place.as_deref() {
            Some("") => " at the root".to_owned(),
            Some(place) => format!(" in `{place}`"),
            None => String::new(),
        };
        if known.is_empty() {
            return format!("the prompt promises `{name}`{place}, but contract \"{contract}\" has no fields there");
        }
        format!("the prompt promises `{name}`{place}, but contract \"{contract}\" has only: {}", known.join(", "))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message())
    }
}

/// What one of the modules found: like [`Finding`], without what is the same for all.
#[derive(Debug)]
struct Fault {
    line: usize,
    name: String,
    promise: Promise,
    place: Option<String>,
    known: Vec<String>,
    detail: String,
    nearest: Option<String>,
}

impl Fault {
    /// A field that does not exist.
    fn field(line: usize, name: &str, promise: Promise, place: Option<String>, known: Vec<String>) -> Self {
        Self { line, name: name.to_owned(), promise, place, known, detail: String::new(), nearest: None }
    }

    /// An example that is no document; `known` are the values that the field takes.
    fn example(line: usize, name: &str, place: &str, known: Vec<String>, detail: String) -> Self {
        let fault = Self::field(line, name, Promise::Example, Some(place.to_owned()), known);
        Self { detail, ..fault }
    }
}

/// The fields that a prompt promises and its contract does not have, in the order of their lines.
///
/// ```
/// let contract = slm_schema::Registry::builtin().get("review")?;
/// let findings = slm_agents::check_prompt("Say why in `rationale`, then give the `verdict`.", contract);
/// assert_eq!(
///     findings[0].to_string(),
///     "line 1: the prompt promises `rationale`, but contract \"review\" has only: \
///      findings, summary, verdict, severity, file, line, message, fix"
/// );
/// # Ok::<(), slm_schema::Error>(())
/// ```
#[must_use]
pub fn check_prompt(prompt: &str, contract: &Contract) -> Vec<Finding> {
    check(prompt, contract, &[])
}

/// Like [`check_prompt`], for the prompt of an agent: the names of its tools are no promises.
#[must_use]
pub fn check_agent(agent: &RoleSpec, prompt: &str, contract: &Contract) -> Vec<Finding> {
    check(prompt, contract, &agent.tools)
}

fn check(prompt: &str, contract: &Contract, tools: &[String]) -> Vec<Finding> {
    let fields = Fields::of(contract.schema(), tools);
    // What the contract says of itself promises nothing else; its lines stay, so that the others keep their numbers.
    let description = contract.describe();
    let prompt = prompt.replace(&description, &"\n".repeat(description.matches('\n').count()));
    let blocks = text::blocks(&prompt);
    let mut faults = Vec::new();
    let mut before: Option<&Block<'_>> = None;
    for block in &blocks {
        let intro = before.map(Block::last_line).unwrap_or_default();
        match block.kind {
            BlockKind::Prose => {
                faults.extend(example::in_prose(block, &fields));
                faults.extend(bullets::check(block, intro, &fields));
                faults.extend(backticks::check(block, &fields));
                faults.extend(stated::check(block, &fields));
            }
            BlockKind::Json => faults.extend(example::in_fence(block, intro, &fields)),
            BlockKind::Code => {}
        }
        before = Some(block);
    }
    // Stable, so that of two promises of one name on one line the more telling one stays: the modules come in that order.
    faults.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    faults.dedup_by(|later, earlier| later.line == earlier.line && later.name == earlier.name);
    faults.into_iter().map(|fault| finding(fault, contract.name(), &fields)).collect()
}

fn finding(fault: Fault, contract: &str, fields: &Fields<'_>) -> Finding {
    let Fault { line, name, promise, place, known, detail, nearest } = fault;
    let (kind, nearest) = if detail.is_empty() {
        (ProblemKind::UnknownField, nearest_field(&name, &known, fields))
    } else {
        (ProblemKind::InvalidExample, nearest)
    };
    Finding { kind, line, name, promise, place, contract: contract.to_owned(), known, nearest, detail }
}

/// The field of that name somewhere else, or one that is spelled much like it, first of all where the prompt shows it.
fn nearest_field(name: &str, known: &[String], fields: &Fields<'_>) -> Option<String> {
    let name = name.rsplit(['.', '/']).next().unwrap_or(name);
    let elsewhere = || fields.places().iter().find(|place| place.has(name)).map(|place| place.join(name));
    let near = || nearest::nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    let all = fields.all_names();
    elsewhere().or_else(near).or_else(|| nearest::nearest(name, all.iter().map(String::as_str)).map(str::to_owned))
}

/// The fields that a contract requires and a prompt never speaks of, each with its place.
///
/// A field is spoken of where its name occurs as a word, in the singular or plural, with spaces or underscores. The
/// description that [`Prompt::render`](crate::Prompt::render) adds does not count: it gives the shape, not the meaning.
///
/// ```
/// let contract = slm_schema::Registry::builtin().get("tester")?;
/// let prompt = "List the commands with each exit code, then the failures: test and message. Give a summary.";
/// assert_eq!(slm_agents::unmentioned_fields(prompt, contract), ["verdict"]);
/// # Ok::<(), slm_schema::Error>(())
/// ```
pub fn unmentioned_fields(prompt: &str, contract: &Contract) -> Vec<String> {
    let fields = Fields::of(contract.schema(), &[]);
    let said: BTreeSet<String> = text::words(prompt).flat_map(|word| forms(&word)).collect();
    let phrases = text::words(prompt).collect::<Vec<_>>().join("_");
    let is_said = |name: &str| {
        let name = name.to_lowercase();
        said.contains(&name) || (name.contains('_') && phrases.contains(&name))
    };
    let mut unsaid = Vec::new();
    for place in fields.places() {
        unsaid.extend(place.required().filter(|name| !is_said(name)).map(|name| place.join(name)));
    }
    unsaid
}

/// A word, and what it may be the singular or plural of.
fn forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned(), format!("{word}s")];
    forms.extend(word.strip_suffix("'s").map(str::to_owned));
    forms.extend(word.strip_suffix('s').map(str::to_owned));
    forms
}
