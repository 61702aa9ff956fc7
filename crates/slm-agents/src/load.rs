//! Agents from YAML files.
//!
//! One agent a file, or a list of them; a folder is read with those below it. Everything that is wrong is told at once,
//! each with its place, so that a file is not mended one error at a time.

mod declare;
mod files;
mod overrides;
mod places;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use slm_schema::{Contract, Registry};

use crate::agent::AgentSpec;
use crate::error::Error;
use crate::problem::{Gravity, Problem, ProblemKind};
use crate::tool;
use crate::yaml::{self, Node, Value};
use files::Folder;

/// The file of a folder that lists the tools its agents may name beside the usual ones.
const TOOLS_FILE: &str = "tools.yaml";

/// The agents of a folder, under the built-in contracts and the usual tools.
///
/// # Errors
///
/// Something is wrong with a file, or a prompt contradicts its contract: [`Error::problems`] lists all of it. Warnings are
/// no error.
///
/// ```
/// let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
/// let agents = slm_agents::load_dir(&folder)?;
/// assert!(agents.iter().any(|agent| agent.role.id == "go-review" && agent.role.decoding.serial_tools));
/// # Ok::<(), slm_agents::Error>(())
/// ```
pub fn load_dir(folder: &Path) -> Result<Vec<AgentSpec>, Error> {
    Loader::new(Registry::builtin()).read(folder).into_result()
}

/// The agents of one file, likewise; what it refers to must lie in the file's folder.
///
/// # Errors
///
/// As for [`load_dir`].
pub fn load_file(file: &Path) -> Result<Vec<AgentSpec>, Error> {
    load_dir(file)
}

/// Reads agents under contracts and tools of the caller's.
///
/// ```
/// use slm_agents::Loader;
/// use slm_schema::Registry;
///
/// let loaded = Loader::new(Registry::builtin()).tools(["read", "query_db"]).read("no/such/folder");
/// assert_eq!(loaded.problems[0].kind.name(), "unreadable");
/// ```
#[derive(Debug)]
pub struct Loader<'a> {
    registry: &'a Registry,
    tools: Option<Vec<String>>,
}

/// What a folder or a file holds: the agents that can be used, and all that is wrong, warnings too.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Loaded {
    /// The agents whose declaration is sound; their prompts may still be at odds with their contracts.
    pub agents: Vec<AgentSpec>,
    /// What is wrong, file by file and line by line.
    pub problems: Vec<Problem>,
}

impl Loaded {
    /// Is something wrong of this gravity?
    pub fn has(&self, gravity: Gravity) -> bool {
        self.problems.iter().any(|problem| problem.kind.gravity() == gravity)
    }

    /// The agents, if nothing is wrong but what is worth a look.
    ///
    /// # Errors
    ///
    /// Something is wrong.
    pub fn into_result(self) -> Result<Vec<AgentSpec>, Error> {
        let faults: Vec<Problem> =
            self.problems.into_iter().filter(|problem| problem.kind.gravity() != Gravity::Warning).collect();
        if faults.is_empty() { Ok(self.agents) } else { Err(Error::unsound(faults)) }
    }
}

impl<'a> Loader<'a> {
    /// Under the contracts of a registry, and the usual tools with those that a folder's `tools.yaml` lists.
    #[must_use]
    pub fn new(registry: &'a Registry) -> Self {
        Self { registry, tools: None }
    }

    /// Under these tools and no others.
    #[must_use]
    pub fn tools<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.tools = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// The agents of a folder and those below it, or of one file.
    pub fn read(&self, path: impl AsRef<Path>) -> Loaded {
        let path = path.as_ref();
        let mut problems = Vec::new();
        let mut reading = match Folder::open(path) {
            Ok(folder) => self.reading(folder, &mut problems),
            Err(problem) => return Loaded { agents: Vec::new(), problems: vec![*problem] },
        };
        let files = reading.folder.agent_files(&mut problems);
        if files.is_empty() && problems.is_empty() {
            let message = "no agents here: no file ends in .yaml or .yml";
            problems.push(problem(path, ProblemKind::Unreadable, message));
        }
        for file in files {
            reading.file(&file, &mut problems);
        }
        problems.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        Loaded { agents: reading.agents, problems }
    }

    fn reading(&self, folder: Folder, problems: &mut Vec<Problem>) -> Reading<'a> {
        let tools = self.tools.clone().unwrap_or_else(|| {
            let mut tools: Vec<String> = tool::usual().map(str::to_owned).collect();
            tools.extend(own_tools(&folder, problems));
            tools
        });
        let registry = self.registry;
        Reading { folder, registry, tools, schemas: BTreeMap::new(), ids: BTreeMap::new(), agents: Vec::new() }
    }
}

/// What is known while the files of a folder are read.
struct Reading<'a> {
    folder: Folder,
    registry: &'a Registry,
    tools: Vec<String>,
    /// The schema files that were read, by their real paths.
    schemas: BTreeMap<PathBuf, Arc<Contract>>,
    /// Where each id is declared.
    ids: BTreeMap<String, (PathBuf, usize)>,
    agents: Vec<AgentSpec>,
}

impl Reading<'_> {
    fn file(&mut self, file: &Path, problems: &mut Vec<Problem>) {
        let (text, root) = match parsed(file) {
            Ok(parsed) => parsed,
            Err(problem) => return problems.push(*problem),
        };
        let agents = if let Value::List(items) = &root.value { items.as_slice() } else { std::slice::from_ref(&root) };
        for agent in agents {
            self.agent(agent, file, &text, problems);
        }
    }
}

/// The text of a file, and what it holds.
fn parsed(file: &Path) -> Result<(String, Node), Box<Problem>> {
    let text = files::read(file)?;
    match yaml::parse(&text) {
        Ok(Some(root)) => Ok((text, root)),
        Ok(None) => {
            Err(Box::new(problem(file, ProblemKind::Syntax, "the file is empty; declare an agent or remove it")))
        }
        Err(fault) => {
            let mut problem = problem(file, ProblemKind::Syntax, fault.message);
            (problem.line, problem.column) = (Some(fault.place.line), Some(fault.place.column));
            Err(Box::new(problem))
        }
    }
}

/// The names in the folder's list of tools, if it has one.
fn own_tools(folder: &Folder, problems: &mut Vec<Problem>) -> Vec<String> {
    let Some(file) = folder.file_at_root(TOOLS_FILE) else { return Vec::new() };
    let root = match parsed(&file) {
        Ok((_, root)) => root,
        Err(problem) => {
            problems.push(*problem);
            return Vec::new();
        }
    };
    let mut sink = places::Sink::new(&file, problems);
    sink.texts(&root, "the list of tools").unwrap_or_default()
}

fn problem(file: &Path, kind: ProblemKind, message: impl Into<String>) -> Problem {
    Problem {
        file: file.to_owned(),
        line: None,
        column: None,
        kind,
        agent: None,
        message: message.into(),
        nearest: None,
    }
}
