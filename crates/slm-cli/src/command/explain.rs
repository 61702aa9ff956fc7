//! `slmcode explain`: what an endpoint of a dialect is sent, and who enforces each rule of the schema.

use serde_json::{Value, json};
use slm_schema::{Constraint, Dialect, EnforcementReport, Entry, Lowered};

use crate::args::Explain;
use crate::contract;
use crate::output::{self, Exit, Failure};

/// What a grammar adds to every rule; it is no entry of the report.
const CANONICAL: &str =
    "documents are written compactly, with properties in schema order and one spelling for each value";

pub(crate) fn run(args: &Explain, json: bool) -> Result<Exit, Failure> {
    let contract = contract::require(args.contract.contract.as_deref(), args.contract.schema.as_deref())?;
    let dialect: Dialect = args.dialect.parse().map_err(|error| Failure::usage(format!("--dialect: {error}")))?;
    let lowered = contract.lower(dialect);
    let canonical = (dialect == Dialect::Gbnf).then_some(CANONICAL);
    if json {
        output::document(&json!({
            "dialect": dialect.as_str(),
            "sent": sent(&lowered),
            "canonical": canonical,
            "report": lowered.report.entries().iter().map(row).collect::<Value>(),
            "fully_enforced": lowered.report.is_fully_enforced(),
        }));
    } else {
        print(&lowered, canonical);
    }
    if let Err(error) = lowered.check() {
        output::note(&format!("warning: {dialect} would be refused this: {error}"));
    }
    Ok(Exit::Done)
}

fn row(entry: &Entry) -> Value {
    json!({"pointer": entry.pointer, "keyword": entry.keyword, "tier": entry.tier.as_str(), "why": entry.why})
}

/// What stands on the wire: a schema, the text of a grammar, the type of the reply, or nothing.
fn sent(lowered: &Lowered) -> Value {
    match &lowered.constraint {
        // It was written by us, so it parses; if it did not, its text would be the truth.
        Constraint::Schema(text) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
        Constraint::Grammar(text) => json!(text),
        Constraint::JsonObject => json!({"type": "json_object"}),
        Constraint::None | _ => Value::Null,
    }
}

fn print(lowered: &Lowered, canonical: Option<&str>) {
    let sent = sent(lowered);
    if let Some(grammar) = sent.as_str() {
        output::line(grammar.trim_end());
    } else if sent.is_null() {
        output::line("nothing is sent");
    } else {
        output::line(&format!("{sent:#}"));
    }
    output::line("");
    for line in table(&lowered.report) {
        output::line(&line);
    }
    output::line("");
    output::line(&lowered.report.to_string());
    if let Some(canonical) = canonical {
        output::line(canonical);
    }
}

/// The report with its columns aligned.
fn table(report: &EnforcementReport) -> Vec<String> {
    let head = ["pointer", "keyword", "tier", "why"].map(str::to_owned);
    let rows = report.entries().iter().map(|entry| {
        let Entry { pointer, keyword, tier, why, .. } = entry;
        [
            format!("\"{}\"", pointer.escape_debug()),
            keyword.escape_debug().to_string(),
            tier.as_str().to_owned(),
            (*why).to_owned(),
        ]
    });
    let rows: Vec<[String; 4]> = std::iter::once(head).chain(rows).collect();
    let width =
        |cell: fn(&[String; 4]) -> &str| rows.iter().map(|row| cell(row).chars().count()).max().unwrap_or_default();
    let (pointer, keyword, tier) =
        (width(|[cell, ..]| cell), width(|[_, cell, ..]| cell), width(|[_, _, cell, _]| cell));
    let lines = rows.iter().map(|[a, b, c, d]| format!("{a:<pointer$}  {b:<keyword$}  {c:<tier$}  {d}"));
    lines.map(|line| line.trim_end().to_owned()).collect()
}
