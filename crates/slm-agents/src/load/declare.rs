//! From a mapping to an agent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use slm_schema::{Contract, Registry};

use super::files::{self, Referred, Refusal};
use super::overrides::{self, Setting};
use super::places::{Lines, Sink};
use super::{Reading, problem};
use crate::agent::AgentSpec;
use crate::consistency::{check_agent, unmentioned_fields};
use crate::id::{built_in, is_free_text};
use crate::nearest::nearest;
use crate::problem::{Gravity, Problem, ProblemKind};
use crate::prompt::{Prompt, prompt_for};
use crate::role::RoleSpec;
use crate::yaml::{Key, Node, Place, Text, Value};

const KEYS: [&str; 8] = ["id", "description", "prompt", "prompt_file", "tools", "schema_role", "schema", "overrides"];

/// The values of an agent's keys.
struct Members<'n> {
    members: &'n [(Key, Node)],
}

impl<'n> Members<'n> {
    fn get(&self, name: &str) -> Option<&'n Node> {
        self.members.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)
    }
}

/// A prompt and where it stands.
enum Source<'n> {
    Own(&'n Text),
    File(PathBuf, String),
    BuiltIn(Prompt),
}

impl Reading<'_> {
    /// Reads one agent; it is kept if nothing is wrong with its declaration.
    pub(super) fn agent(&mut self, node: &Node, file: &Path, text: &str, problems: &mut Vec<Problem>) {
        let before = problems.len();
        let mut sink = Sink::new(file, problems);
        let Some(agent) = self.declared(node, file, text, &mut sink) else { return };
        let is_sound = problems.iter().skip(before).all(|found| found.kind.gravity() != Gravity::Configuration);
        if is_sound {
            self.agents.push(agent);
        }
    }

    fn declared(&mut self, node: &Node, file: &Path, text: &str, sink: &mut Sink<'_>) -> Option<AgentSpec> {
        let Value::Map(members) = &node.value else {
            let message = format!("an agent is a mapping with an `id`, and this is {}", node.value.kind());
            sink.add(ProblemKind::InvalidValue, node.place, message);
            return None;
        };
        let members = Members { members };
        let id = members.get("id").and_then(|id| sink.text(id, "`id`")).map(|id| id.text.trim().to_owned());
        sink.agent.clone_from(&id);
        unknown_keys(members.members, sink);
        let Some(id) = id else {
            if members.get("id").is_none() {
                sink.add(ProblemKind::MissingKey, node.place, "an agent needs an `id`, like `id: go-worker`");
            }
            return None;
        };
        self.take_id(&id, members.get("id").map_or(node.place, |id| id.place), file, sink);

        let mut role = RoleSpec::new(&id).tools(self.tools_of(&members, sink));
        let schema = self.schema_of(&members, file, sink);
        role.schema_role =
            schema.as_ref().map(|own| own.name().to_owned()).or_else(|| self.schema_role(&members, sink));
        refuse_contract_of_free_text(&id, &members, sink);
        let names_contract = members.get("schema").or_else(|| members.get("schema_role")).is_some();
        let lost_contract = names_contract && role.schema_role.is_none();
        let role = role.normalize();
        let has_contract = role.decoding.contract.is_some() || lost_contract;
        let setting = Setting { has_tools: !role.tools.is_empty(), has_contract };
        let read = |node: &Node| overrides::read(node, &setting, sink);
        let overrides = members.get("overrides").map(read).unwrap_or_default();
        let role = role.overrides(overrides).normalize();

        let description = members.get("description").and_then(|node| sink.text(node, "`description`"));
        let description = description.map(|text| text.text.trim().to_owned()).unwrap_or_default();
        // Held against another contract, the prompt would be blamed for what it is not at fault.
        if lost_contract {
            return None;
        }
        let source = self.prompt_of(&members, &role, file, node.place, sink)?;
        let prompt = source.prompt();
        let agent = AgentSpec { role, description, prompt, schema, file: file.to_owned(), line: node.place.line };
        let lines = match &source {
            Source::Own(prompt) => Lines::Within(text, prompt),
            Source::File(path, text) => Lines::File(path, text),
            Source::BuiltIn(_) => Lines::BuiltIn(node.place),
        };
        check(&agent, self.registry, &lines, sink);
        Some(agent)
    }

    fn take_id(&mut self, id: &str, place: Place, file: &Path, sink: &mut Sink<'_>) {
        if let Some((other, line)) = self.ids.get(id) {
            let message = format!("an agent `{id}` is declared already: {}:{line}", other.display());
            sink.add(ProblemKind::DuplicateId, place, message);
        } else {
            self.ids.insert(id.to_owned(), (file.to_owned(), place.line));
        }
    }

    fn tools_of(&self, members: &Members<'_>, sink: &mut Sink<'_>) -> Vec<String> {
        let Some(node) = members.get("tools") else { return Vec::new() };
        let Some(names) = sink.texts(node, "`tools`") else { return Vec::new() };
        if let Value::List(items) = &node.value {
            for (name, item) in names.iter().zip(items).filter(|(name, _)| !self.tools.contains(name)) {
                let message = format!("nobody declares a tool `{}`; list your own in tools.yaml", name.escape_debug());
                let near = nearest(name, self.tools.iter().map(String::as_str));
                sink.add_near(ProblemKind::UnknownTool, item.place, message, near);
            }
        }
        names
    }

    fn schema_role(&self, members: &Members<'_>, sink: &mut Sink<'_>) -> Option<String> {
        let node = members.get("schema_role")?;
        let name = sink.text(node, "`schema_role`")?.text.clone();
        if self.registry.get(&name).is_ok() {
            return Some(name);
        }
        let known: Vec<&str> = self.registry.names().collect();
        let message = format!("no contract is named `{}`; known are {}", name.escape_debug(), known.join(", "));
        sink.add_near(ProblemKind::UnknownContract, node.place, message, nearest(&name, known));
        None
    }

    /// The contract of the agent's own schema file, named after the file.
    fn schema_of(&mut self, members: &Members<'_>, file: &Path, sink: &mut Sink<'_>) -> Option<Arc<Contract>> {
        let node = members.get("schema")?;
        if members.get("schema_role").is_some() {
            let message = "`schema` and `schema_role` are two contracts; an agent emits one, so leave one out";
            sink.add(ProblemKind::InvalidValue, node.place, message);
        }
        let (Referred { path, real }, text) = self.referred(node, "`schema`", file, sink)?;
        if let Some(known) = self.schemas.get(&real) {
            return Some(Arc::clone(known));
        }
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let is_taken = self.registry.get(&name).is_ok() || self.schemas.values().any(|own| own.name() == name);
        if is_taken {
            let message =
                format!("a contract is named `{name}` already; the file's name is the contract's, so rename it");
            sink.add(ProblemKind::InvalidSchema, node.place, message);
            return None;
        }
        match Contract::from_json(&name, &text) {
            Ok(contract) => {
                let contract = Arc::new(contract);
                self.schemas.insert(real, Arc::clone(&contract));
                Some(contract)
            }
            Err(error) => {
                let mut problem = problem(&path, ProblemKind::InvalidSchema, error.to_string());
                // The error has a pointer; the keyword's first place is at least near.
                let keyword = error.keyword().map(|keyword| format!("\"{keyword}\""));
                problem.line =
                    keyword.and_then(|keyword| text.lines().position(|line| line.contains(&keyword))).map(|at| at + 1);
                sink.add_elsewhere(problem);
                None
            }
        }
    }

    fn prompt_of<'n>(
        &self,
        members: &Members<'n>,
        role: &RoleSpec,
        file: &Path,
        place: Place,
        sink: &mut Sink<'_>,
    ) -> Option<Source<'n>> {
        match (members.get("prompt"), members.get("prompt_file")) {
            (Some(_), Some(node)) => {
                let message = "`prompt` and `prompt_file` are two prompts; leave one out";
                sink.add(ProblemKind::InvalidValue, node.place, message);
                None
            }
            (Some(node), None) => sink.text(node, "`prompt`").map(Source::Own),
            (None, Some(node)) => {
                let (referred, text) = self.referred(node, "`prompt_file`", file, sink)?;
                Some(Source::File(referred.path, text))
            }
            (None, None) => {
                let of_contract = || role.schema_role.as_deref().and_then(|name| prompt_for(name).ok());
                let built_in = prompt_for(&role.id).ok().filter(|_| role.schema_role.is_none()).or_else(of_contract);
                if built_in.is_none() {
                    let message = "an agent needs a `prompt` or a `prompt_file`: no built-in role is meant by its id";
                    sink.add(ProblemKind::MissingKey, place, message);
                }
                built_in.map(Source::BuiltIn)
            }
        }
    }

    /// A file that the agent refers to, and its text.
    fn referred(&self, node: &Node, key: &str, file: &Path, sink: &mut Sink<'_>) -> Option<(Referred, String)> {
        let name = &sink.text(node, key)?.text;
        match self.folder.resolve(file, name) {
            Ok(referred) => match files::read(&referred.path) {
                Ok(text) => return Some((referred, text)),
                Err(problem) => sink.add_elsewhere(*problem),
            },
            Err(Refusal::LeadsOut) => {
                let message = format!("{key} leads out of the agents' folder; put the file into it");
                sink.add(ProblemKind::OutsideFolder, node.place, message);
            }
            Err(Refusal::NotFound(error)) => {
                let message = format!("{key}: cannot find `{}`: {error}", name.escape_debug());
                sink.add(ProblemKind::Unreadable, node.place, message);
            }
        }
        None
    }
}

