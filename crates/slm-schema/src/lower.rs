//! Rewriting a contract's schema for the endpoint at hand: what is sent, and what that makes sure of.

mod gbnf;
mod llama_cpp;
mod openai;
mod unconstrained;
mod vllm;

use std::fmt;

use serde::Serialize;

use crate::grammar;
use crate::json::Json;
use crate::parse::is_annotation;
use crate::pointer::Pointer;
use crate::report::{EnforcementReport, Tier};
use crate::schema::{Schema, Shape};

/// How an endpoint reads a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Dialect {
    /// A JSON Schema for a server of which no more is known than that it speaks OpenAI's `json_schema`.
    Openai,
    /// A JSON Schema for vLLM.
    Vllm,
    /// A JSON Schema for llama.cpp's own converter.
    LlamaCpp,
    /// A GBNF grammar made by this crate.
    Gbnf,
    /// Some JSON object, no schema.
    JsonObject,
    /// Nothing on the wire.
    PromptOnly,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 6] =
        [Self::Openai, Self::Vllm, Self::LlamaCpp, Self::Gbnf, Self::JsonObject, Self::PromptOnly];

    /// The dialect's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Vllm => "vllm",
            Self::LlamaCpp => "llama_cpp",
            Self::Gbnf => "gbnf",
            Self::JsonObject => "json_object",
            Self::PromptOnly => "prompt_only",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

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
}

/// Lowers a schema, given as it was written and as it was read. Pure: one schema gives the same bytes every time.
pub(crate) fn lower(source: &Json, schema: &Schema, dialect: Dialect) -> Lowered {
    let constraint = match dialect {
        Dialect::Gbnf => Constraint::Grammar(grammar::compile(schema).as_str().to_owned()),
        Dialect::Openai | Dialect::Vllm | Dialect::LlamaCpp => {
            let mut sent = without_annotations(source);
            if dialect == Dialect::LlamaCpp {
                llama_cpp::remove_deadly_bounds(&mut sent);
            }
            Constraint::Schema(sent.compact())
        }
        Dialect::JsonObject => Constraint::JsonObject,
        Dialect::PromptOnly => Constraint::None,
    };
    Lowered { dialect, constraint, report: report(source, schema, dialect) }
}

/// The schema without what no server reads as a rule or as help: drafts, ids, examples.
fn without_annotations(json: &Json) -> Json {
    let Json::Object(members) = json else { return json.clone() };
    let kept = members
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "title" | "description") || !is_annotation(name))
        .map(|(name, value)| {
            let value = match (name.as_str(), value) {
                ("properties", Json::Object(properties)) => {
                    let below = properties.iter().map(|(name, schema)| (name.clone(), without_annotations(schema)));
                    Json::Object(below.collect())
                }
                ("items", schema) => without_annotations(schema),
                (_, value) => value.clone(),
            };
            (name.clone(), value)
        });
    Json::Object(kept.collect())
}

/// The verdict of one dialect on one keyword.
type Verdict = (Tier, &'static str);

const ENFORCED: Verdict = (Tier::Grammar, "");

fn report(source: &Json, schema: &Schema, dialect: Dialect) -> EnforcementReport {
    let mut report = EnforcementReport::default();
    visit(source, schema, &Pointer::root(), dialect, &mut report);
    report
}

fn visit(source: &Json, schema: &Schema, pointer: &Pointer, dialect: Dialect, report: &mut EnforcementReport) {
    let Json::Object(members) = source else { return };
    for (keyword, value) in members.iter().filter(|(keyword, _)| !is_annotation(keyword)) {
        let (tier, why) = judge(dialect, keyword, value, schema);
        report.push(pointer.as_str(), keyword, tier, why);
    }
    match &schema.shape {
        Shape::Object(object) => {
            if source.get("additionalProperties").is_none() {
                let (tier, why) = judge(dialect, "additionalProperties", &Json::Bool(true), schema);
                report.push(pointer.as_str(), "additionalProperties", tier, why);
            }
            let below = pointer.key("properties");
            for property in &object.properties {
                if let Some(json) = source.get("properties").and_then(|declared| declared.get(&property.name)) {
                    visit(json, &property.schema, &below.key(&property.name), dialect, report);
                }
            }
        }
        Shape::Array(array) => {
            if let Some(json) = source.get("items") {
                visit(json, &array.items, &pointer.key("items"), dialect, report);
            }
        }
        Shape::String(_) | Shape::Integer(_) | Shape::Number | Shape::Boolean | Shape::Null | Shape::Enum(_) => {}
    }
}

fn judge(dialect: Dialect, keyword: &str, value: &Json, schema: &Schema) -> Verdict {
    match dialect {
        Dialect::Gbnf => gbnf::judge(keyword, value, schema),
        Dialect::LlamaCpp => llama_cpp::judge(keyword, value, schema),
        Dialect::Vllm => vllm::judge(keyword, value),
        Dialect::Openai => openai::judge(keyword),
        Dialect::JsonObject | Dialect::PromptOnly => unconstrained::judge(),
    }
}
