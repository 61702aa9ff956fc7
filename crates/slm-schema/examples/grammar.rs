//! Prints a contract's grammar, its description and what the grammar does not cover.
//!
//! `cargo run -p slm-schema --example grammar -- review`
#![expect(clippy::print_stdout, reason = "printing is what the example is for")]

use slm_schema::{Dialect, Error, Registry};

fn main() -> Result<(), Error> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "review".to_owned());
    let contract = Registry::builtin().get(&name)?;
    println!("{}\n{}", contract.describe(), contract.grammar());
    for entry in contract.lower(Dialect::Gbnf).report.exceptions() {
        println!("# {} {}: {} ({})", entry.pointer, entry.keyword, entry.tier.as_str(), entry.why);
    }
    if let Some(bound) = contract.bound() {
        println!("# at most {} characters; max_tokens {}", bound.chars(), bound.max_tokens());
    }
    Ok(())
}
