//! Generated schemas and documents: what strict mode would reply reads back to the document it stands for.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{lowered, rewriting};
use crate::json::Json;
use crate::lower::Dialect::{Groq, OpenaiStrict};
use crate::lower::{Constraint, fits, scope::Scope};

/// A schema, a valid document, and the same as a reply in which every property is there.
#[derive(Debug, Clone)]
struct Case {
    schema: Value,
    document: Value,
    reply: Value,
}

fn scalar() -> impl Strategy<Value = Case> {
    prop_oneof![
        any::<bool>().prop_map(|flag| (json!({"type": "boolean"}), json!(flag))),
        any::<i32>().prop_map(|number| (json!({"type": "integer"}), json!(number))),
        "[a-z]{0,3}".prop_map(|text| (json!({"type": "string", "maxLength": 3}), json!(text))),
        Just((json!({"type": "null"}), Value::Null)),
        any::<bool>()
            .prop_map(|null| { (json!({"type": ["string", "null"]}), if null { Value::Null } else { json!("x") }) }),
        Just((json!({"enum": ["a", null, 3]}), Value::Null)),
        Just((json!({"const": "c"}), json!("c"))),
        any::<bool>().prop_map(|null| {
            let schema = json!({"anyOf": [{"type": "integer"}, {"type": "null"}]});
            (schema, if null { Value::Null } else { json!(1) })
        }),
    ]
    .prop_map(|(schema, document)| Case { schema, reply: document.clone(), document })
}

fn case() -> impl Strategy<Value = Case> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            object(inner.clone()),
            prop::collection::vec(inner.clone(), 1..3).prop_map(tuple),
            (inner, any::<bool>()).prop_map(|(case, is_first)| tagged(case, is_first)),
        ]
    })
}

/// Of each property: is it required, and is it there?
fn object(inner: impl Strategy<Value = Case>) -> impl Strategy<Value = Case> {
    prop::collection::vec((inner, any::<bool>(), any::<bool>()), 1..5).prop_map(|members| {
        let (mut declared, mut document, mut reply, mut required) = (Map::new(), Map::new(), Map::new(), Vec::new());
        for (i, (case, is_required, is_there)) in members.into_iter().enumerate() {
            let name = format!("p{i}");
            if is_required {
                required.push(name.clone());
            }
            let takes_null = accepts_null(&case.schema);
            declared.insert(name.clone(), case.schema);
            // One that may be null anyway is null in the reply, and there is no telling that it was absent.
            let is_there = is_there || is_required || takes_null;
            reply.insert(name.clone(), if is_there { case.reply } else { Value::Null });
            if is_there {
                document.insert(name, case.document);
            }
        }
        let schema =
            json!({"type": "object", "properties": declared, "required": required, "additionalProperties": false});
        Case { schema, document: Value::Object(document), reply: Value::Object(reply) }
    })
}

fn tuple(cases: Vec<Case>) -> Case {
    let schemas: Vec<&Value> = cases.iter().map(|case| &case.schema).collect();
    let schema = json!({"type": "array", "prefixItems": schemas});
    let document = cases.iter().map(|case| case.document.clone()).collect();
    Case { schema, document, reply: cases.into_iter().map(|case| case.reply).collect() }
}

/// One branch of a union that is told apart by a tag.
fn tagged(case: Case, is_first: bool) -> Case {
    let branch = |tag: &str, value: &Value| json!({"type": "object", "properties": {"tag": {"const": tag}, "value": value}, "required": ["tag", "value"], "additionalProperties": false});
    let (used, other) = (branch("used", &case.schema), branch("other", &json!({"type": "null"})));
    let branches = if is_first { [used, other] } else { [other, used] };
    let with_tag = |value: Value| json!({"tag": "used", "value": value});
    Case { schema: json!({"oneOf": branches}), document: with_tag(case.document), reply: with_tag(case.reply) }
}

fn accepts_null(schema: &Value) -> bool {
    let source: Json = super::json(&schema.to_string());
    fits::fits(&source, &Scope::new(&source), &Value::Null)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_completed_reply_reads_back_to_its_document(case in case()) {
        let text = case.schema.to_string();
        for dialect in [OpenaiStrict, Groq] {
            let lowered = lowered(&text, dialect);
            let Constraint::Schema(sent) = &lowered.constraint else { panic!("a schema") };
            let sent: Json = super::json(sent);
            let is_wrapped = case.schema.get("type") != Some(&json!("object"));
            let reply = if is_wrapped { json!({"value": case.reply}) } else { case.reply.clone() };
            prop_assert!(fits::fits(&sent, &Scope::new(&sent), &reply), "{} does not allow {reply}", sent.compact());
            prop_assert_eq!(lowered.read_back(reply), case.document.clone(), "{} of {}", dialect, text);
        }
    }

    #[test]
    fn a_document_in_its_own_shape_is_left_alone(case in case()) {
        for dialect in rewriting() {
            let lowered = lowered(&case.schema.to_string(), dialect);
            let read = lowered.read_back(case.document.clone());
            prop_assert_eq!(read, case.document.clone());
        }
    }
}
