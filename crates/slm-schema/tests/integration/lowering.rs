//! What each dialect is sent, and that nothing is dropped silently.

use slm_schema::{Constraint, Contract, Dialect, ErrorKind, Registry, Tier};

fn contract(schema: &str) -> Contract {
    Contract::from_json("t", schema).unwrap()
}

#[track_caller]
fn tier(schema: &str, dialect: Dialect, pointer: &str, keyword: &str) -> Tier {
    let report = contract(schema).lower(dialect).report;
    let entry = report.entries().iter().find(|entry| entry.pointer == pointer && entry.keyword == keyword);
    entry.unwrap_or_else(|| panic!("no entry for {keyword} at {pointer:?}")).tier
}

#[test]
fn every_keyword_of_every_contract_has_one_entry_in_every_dialect() {
    for contract in Registry::builtin().iter() {
        let keywords: Vec<(String, String)> = contract
            .lower(Dialect::PromptOnly)
            .report
            .entries()
            .iter()
            .map(|entry| (entry.pointer.clone(), entry.keyword.clone()))
            .collect();
        for (pointer, keyword) in &keywords {
            let owner = contract.to_value();
            let node = owner.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is in the schema"));
            assert!(node.get(keyword).is_some(), "{pointer} {keyword}");
        }
        for dialect in Dialect::ALL {
            let report = contract.lower(dialect).report;
            let listed: Vec<_> =
                report.entries().iter().map(|entry| (entry.pointer.clone(), entry.keyword.clone())).collect();
            assert_eq!(listed, keywords, "{} {dialect}", contract.name());
        }
    }
}

#[test]
fn the_grammar_enforces_every_built_in_contract() {
    for contract in Registry::builtin().iter() {
        let lowered = contract.lower(Dialect::Gbnf);
        assert_eq!(lowered.report.exceptions().count(), 0, "{}", contract.name());
        assert_eq!(lowered.constraint, Constraint::Grammar(contract.grammar().to_string()));
    }
}

#[test]
fn lowering_is_deterministic_and_keeps_the_order() {
    let contract = contract(
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "examples": [1], "type": "object", "title": "T",
            "properties": {"z": {"type": "null", "description": "last letter"}, "examples": {"type": "null"}, "a": {"type": "null"}}}"#,
    );
    let sent = contract.lower(Dialect::Openai).constraint;
    let text = r#"{"type":"object","title":"T","properties":{"z":{"type":"null","description":"last letter"},"examples":{"type":"null"},"a":{"type":"null"}}}"#;
    assert_eq!(sent, Constraint::Schema(text.to_owned()));
    assert_eq!(contract.lower(Dialect::Openai).constraint, sent);
}

