//! Loads the agents of a folder, and says what is wrong where something is.
//!
//!     cargo run -p slm-agents --example load [FOLDER]

#![expect(clippy::print_stdout, reason = "an example shows its result")]

use std::path::PathBuf;

use slm_agents::{Gravity, Loader};
use slm_schema::Registry;

fn main() -> Result<(), slm_agents::Error> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/agents");
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from(own), PathBuf::from);

    let loaded = Loader::new(Registry::builtin()).read(&folder);
    for problem in &loaded.problems {
        let gravity = if problem.kind.gravity() == Gravity::Warning { "warning" } else { "error" };
        println!("{gravity}: {problem}");
    }
    for agent in loaded.into_result()? {
        let contract = agent.contract(Registry::builtin())?.map_or("none", |contract| contract.name());
        println!("{:15} contract {contract:8} {}", agent.role.id, agent.description);
    }
    Ok(())
}
