//! What it costs to make a constraint of a schema's text: a grammar by slm-schema, a parser by llguidance.
//!
//! `cargo run --release --manifest-path crates/slm-schema/benches/peers/Cargo.toml`
//!
//! Timed from the same minified text. Ours: the schema read and checked, the grammar compiled and printed. Theirs, as its
//! documentation shows: the text read by serde_json, `TopLevelGrammar::from_json_schema`, `ParserFactory::create_parser`.
//! The factory is made beforehand, on its vocabulary of single bytes, the smallest there is. llguidance puts off a part of
//! its work until tokens are asked for, so the first mask has a column of its own; a server that is sent a grammar of ours
//! has yet to parse it.
//!
//! All are measured in turn, round after round, so that whatever else the machine does is shared by all; the least of the
//! rounds is printed: a round is one run of each, so that a busy machine leaves some of them alone. A peer that refuses the
//! smallest valid document is named so and not timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokenId};
use llguidance::{Matcher, ParserFactory};
use slm_schema::{Contract, Registry};

/// Some seconds, since shared machines change their pace for a second or more.
const ROUNDS: usize = 1500;

fn main() {
    let tokens = ApproximateTokEnv::single_byte_env();
    let mut factory = ParserFactory::new_simple(&tokens).expect("a factory of single bytes");
    factory.quiet();
    println!("| schema | bytes | slm-schema | llguidance | × | with its first mask | × |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for contract in Registry::builtin().iter() {
        measure(contract.name(), &contract.to_json(), &factory);
    }
    measure("100 properties", &hundred_properties(), &factory);
}

fn hundred_properties() -> String {
    let property = |i| format!(r#""p{i}":{{"type":"string","minLength":{},"maxLength":{}}}"#, i % 7, 100 + i);
    let properties: Vec<String> = (0..100).map(property).collect();
    format!(r#"{{"type":"object","properties":{{{}}},"additionalProperties":false}}"#, properties.join(","))
}

fn grammar(text: &str) -> String {
    Contract::from_json("schema", text).expect("the schema is one").grammar().to_string()
}

fn matcher(text: &str, factory: &ParserFactory) -> Matcher {
    let schema = serde_json::from_str(text).expect("the schema is JSON");
    Matcher::new(factory.create_parser(TopLevelGrammar::from_json_schema(schema)))
}

/// Does the peer take the smallest valid document?
fn is_right(text: &str, factory: &ParserFactory) -> bool {
    let contract = Contract::from_json("schema", text).expect("the schema is one");
    let document = contract.minimal().expect("a smallest document");
    let tokens: Vec<TokenId> = document.bytes().map(TokenId::from).collect();
    let mut matcher = matcher(text, factory);
    matcher.try_consume_tokens(&tokens).is_ok_and(|count| count == tokens.len())
        && matcher.is_accepting().is_ok_and(|is_accepting| is_accepting)
}

fn measure(name: &str, text: &str, factory: &ParserFactory) {
    let is_right = is_right(text, factory);
    let runs: [(bool, Box<dyn Fn()>); 3] = [
        (true, Box::new(|| drop(black_box(grammar(black_box(text)))))),
        (is_right, Box::new(|| drop(black_box(matcher(black_box(text), factory))))),
        (is_right, Box::new(|| drop(black_box(matcher(black_box(text), factory).compute_mask())))),
    ];
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..ROUNDS {
        for ((is_right, run), times) in runs.iter().zip(&mut times) {
            if *is_right {
                let start = Instant::now();
                run();
                times.push(start.elapsed());
            }
        }
    }
    let least: Vec<Option<Duration>> = times.iter().map(|times| times.iter().min().copied()).collect();
    let ours = least.first().copied().flatten().expect("ours is always timed");
    let peer = |time: &Option<Duration>| match time {
        Some(time) => format!("{time:.1?} | {:.3}", ours.as_secs_f64() / time.as_secs_f64()),
        None => "refuses a valid document | -".to_owned(),
    };
    let peers: Vec<String> = least.iter().skip(1).map(peer).collect();
    println!("| {name} | {} | {ours:.1?} | {} |", text.len(), peers.join(" | "));
}