#[test]
fn a_call_copies_no_report() {
    let contract = Contract::from_json("count", r#"{"type": "integer", "minimum": 1}"#).unwrap();
    for dialect in Dialect::ALL {
        let [first, second] = [(), ()].map(|()| contract.lower(dialect).report);
        assert!(std::ptr::eq(first.entries(), second.entries()), "{dialect}");
    }
}

#[test]
fn an_open_object_is_stricter_in_a_grammar() {
    let schema = r#"{"type": "object", "properties": {"a": {"type": "null"}}}"#;
    assert_eq!(tier(schema, Dialect::Gbnf, "", "additionalProperties"), Tier::GrammarStricter);
    let asked_for = r#"{"type": "object", "additionalProperties": true}"#;
    assert_eq!(tier(asked_for, Dialect::Gbnf, "", "additionalProperties"), Tier::Grammar);
    assert_eq!(tier(asked_for, Dialect::OpenaiStrict, "", "additionalProperties"), Tier::GrammarStricter);
    assert_eq!(tier(asked_for, Dialect::JsonObject, "", "additionalProperties"), Tier::Validator);
}

#[test]
fn an_integer_without_both_bounds_has_a_digit_cap() {
    assert_eq!(tier(r#"{"type": "integer", "minimum": 0}"#, Dialect::Gbnf, "", "type"), Tier::GrammarStricter);
    assert_eq!(tier(r#"{"type": "integer", "minimum": 0, "maximum": 9}"#, Dialect::Gbnf, "", "type"), Tier::Grammar);
}

#[test]
fn what_llama_cpp_gets_wrong_is_left_to_the_validator() {
    let nested = |inner: &str| format!(r#"{{"type": "object", "properties": {{"n": {{"type": {inner}}}}}}}"#);
    for (inner, keyword, expected) in [
        (r#""integer", "minimum": 100"#, "minimum", Tier::Validator),
        (r#""integer", "minimum": 0, "maximum": 100"#, "minimum", Tier::Grammar),
        (r#""string", "maxLength": 2001"#, "maxLength", Tier::Validator),
        (r#""string", "maxLength": 2000"#, "maxLength", Tier::Grammar),
        (r#""integer", "minimum": 9007199254740992000"#, "minimum", Tier::Validator),
    ] {
        assert_eq!(tier(&nested(inner), Dialect::LlamaCpp, "/properties/n", keyword), expected, "{inner}");
    }
}

#[test]
fn a_bound_that_kills_llama_cpp_is_never_sent_there() {
    let schema = r#"{"type": "array", "items": {"type": "integer", "minimum": 90071992547409920}}"#;
    let Constraint::Schema(sent) = contract(schema).lower(Dialect::LlamaCpp).constraint else { panic!("a schema") };
    assert!(!sent.contains("minimum"), "{sent}");
    let Constraint::Schema(sent) = contract(schema).lower(Dialect::Openai).constraint else { panic!("a schema") };
    assert!(sent.contains("minimum"), "{sent}");
    let both = r#"{"type": "integer", "minimum": 90071992547409920, "maximum": 90071992547409921}"#;
    let Constraint::Schema(sent) = contract(both).lower(Dialect::LlamaCpp).constraint else { panic!("a schema") };
    assert!(sent.contains("minimum") && sent.contains("maximum"), "{sent}");
}

#[test]
fn an_unknown_server_is_not_trusted_with_bounds() {
    let schema = r#"{"type": "string", "maxLength": 5}"#;
    assert_eq!(tier(schema, Dialect::Openai, "", "maxLength"), Tier::Validator);
    assert_eq!(tier(schema, Dialect::Openai, "", "type"), Tier::Grammar);
    assert!(!contract(schema).lower(Dialect::Openai).report.is_fully_enforced());
    assert_eq!(
        contract(schema).lower(Dialect::Openai).report.to_string(),
        "1 of 2 rules enforced while decoding, 1 checked after the reply"
    );
}

#[test]
fn violations_name_both_places() {
    let contract = contract(
        r#"{"type": "object", "properties": {"a/b": {"type": "array", "items": {"type": "integer", "maximum": 3}}}}"#,
    );
    let value = serde_json::json!({"a/b": [1, 7, "x"]});
    let found = contract.validate(&value);
    let brief: Vec<_> =
        found.iter().map(|v| (v.pointer.as_str(), v.schema_pointer.as_str(), v.keyword.as_str())).collect();
    assert_eq!(
        brief,
        [("/a~1b/1", "/properties/a~1b/items/maximum", "maximum"), ("/a~1b/2", "/properties/a~1b/items/type", "type")]
    );
    let long = contract.validate(&serde_json::json!("x".repeat(100_000)));
    assert!(long.iter().all(|violation| violation.message.chars().count() < 250), "{long:?}");
}

#[test]
fn dialects_go_by_their_names() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.as_str().parse::<Dialect>().unwrap(), dialect);
        assert_eq!(serde_json::to_value(dialect).unwrap(), dialect.as_str());
    }
    let error = "frob".parse::<Dialect>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownDialect);
    assert!(Dialect::ALL.iter().all(|dialect| error.to_string().contains(dialect.as_str())), "{error}");
}

#[test]
fn every_endpoint_takes_every_built_in_contract() {
    for contract in Registry::builtin().iter() {
        for dialect in Dialect::ALL {
            assert_eq!(contract.lower(dialect).check(), Ok(()), "{} {dialect}", contract.name());
        }
    }
}

#[test]
fn a_strict_reply_is_read_back_before_it_is_validated() {
    let contract = Registry::builtin().get("orchestrator").unwrap();
    let lowered = contract.lower(Dialect::OpenaiStrict);
    let reply = serde_json::json!({"reasoning": "r", "action": "wait", "target": null, "message": "m"});
    assert!(!contract.validate(&reply).is_empty());
    let read = lowered.read_back(reply);
    assert_eq!(read, serde_json::json!({"reasoning": "r", "action": "wait", "message": "m"}));
    assert_eq!(contract.validate(&read), []);
}

#[test]
fn a_schema_that_is_false_is_named_by_the_keyword_that_holds_it() {
    let contract =
        contract(r#"{"properties": {"items": false}, "dependencies": {"a": false, "b": ["c"]}, "type": "object"}"#);
    let keywords = |value: serde_json::Value| -> Vec<String> {
        contract.validate(&value).into_iter().map(|violation| violation.keyword).collect()
    };
    assert_eq!(keywords(serde_json::json!({"items": 1})), ["properties"]);
    assert_eq!(keywords(serde_json::json!({"a": 1})), ["dependencies"]);
    assert_eq!(keywords(serde_json::json!({"b": 1})), ["dependencies"]);
}
