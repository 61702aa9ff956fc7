//! `nullable` of `OpenAPI`, in words that a validator of JSON Schema reads.

use crate::json::Json;
use crate::keywords::{self, Kind};

/// The schema with every `nullable: true` beside a type as one more type.
pub(crate) fn spelled_out(json: &Json) -> Json {
    let Json::Object(members) = json else { return json.clone() };
    let is_nullable = json.get("nullable") == Some(&Json::Bool(true));
    let spelled = members.iter().map(|(keyword, value)| {
        let value = match keyword.as_str() {
            "type" if is_nullable => with_null(value),
            keyword => below(keyword, value),
        };
        (keyword.clone(), value)
    });
    Json::Object(spelled.collect())
}

fn with_null(types: &Json) -> Json {
    let null = Json::String("null".to_owned());
    let mut names = if let Json::Array(names) = types { names.clone() } else { vec![types.clone()] };
    if !names.contains(&null) {
        names.push(null);
    }
    Json::Array(names)
}

fn below(keyword: &str, value: &Json) -> Json {
    match (keywords::kind(keyword), value) {
        (Kind::Schema | Kind::SchemaOrList, Json::Object(_)) => spelled_out(value),
        (Kind::List | Kind::SchemaOrList, Json::Array(items)) => Json::Array(items.iter().map(spelled_out).collect()),
        (Kind::Map | Kind::Definitions, Json::Object(members)) => {
            Json::Object(members.iter().map(|(name, schema)| (name.clone(), spelled_out(schema))).collect())
        }
        _ => value.clone(),
    }
}
