//! Does a prompt promise only fields that its contract has?
//!
//! A prompt and its contract are written apart and drift apart. A field that is promised and does not exist is the worst
//! kind of drift: under a grammar the model cannot write it, and its content ends up squeezed into some other field.
//!
//! Three kinds of promise are read: names in backticks, keys of JSON examples, and bullet lists of fields. Prose is full
//! of names that are no promise (files, commands, values, tools), so a name counts only where the text around it uses it
//! as a field; the rules stand in the three modules.

mod backticks;
mod bullets;
mod example;
mod fields;
mod text;

use std::fmt;

use slm_schema::Contract;

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

/// A field that a prompt promises and its contract does not have there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The line of the prompt, from 1.
    pub line: usize,
    /// The name, as the prompt writes it.
    pub name: String,
    /// How it is promised.
    pub promise: Promise,
    /// Where the prompt shows it, like `findings[]`; empty for the root, `None` where it does not say.
    pub place: Option<String>,
    /// The contract's name.
    pub contract: String,
    /// What the contract has there; of the whole contract where the prompt shows no place.
    pub known: Vec<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, name, promise: _, place, contract, known } = self;
        write!(f, "line {line}: the prompt promises `{name}`")?;
        match place.as_deref() {
            Some("") => f.write_str(" at the root")?,
            Some(place) => write!(f, " in `{place}`")?,
            None => {}
        }
        if known.is_empty() {
            return write!(f, ", but contract \"{contract}\" has no fields there");
        }
        write!(f, ", but contract \"{contract}\" has only: {}", known.join(", "))
    }
}

/// What one of the three modules found: like [`Finding`], without what is the same for all.
#[derive(Debug)]
struct Fault {
    line: usize,
    name: String,
    promise: Promise,
    place: Option<String>,
    known: Vec<String>,
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
    let blocks = text::blocks(prompt);
    let mut faults = Vec::new();
    let mut before: Option<&Block<'_>> = None;
    for block in &blocks {
        let intro = before.map(Block::last_line).unwrap_or_default();
        match block.kind {
            BlockKind::Prose => {
                faults.extend(example::in_prose(block, &fields));
                faults.extend(bullets::check(block, intro, &fields));
                faults.extend(backticks::check(block, &fields));
            }
            BlockKind::Json => faults.extend(example::in_fence(block, intro, &fields)),
            BlockKind::Code => {}
        }
        before = Some(block);
    }
    // Stable, so that of two promises of one name on one line the more telling one stays: the modules come in that order.
    faults.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    faults.dedup_by(|later, earlier| later.line == earlier.line && later.name == earlier.name);
    faults.into_iter().map(|fault| finding(fault, contract.name())).collect()
}

fn finding(fault: Fault, contract: &str) -> Finding {
    let Fault { line, name, promise, place, known } = fault;
    Finding { line, name, promise, place, contract: contract.to_owned(), known }
}
