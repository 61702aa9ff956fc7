//! Which document is meant, where there are several, or none.

use serde_json::json;
use slm_repair::{ErrorKind, Rung, repair, repair_as};
use slm_schema::Contract;

#[test]
fn several_documents_are_named() {
    let input = "{\"a\": 1}\nor {\"a\": 2}";
    let error = repair(input).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Ambiguous);
    assert_eq!(error.documents(), [0..8, 12..20]);
    assert_eq!(
        error.to_string(),
        "line 1, column 1: there are 2 documents, at 1:1, 2:4; ask for one, or give the schema it must satisfy"
    );
}

#[test]
fn the_one_that_conforms_is_meant() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}"#;
    let contract = Contract::from_json("flag", schema).unwrap();
    let repaired = repair_as("{\"b\": 1} or {'a': True}?", contract.schema()).unwrap();
    assert_eq!((repaired.value, repaired.rung), (json!({"a": true}), Rung::PythonBools));
    let repaired = repair_as("```\n{\"b\": 1}\n```\n```\n{\"a\": \"true\"}\n```", contract.schema()).unwrap();
    assert_eq!((repaired.value, repaired.rung), (json!({"a": true}), Rung::Coerce));
    let error = repair_as("{\"a\": true} {\"a\": false}", contract.schema()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Ambiguous);
}

#[test]
fn a_document_that_may_go_on_is_in_doubt() {
    for input in ["{\"a\": 1}, \"b\": 2}", "{\"a\": 1}, {\"a\": 2}", "{\"a\": 1}[1, 2]"] {
        assert_eq!(repair(input).unwrap_err().kind(), ErrorKind::Ambiguous, "{input:?}");
    }
}

#[test]
fn a_document_inside_a_broken_one_is_no_answer() {
    for input in ["[{\"a\": 1 oops}, {\"b\": 2}]", "{a: hello world, b: {\"c\": 1}}", "{\"a\": {{\"b\": 1}}}"] {
        let error = repair(input).map(|repaired| repaired.text).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid | ErrorKind::Ambiguous), "{input:?}: {error}");
    }
}

#[test]
fn no_document() {
    for input in
        ["", "  \n", "hello", "N/A", "}", "I can't help.", "The set {x | x > 0}.", "```json\n```", "See [1] and {}."]
    {
        assert_eq!(repair(input).unwrap_err().kind(), ErrorKind::NoJson, "{input:?}");
    }
}
