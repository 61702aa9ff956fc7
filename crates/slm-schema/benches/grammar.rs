//! Grammar compilation: the built-in contracts, one by one, and a schema of a hundred properties; beside each, what
//! serde_json takes to read the schema's text, so that a ratio can be quoted from one run.

use divan::{Bencher, black_box};
use slm_schema::{Contract, Registry};

fn main() {
    divan::main();
}

fn names() -> Vec<&'static str> {
    Registry::builtin().names().collect()
}

fn hundred_properties() -> String {
    let properties: Vec<String> = (0..100)
        .map(|i| format!(r#""p{i}":{{"type":"string","minLength":{},"maxLength":{}}}"#, i % 7, 100 + i))
        .collect();
    format!(r#"{{"type":"object","properties":{{{}}},"additionalProperties":false}}"#, properties.join(","))
}

fn contract(name: &str) -> &'static Contract {
    Registry::builtin().get(name).unwrap_or_else(|error| unreachable!("{error}"))
}

#[divan::bench(args = names())]
fn compile(bencher: Bencher<'_, '_>, name: &str) {
    let contract = contract(name);
    bencher.bench(|| black_box(contract).grammar());
}

#[divan::bench(args = names())]
fn serde_json_reads_the_schema(bencher: Bencher<'_, '_>, name: &str) {
    let text = contract(name).to_json();
    bencher.bench(|| serde_json::from_str::<serde_json::Value>(black_box(&text)));
}

#[divan::bench]
fn hundred_properties_compile(bencher: Bencher<'_, '_>) {
    let contract =
        Contract::from_json("hundred", &hundred_properties()).unwrap_or_else(|error| unreachable!("{error}"));
    bencher.bench(|| black_box(&contract).grammar());
}

#[divan::bench]
fn hundred_properties_serde_json_reads_the_schema(bencher: Bencher<'_, '_>) {
    let text = hundred_properties();
    bencher.bench(|| serde_json::from_str::<serde_json::Value>(black_box(&text)));
}
