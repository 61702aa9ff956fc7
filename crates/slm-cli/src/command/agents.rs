//! `slmcode agents check`: are agents sound, and do their prompts keep to their contracts?

use serde_json::{Map, Value, json};
use slm_agents::{AgentSpec, Gravity, Loaded, Loader, Problem};
use slm_schema::Registry;

use crate::args::{Agents, AgentsAction, Check};
use crate::call;
use crate::output::{self, Exit, Failure, insert};

pub(crate) fn run(args: &Agents, json: bool) -> Result<Exit, Failure> {
    match &args.action {
        AgentsAction::Check(check) => self::check(check, json),
    }
}

fn check(args: &Check, json: bool) -> Result<Exit, Failure> {
    let mut loader = Loader::new(Registry::builtin());
    if let Some(file) = &args.tools {
        loader = loader.tools(call::tools(file)?.iter().map(|tool| tool.name().to_owned()));
    }
    let found = loader.read(&args.folder);
    // One fault is told by the error line itself.
    let only = found.problems.first().filter(|_| found.problems.len() == 1).map(Problem::to_string);
    let is_listed = !json && (only.is_none() || !found.has(Gravity::Configuration) && !found.has(Gravity::Mismatch));
    if is_listed {
        found.problems.iter().for_each(|problem| output::line(&format!("{}: {problem}", severity(problem))));
    }
    let count = |gravity: Gravity| found.problems.iter().filter(|one| one.kind.gravity() == gravity).count();
    let (unsound, mismatches, warnings) =
        (count(Gravity::Configuration), count(Gravity::Mismatch), count(Gravity::Warning));
    let document = document(&found);
    if unsound > 0 {
        let message = only.unwrap_or_else(|| format!("the agents' files are not sound: {unsound} findings"));
        return Err(failure(Exit::Usage, "configuration", message, document, "error"));
    }
    if mismatches > 0 {
        let message = only.unwrap_or_else(|| format!("prompts at odds with their contracts: {mismatches} findings"));
        return Err(failure(Exit::Invalid, "mismatch", message, document, "mismatch"));
    }
    if json {
        output::document(&finished(document, "ok"));
    } else {
        output::note(&format!("agents: {}, faults: none, warnings: {warnings}", found.agents.len()));
    }
    Ok(Exit::Done)
}

fn failure(exit: Exit, class: &str, message: String, mut document: Map<String, Value>, outcome: &str) -> Failure {
    document.insert("error".to_owned(), json!({"class": class, "message": message}));
    Failure::new(exit, class, message).with_document(finished(document, outcome))
}

/// The outcome stands first.
fn finished(members: Map<String, Value>, outcome: &str) -> Value {
    let mut document = Map::new();
    document.insert("outcome".to_owned(), outcome.into());
    document.extend(members);
    Value::Object(document)
}

fn document(found: &Loaded) -> Map<String, Value> {
    let mut document = Map::new();
    insert(&mut document, "agents", Some(found.agents.iter().map(agent).collect::<Vec<_>>()));
    insert(&mut document, "findings", Some(found.problems.iter().map(finding).collect::<Vec<_>>()));
    document
}

fn agent(agent: &AgentSpec) -> Value {
    let mut document = Map::new();
    insert(&mut document, "id", Some(agent.role.id.as_str()));
    insert(&mut document, "contract", agent.role.decoding.contract.as_deref());
    insert(&mut document, "file", Some(agent.file.display().to_string()));
    insert(&mut document, "line", Some(agent.line));
    Value::Object(document)
}

fn finding(problem: &Problem) -> Value {
    let mut document = Map::new();
    insert(&mut document, "severity", Some(severity(problem)));
    insert(&mut document, "kind", Some(problem.kind.name()));
    insert(&mut document, "file", Some(problem.file.display().to_string()));
    insert(&mut document, "line", problem.line);
    insert(&mut document, "column", problem.column);
    insert(&mut document, "agent", problem.agent.as_deref());
    insert(&mut document, "message", Some(problem.message.as_str()));
    insert(&mut document, "nearest", problem.nearest.as_deref());
    Value::Object(document)
}

fn severity(problem: &Problem) -> &'static str {
    if problem.kind.gravity() == Gravity::Warning { "warning" } else { "error" }
}
