//! What a repair costs, how its cost grows, and how often it is right, beside the peers; three tables.
//!
//! `cargo run --release --manifest-path crates/slm-repair/benches/peers/Cargo.toml [speed|growth|accuracy]`
//!
//! The last needs the public cases, where `SLM_TEST_DATA` says that they are.

mod accuracy;
mod growth;
mod speed;

fn main() {
    let wanted = std::env::args().nth(1);
    let is_wanted = |table: &str| wanted.as_deref().is_none_or(|wanted| wanted == table);
    if wanted.as_deref() == Some(accuracy::CHILD) {
        return accuracy::answer();
    }
    if is_wanted("speed") {
        speed::print();
    }
    if is_wanted("growth") {
        println!();
        growth::print();
    }
    if let Some(data) = std::env::var_os("SLM_TEST_DATA").filter(|_| is_wanted("accuracy")) {
        println!();
        accuracy::print(data.as_ref());
    }
}
