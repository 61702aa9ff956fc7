//! Declares agents by id and tools, and prints what follows from that.
//!
//!     cargo run -p slm-agents --example declare

#![expect(clippy::print_stdout, reason = "an example shows its result")]

use slm_agents::{Error, RoleSpec, prompt_for};
use slm_schema::Registry;

fn main() -> Result<(), Error> {
    let agents = [
        RoleSpec::new("go-worker").tools(["read", "edit"]),
        RoleSpec::new("python-tester"),
        RoleSpec::new("triage").schema_role("scope_judge"),
        RoleSpec::new("memory"),
    ];
    for agent in agents {
        let agent = agent.normalize();
        let decoding = &agent.decoding;
        println!(
            "{:13} contract {:11} json_only {:5} serial_tools {}",
            agent.id,
            decoding.contract.as_deref().unwrap_or("none"),
            decoding.json_only,
            decoding.serial_tools
        );
    }

    let tester = RoleSpec::new("python-tester").normalize();
    if let Some(contract) = tester.contract(Registry::builtin())? {
        println!("\n{}", prompt_for(&tester.id)?.render(contract));
    }
    Ok(())
}
