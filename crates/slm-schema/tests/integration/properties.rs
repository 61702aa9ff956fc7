//! Properties over generated schemas and documents.

use proptest::prelude::*;
use serde_json::{Value, json};
use slm_schema::Contract;

use crate::engine::Engine;

/// A schema of the portable profile together with a valid document and its canonical text.
fn schema_and_document() -> impl Strategy<Value = (Value, String)> {
    let leaf = prop_oneof![
        Just((json!({"type": "null"}), "null".to_owned())),
        any::<bool>().prop_map(|flag| (json!({"type": "boolean"}), flag.to_string())),
        (any::<i64>(), any::<i64>(), any::<i64>()).prop_map(|(a, b, c)| {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            let [min, number, max] = sorted;
            (json!({"type": "integer", "minimum": min, "maximum": max}), number.to_string())
        }),
        (".{0,12}", 0..4_usize, 0..4_usize).prop_map(|(text, below, above)| {
            let length = text.chars().count();
            let schema =
                json!({"type": "string", "minLength": length.saturating_sub(below), "maxLength": length + above});
            (schema, serde_json::to_string(&text).unwrap())
        }),
        proptest::collection::hash_set(".{0,5}", 1..6).prop_map(|texts| {
            let texts: Vec<String> = texts.into_iter().collect();
            let chosen = serde_json::to_string(&texts[0]).unwrap();
            (json!({"enum": texts}), chosen)
        }),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), 0..4_usize, 0..3_usize).prop_map(|((schema, text), count, above)| {
                let items = vec![text; count].join(",");
                (json!({"type": "array", "items": schema, "minItems": count, "maxItems": count + above}), format!("[{items}]"))
            }),
            proptest::collection::btree_map(".{0,6}", (inner, any::<bool>(), any::<bool>()), 0..4).prop_map(|members| {
                let mut text = Vec::new();
                let mut required = Vec::new();
                let mut properties = serde_json::Map::new();
                // A map without `preserve_order` sorts its keys as this one does, so the schema's order is the same.
                for (name, ((schema, value), is_required, is_written)) in members {
                    if is_required || is_written {
                        text.push(format!("{}:{value}", serde_json::to_string(&name).unwrap()));
                    }
                    if is_required {
                        required.push(name.clone());
                    }
                    properties.insert(name, schema);
                }
                let schema = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
                (schema, format!("{{{}}}", text.join(",")))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_valid_document_in_canonical_spelling_is_accepted((schema, text) in schema_and_document()) {
        let contract = Contract::from_json("t", &schema.to_string()).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(contract.validate(&value), vec![]);
        prop_assert!(contract.schema().conforms(&value));
        prop_assert!(Engine::new(contract.grammar().as_str()).accepts(&text), "{}\n{}", text, contract.grammar());
        let bound = contract.bound().unwrap();
        prop_assert!(text.len() <= bound.max_bytes());
    }

    #[test]
    fn a_mutated_document_is_accepted_only_if_it_is_valid(
        (schema, text) in schema_and_document(), place in any::<prop::sample::Index>(), c in any::<char>(), cut in any::<bool>()
    ) {
        let contract = Contract::from_json("t", &schema.to_string()).unwrap();
        let mut chars: Vec<char> = text.chars().collect();
        let at = place.index(chars.len());
        if cut { chars.remove(at); } else { chars[at] = c; }
        let mutated: String = chars.into_iter().collect();
        if Engine::new(contract.grammar().as_str()).accepts(&mutated) {
            let value: Value = serde_json::from_str(&mutated).unwrap();
            prop_assert_eq!(contract.validate(&value), vec![]);
        }
    }

    #[test]
    fn any_text_is_a_contract_or_an_error(text in ".{0,200}") {
        let _outcome = Contract::from_json("t", &text);
    }

    #[test]
    fn structural_check_and_validator_agree((schema, text) in schema_and_document(), (_, other) in schema_and_document()) {
        let contract = Contract::from_json("t", &schema.to_string()).unwrap();
        for text in [text, other] {
            let value: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(contract.schema().conforms(&value), contract.validate(&value).is_empty(), "{} {}", schema, text);
        }
    }
}