impl Source<'_> {
    fn prompt(&self) -> Prompt {
        match self {
            Self::Own(text) => Prompt::new(text.text.clone()),
            Self::File(_, text) => Prompt::new(text.clone()),
            Self::BuiltIn(prompt) => prompt.clone(),
        }
    }
}

fn unknown_keys(members: &[(Key, Node)], sink: &mut Sink<'_>) {
    for (key, _) in members.iter().filter(|(key, _)| !KEYS.contains(&key.name.as_str())) {
        let message = format!("no agent has a key `{}`; known are {}", key.name.escape_debug(), KEYS.join(", "));
        sink.add_near(ProblemKind::UnknownKey, key.place, message, nearest(&key.name, KEYS));
    }
}

fn refuse_contract_of_free_text(id: &str, members: &Members<'_>, sink: &mut Sink<'_>) {
    for node in ["schema", "schema_role"].iter().filter_map(|key| members.get(key)).filter(|_| is_free_text(id)) {
        let role = built_in(id).map_or(id, |role| role.id);
        let message =
            format!("a `{role}` answers in free text, so it emits no contract; leave this out or rename the agent");
        sink.add(ProblemKind::InvalidValue, node.place, message);
    }
}

/// Holds the prompt against the contract.
fn check(agent: &AgentSpec, registry: &Registry, lines: &Lines<'_>, sink: &mut Sink<'_>) {
    let Ok(Some(contract)) = agent.contract(registry) else { return };
    if agent.role.decoding.contract.is_none() {
        return;
    }
    let prompt = agent.prompt.template();
    for finding in check_agent(&agent.role, prompt, contract) {
        sink.add_finding(&finding, lines);
    }
    for field in unmentioned_fields(prompt, contract) {
        let message = format!("the prompt never speaks of `{field}`, which contract \"{}\" requires", contract.name());
        sink.add_at_start(ProblemKind::UnmentionedField, lines, message);
    }
}
