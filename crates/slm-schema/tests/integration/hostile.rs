//! Schemas made to hurt: a correct grammar or a clear error, never an abort.

use slm_schema::{Contract, ErrorKind};

use crate::engine::Engine;

#[test]
fn ten_thousand_levels_are_an_error() {
    let deep = format!("{}{}{}", r#"{"type":"array","items":"#.repeat(10_000), "{}", "}".repeat(10_000));
    assert_eq!(Contract::from_json("t", &deep).expect_err("too deep").kind(), ErrorKind::Syntax);
}

#[test]
fn a_hundred_thousand_properties_compile() {
    let properties: Vec<String> = (0..100_000).map(|i| format!(r#""p{i}":{{"type":"null"}}"#)).collect();
    let names: Vec<String> = (0..100_000).map(|i| format!(r#""p{i}""#)).collect();
    let optional = format!(r#"{{"type":"object","properties":{{{}}}}}"#, properties.join(","));
    let required =
        format!(r#"{{"type":"object","properties":{{{}}},"required":[{}]}}"#, properties.join(","), names.join(","));
    for schema in [optional, required] {
        let contract = Contract::from_json("t", &schema).unwrap();
        assert!(contract.grammar().as_str().contains("p99999"));
        assert!(contract.describe().contains("p99999"));
        assert!(contract.bound().is_none());
    }
}

#[test]
fn fifty_thousand_enum_values_compile() {
    let values: Vec<String> = (0..50_000).map(|i| format!(r#""value {i}""#)).collect();
    let contract = Contract::from_json("t", &format!(r#"{{"enum":[{}]}}"#, values.join(","))).unwrap();
    let mut engine = Engine::new(contract.grammar().as_str());
    assert!(engine.accepts(r#""value 49999""#) && !engine.accepts(r#""value 50000""#));
}

#[test]
fn a_value_of_a_million_characters_is_an_enum() {
    let long = "x".repeat(1_000_000);
    let contract = Contract::from_json("t", &format!(r#"{{"enum":["{long}a","{long}b"]}}"#)).unwrap();
    assert_eq!(contract.grammar().as_str().matches("xxxxxxxxxx").count(), 100_000, "the common beginning stands once");
}

#[test]
fn references_that_fan_out_are_shared() {
    let mut definitions: Vec<String> = (0..60)
        .map(|i| {
            let next = i + 1;
            format!(r##""d{i}":{{"type":"array","prefixItems":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}],"items":false}}"##)
        })
        .collect();
    definitions.push(r#""d60":{"type":"null"}"#.to_owned());
    let schema = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{}}}}}"##, definitions.join(","));
    let contract = Contract::from_json("t", &schema).unwrap();
    assert!(contract.grammar().as_str().len() < 20_000);
    assert!(contract.describe().len() < 20_000);
    assert!(contract.bound().is_some_and(|bound| bound.chars() > 1 << 60));
}

#[test]
fn all_of_that_multiplies_itself_is_cut_off() {
    let mut definitions: Vec<String> = (0..40)
        .map(|i| {
            let next = i + 1;
            format!(
                r##""d{i}":{{"allOf":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}],"type":"object"}}"##
            )
        })
        .collect();
    definitions.push(r#""d40":{"type":"object","properties":{"a":{"type":"null"}}}"#.to_owned());
    let schema = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{}}}}}"##, definitions.join(","));
    let outcome = Contract::from_json("t", &schema).map(|contract| contract.grammar().rule_count());
    assert!(outcome.is_ok_and(|rules| rules < 1000));
}

#[test]
fn an_expression_that_backtracks_without_end_is_cut_off() {
    let contract = Contract::from_json("t", r#"{"type": "string", "pattern": "^(?=(a+)+$)(a|a)*b"}"#).unwrap();
    let text = format!("{}!", "a".repeat(5000));
    assert!(!contract.validate(&serde_json::json!(text)).is_empty());
}

#[test]
fn names_that_collide_when_made_safe_stay_apart() {
    let schema = r##"{"type":"array","prefixItems":[{"$ref":"#/$defs/a%20b"},{"$ref":"#/$defs/a-b"},{"$ref":"#/$defs/%C3%A9"},{"$ref":"#/$defs/%C3%BC"}],
        "items":false,"minItems":4,"$defs":{"a b":{"const":1},"a-b":{"const":2},"é":{"const":3},"ü":{"const":4}}}"##;
    let contract = Contract::from_json("t", schema).unwrap();
    let mut engine = Engine::new(contract.grammar().as_str());
    assert!(engine.accepts("[1,2,3,4]") && !engine.accepts("[2,1,3,4]"), "{}", contract.grammar());
}

#[test]
fn every_character_may_stand_in_a_name_and_a_value() {
    let odd: String =
        (1..0x300).filter_map(char::from_u32).chain(['\0', '\u{2028}', '\u{feff}', '\u{10ffff}']).collect();
    let quoted = serde_json::to_string(&odd).unwrap();
    let schema = format!(
        r#"{{"type":"object","properties":{{{quoted}:{{"enum":[{quoted}]}}}},"required":[{quoted}],"additionalProperties":{{"type":"null"}}}}"#
    );
    let contract = Contract::from_json("t", &schema).unwrap();
    let text = contract.respell(&format!("{{{quoted}:{quoted}}}")).unwrap();
    assert!(Engine::new(contract.grammar().as_str()).accepts(&text));
}

#[test]
fn two_ways_into_one_definition_are_judged_in_linear_time() {
    // Neither member can be ruled out before the value's end, and both go on with the same definition.
    let schema = r##"{"anyOf":[
        {"type":"object","properties":{"a":{"$ref":"#"}},"required":["a","b"],"additionalProperties":false},
        {"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"],"additionalProperties":false},
        {"type":"null"}]}"##;
    let contract = Contract::from_json("t", schema).unwrap();
    let nested = |end: &str| -> serde_json::Value {
        serde_json::from_str(&format!("{}{end}{}", r#"{"a":"#.repeat(100), "}".repeat(100))).unwrap()
    };
    assert!(contract.schema().conforms(&nested("null")));
    assert!(!contract.schema().conforms(&nested("0")));
    assert_eq!(contract.validate(&nested("null")), []);
    assert_ne!(contract.validate(&nested("0")), []);
}
