//! `explain`: what is sent, and who enforces what.

use crate::command::slmcode;

const SCHEMA: &str = r#"{"type": "object", "properties": {"z": {"type": "string", "maxLength": 5}, "a": {"type": "boolean"}},
    "required": ["z"], "additionalProperties": false}"#;

#[test]
fn the_table_is_aligned() {
    let run = slmcode(&["explain", "--schema", "-", "--dialect", "openai_strict"], SCHEMA);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{run:?}");
    let (sent, report) = run.stdout.split_once("\n\n").unwrap();
    let sent: serde_json::Value = serde_json::from_str(sent).unwrap();
    assert_eq!(sent["required"], serde_json::json!(["z", "a"]));
    let expected = r#"pointer          keyword               tier         why
""               type                  grammar
""               properties            grammar
""               required              grammar
""               additionalProperties  grammar
"/properties/z"  type                  grammar
"/properties/z"  maxLength             description  strict mode refuses it
"/properties/a"  type                  grammar

6 of 7 rules enforced while decoding, 1 checked after the reply
"#;
    assert_eq!(report, expected);
}

#[test]
fn json_is_one_document_with_every_key() {
    let document = slmcode(&["explain", "--schema", "-", "--dialect", "gbnf", "--json"], SCHEMA).document();
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["dialect", "sent", "canonical", "report", "fully_enforced"]);
    assert!(document["sent"].as_str().unwrap().starts_with("root ::="), "{document}");
    assert!(document["canonical"].as_str().unwrap().contains("schema order"), "{document}");
    assert_eq!(
        document["report"][0],
        serde_json::json!({"pointer": "", "keyword": "type", "tier": "grammar", "why": ""})
    );
    assert_eq!(document["fully_enforced"], true);
    let document = slmcode(&["explain", "clarify", "--dialect", "prompt_only", "--json"], "").document();
    assert_eq!((&document["sent"], &document["canonical"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!(document["fully_enforced"], false);
}

#[test]
fn keys_keep_their_order_on_the_wire() {
    let run = slmcode(&["explain", "--schema", "-", "--dialect", "vllm", "--json"], SCHEMA);
    assert!(run.stdout.contains(r#""properties":{"z":{"type":"string","maxLength":5},"a":"#), "{run:?}");
}

#[test]
fn what_an_endpoint_would_refuse_is_said() {
    let map = r#"{"type": "object", "properties": {}}"#;
    let run = slmcode(&["explain", "--schema", "-", "--dialect", "openai_strict"], map);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stderr.contains("could only be empty") && run.stderr.lines().count() == 1, "{run:?}");
}

#[test]
fn a_dialect_must_be_named() {
    slmcode(&["explain", "clarify", "--dialect", "frob"], "").fails(2, &["frob", "openai_strict", "prompt_only"]);
    assert_eq!(slmcode(&["explain", "clarify"], "").code, 2);
    assert_eq!(slmcode(&["explain", "--dialect", "gbnf"], "").code, 2);
}
