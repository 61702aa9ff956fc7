//! Regular expressions in schemas.

use slm_schema::Contract;

/// Reads the bytes as the pattern of a string.
pub fn check(data: &[u8]) {
    let Ok(pattern) = std::str::from_utf8(data) else { return };
    let schema = serde_json::json!({"type": "string", "pattern": pattern}).to_string();
    let Ok(contract) = Contract::from_json("fuzz", &schema) else { return };
    drop(contract.grammar());
    if let Some(sample) = contract.sample(1) {
        let value = serde_json::from_str(&sample).expect("a sample is JSON");
        assert!(contract.schema().conforms(&value), "a sample fits its pattern: {sample}");
    }
}
