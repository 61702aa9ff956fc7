//! The documents of `fixtures/repairs`: a text, and what becomes of it.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use slm_repair::{Options, repair_with};
use slm_schema::Contract;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// The value; absent where there is none.
    #[serde(default)]
    value: Option<Value>,
    #[serde(default)]
    rungs: Vec<String>,
    /// The kind of the error, as it is written in Rust.
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    schema: Option<Value>,
}

#[test]
fn fixtures() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/repairs");
    let mut seen = 0;
    for entry in fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            check(&path);
            seen += 1;
        }
    }
    assert!(seen >= 20, "only {seen} fixtures in {}", directory.display());
}

fn check(path: &Path) {
    let name = path.display();
    let text = fs::read_to_string(path).unwrap();
    let expected = fs::read_to_string(path.with_extension("json")).unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected: Expected = serde_json::from_str(&expected).unwrap_or_else(|error| panic!("{name}: {error}"));
    let contract = expected.schema.as_ref().map(|schema| Contract::from_json("fixture", &schema.to_string()).unwrap());
    let options = Options { schema: contract.as_ref().map(Contract::schema), ..Options::default() };
    match repair_with(&text, &options) {
        Ok(repaired) => {
            assert_eq!(Some(repaired.value), expected.value, "{name}");
            let rungs: Vec<_> = repaired.rungs.iter().map(|rung| rung.as_str()).collect();
            assert_eq!(rungs, expected.rungs, "{name}");
        }
        Err(error) => {
            assert_eq!(Some(format!("{:?}", error.kind())), expected.error, "{name}: {error}");
        }
    }
}
