//! `Loader`: agents from a YAML file.

use slm_agents::Loader;
use slm_schema::Registry;

use super::folder::Folder;

/// Reads the bytes as a file of agents.
pub fn check(data: &[u8]) {
    let folder = Folder::with("a.yaml", data);
    let loaded = Loader::new(Registry::builtin()).read(folder.path());
    // What is missing at the end may be told of the line behind the last.
    let lines = data.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 2;
    for problem in &loaded.problems {
        assert!(!problem.message.is_empty());
        assert!(problem.line.is_none_or(|line| (1..=lines).contains(&line)), "{problem}");
    }
    assert!(!loaded.agents.is_empty() || !loaded.problems.is_empty(), "a file without agents is told");
    for agent in &loaded.agents {
        drop(agent.system_prompt(Registry::builtin()));
    }
}
