//! Rewriting a contract's schema for the endpoint at hand: what is sent, what that makes sure of, and how the reply is
//! read back.
//!
//! The source text is walked, not the typed tree: every keyword that stands there gets its entry, whether it is
//! understood or not. A dialect is a table of verdicts ([`rules`]); [`judgement`] turns it into the report, [`send`] into
//! what is sent, and both ask the same table, so that they cannot disagree.

mod anthropic;
mod complete;
mod dialect;
mod fits;
mod gemini;
mod groq;
mod json_object;
mod judgement;
mod limits;
mod llama_cpp;
mod lm_studio;
mod members;
mod merge;
mod ollama;
mod openai;
mod openai_strict;
mod pattern;
mod prompt_only;
mod read_back;
mod rules;
mod scope;
mod send;
mod sglang;
#[cfg(test)]
mod tests;
mod tgi;
mod union;
mod view;
mod vllm;
mod words;

use std::sync::Arc;

use serde_json::Value;

use self::read_back::WayBack;
use self::rules::{Objects, Rules};
use self::scope::Scope;
use crate::error::Error;
use crate::grammar::{self, Spacing};
use crate::json::Json;
use crate::report::EnforcementReport;
use crate::schema::Schema;

pub use self::dialect::Dialect;

/// What goes on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Constraint {
    /// A JSON Schema, minified, in source order.
    Schema(String),
    /// A GBNF grammar.
    Grammar(String),
    /// A request for some JSON object.
    JsonObject,
    /// Nothing.
    None,
}

/// A contract as one dialect sends it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Lowered {
    /// For which dialect.
    pub dialect: Dialect,
    /// What is sent.
    pub constraint: Constraint,
    /// What that makes sure of.
    pub report: EnforcementReport,
    way_back: Option<WayBack>,
    broken_limit: Option<Error>,
}

impl Lowered {
    /// Does the endpoint take what is sent? To be asked before anything is.
    ///
    /// # Errors
    ///
    /// The schema breaks a limit of the endpoint: too deep, too large, recursive, an object that could only be empty. The
    /// error names the place in what is sent, and the way out.
    pub fn check(&self) -> Result<(), Error> {
        match &self.broken_limit {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// The reply as a document of the original schema: undoes what the dialect's shape forced on it, and nothing else.
    ///
    /// Where a dialect wants every property required, one that was optional may be null instead; such a null is taken out.
    /// Where it wants an object at the root, any other root was put into the property `value`; it is taken out of it.
    /// To be applied before the reply is validated.
    pub fn read_back(&self, reply: Value) -> Value {
        match &self.way_back {
            Some(way_back) => way_back.read(reply),
            None => reply,
        }
    }
}

/// Lowers a schema, given as it was written and as it was read, with what the reader says of its own tree. Pure: one
/// schema gives the same bytes every time. Where the schema is rewritten, keywords that are `put_aside` are not sent.
pub(crate) fn lower(
    source: &Json,
    schema: &Schema,
    gbnf: &EnforcementReport,
    dialect: Dialect,
    put_aside: &[String],
) -> Lowered {
    if let Some(rules) = dialect.rules() {
        return by_rules(source, rules, dialect, put_aside);
    }
    let constraint = Constraint::Grammar(grammar::compile(schema, Spacing::Compact).as_str().to_owned());
    Lowered { dialect, constraint, report: gbnf.clone(), way_back: None, broken_limit: None }
}

fn by_rules(source: &Json, rules: &Rules, dialect: Dialect, put_aside: &[String]) -> Lowered {
    let mut scope = Scope::new(source);
    scope.put_aside = put_aside;
    let report = judgement::report(&scope, rules);
    if dialect == Dialect::JsonObject {
        let broken_limit = limits::root_that_is_no_object(&scope);
        return Lowered { dialect, constraint: Constraint::JsonObject, report, way_back: None, broken_limit };
    }
    if dialect == Dialect::PromptOnly {
        return Lowered { dialect, constraint: Constraint::None, report, way_back: None, broken_limit: None };
    }
    as_schema(&scope, rules, dialect, report)
}

fn as_schema(scope: &Scope<'_>, rules: &Rules, dialect: Dialect, report: EnforcementReport) -> Lowered {
    let sending = send::send(scope, rules);
    let is_completed = rules.objects == Objects::Complete;
    let is_changed = sending.is_wrapped || is_completed;
    let way_back = || WayBack { source: Arc::new(scope.root.clone()), is_wrapped: sending.is_wrapped, is_completed };
    Lowered {
        dialect,
        constraint: Constraint::Schema(sending.schema.compact()),
        report,
        way_back: is_changed.then(way_back),
        broken_limit: limits::broken(&sending, rules.limits),
    }
}
