//! `repair_as`: a schema never changes what needs no change.

use std::sync::OnceLock;

use slm_repair::{Rung, repair, repair_as};
use slm_schema::Contract;

const SCHEMAS: [&str; 4] = [
    r#"{"type": "object", "required": ["n", "e"], "properties": {"n": {"type": "integer"}, "b": {"type": "boolean"},
        "s": {"type": "string"}, "e": {"enum": ["to_do", "In Progress", 3]}, "o": {"type": "object"}}}"#,
    r##"{"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "number"}]}}}}"##,
    r#"{"type": "object", "additionalProperties": {"type": ["integer", "null"]}}"#,
    r#"{"type": "array", "prefixItems": [{"type": "string", "pattern": "^[0-9]+$"}], "items": {"type": "boolean"}}"#,
];

/// The first byte chooses the schema, the others are the text.
pub fn check(data: &[u8]) {
    static CONTRACTS: OnceLock<Vec<Contract>> = OnceLock::new();
    let read = |text: &&str| Contract::from_json("fuzz", text).expect("the schemas above are sound");
    let contracts = CONTRACTS.get_or_init(|| SCHEMAS.iter().map(read).collect());
    let Some((choice, data)) = data.split_first() else { return };
    let Some(contract) = contracts.get(usize::from(*choice) % contracts.len()) else { return };
    let text = String::from_utf8_lossy(data);
    let with_schema = repair_as(&text, contract.schema());
    if let Ok(repaired) = &with_schema {
        assert_eq!(repaired.coercions.is_empty(), !repaired.rungs.contains(&Rung::Coerce), "coercions are on record");
        assert_eq!(serde_json::from_str(&repaired.text).ok().as_ref(), Some(&repaired.value), "text and value agree");
    }
    if let Ok(repaired) = repair(&text)
        && contract.schema().conforms(&repaired.value)
    {
        assert_eq!(with_schema.ok(), Some(repaired), "what fits is left alone");
    }
}
