//! `Contract::from_json` and all that is made of a contract.

use slm_schema::{Contract, Dialect};

/// Reads the bytes as a schema, and if they are one writes everything that can be written of it.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let contract = match Contract::from_json("fuzz", text) {
        Ok(contract) => contract,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    drop((contract.grammar(), contract.describe(), contract.bound(), contract.to_json()));
    for dialect in Dialect::ALL {
        drop(contract.lower(dialect));
    }
    if let Some(sample) = contract.sample(1) {
        let value = serde_json::from_str(&sample).expect("a sample is JSON");
        assert!(contract.schema().conforms(&value), "a sample fits its schema: {sample}");
    }
}
