//! The portable profile: what a registered contract may say, so that every endpoint can be told it.

use std::collections::HashSet;

use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::keywords;
use crate::pointer::Pointer;

/// The profile's rules, for the error text.
const RULES: &str = "type, properties, required, items, enum, additionalProperties, minItems, maxItems, minLength, \
                     maxLength, minimum, maximum";

/// Checks a schema that was read already: its values are sound, only its vocabulary is looked at.
///
/// # Errors
///
/// The first keyword, type or form outside the profile, with its place and the way out.
pub(crate) fn check(json: &Json, at: &Pointer) -> Result<(), Error> {
    let Json::Object(members) = json else {
        let message = "a boolean schema is not in the portable profile; write {\"type\": …}";
        return Err(Error::new(ErrorKind::UnsupportedKeyword, message).at(at.as_str()));
    };
    let allowed = allowed(json, at)?;
    for (keyword, value) in members.iter().filter(|(keyword, _)| !is_note(keyword)) {
        if !allowed.contains(&keyword.as_str()) {
            return Err(outside(keyword, json, at));
        }
        form(keyword, value, json, at)?;
    }
    for (keyword, value) in members {
        for (below, schema) in keywords::subschemas(keyword, value, at) {
            if keyword != "additionalProperties" {
                check(schema, &below)?;
            }
        }
    }
    Ok(())
}

fn is_note(keyword: &str) -> bool {
    !keywords::is_rule(keyword) && keywords::kind(keyword) != keywords::Kind::Definitions
}

fn unsupported(keyword: &str, at: &Pointer, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::UnsupportedKeyword, message).at(at.as_str()).keyword_named(keyword)
}

/// The rules that have a meaning beside the node's type.
fn allowed(json: &Json, at: &Pointer) -> Result<&'static [&'static str], Error> {
    if json.get("enum").is_some() {
        return Ok(&["type", "enum"]);
    }
    match json.get("type") {
        Some(Json::String(name)) => Ok(match name.as_str() {
            "object" => &["type", "properties", "required", "additionalProperties"],
            "array" => &["type", "items", "minItems", "maxItems"],
            "string" => &["type", "minLength", "maxLength"],
            "integer" => &["type", "minimum", "maximum"],
            _ => &["type"],
        }),
        Some(_) => Err(unsupported("type", at, "a list of types is not in the portable profile; choose one type")),
        // The first rule that stands there will be refused.
        None if keywords::rules().any(|rule| json.get(rule).is_some()) => Ok(&[]),
        None => Err(unsupported("type", at, "is missing; say the type, or list the values with `enum`")),
    }
}

fn outside(keyword: &str, json: &Json, at: &Pointer) -> Error {
    if !RULES.split(", ").any(|rule| rule == keyword) {
        let message = format!(
            "is not in the portable profile; remove it and check the rule after the reply, or say it with: {RULES}"
        );
        return unsupported(keyword, at, message);
    }
    match json.get("type") {
        Some(Json::String(name)) => {
            unsupported(keyword, at, format!("has no meaning beside `type: {name}`; remove it"))
        }
        _ if json.get("enum").is_some() => unsupported(keyword, at, "has no meaning beside `enum`; remove it"),
        _ => unsupported("type", at, "is missing; say the type, or list the values with `enum`"),
    }
}

/// Values that the drafts allow and the profile does not.
fn form(keyword: &str, value: &Json, json: &Json, at: &Pointer) -> Result<(), Error> {
    match (keyword, value) {
        ("additionalProperties", Json::Object(_)) => Err(unsupported(
            keyword,
            at,
            "a schema is not in the portable profile; use false, and declare each property",
        )),
        ("items", Json::Array(_) | Json::Bool(_)) => {
            Err(unsupported(keyword, at, "must be one schema; tuples and booleans are not in the portable profile"))
        }
        ("type", Json::String(name)) if name == "array" && json.get("items").is_none() => {
            Err(unsupported("items", at, "is missing; say what each item looks like"))
        }
        ("enum", Json::Array(values)) => {
            let Some(Json::String(name)) = json.get("type") else { return Ok(()) };
            values.iter().find(|value| !is_of(value, name)).map_or(Ok(()), |value| {
                let message = format!("lists {}, which is no {name}; remove it", value.compact());
                Err(Error::new(ErrorKind::InvalidKeyword, message).at(at.as_str()).keyword_named(keyword))
            })
        }
        ("required", Json::Array(names)) => {
            let declared: HashSet<&str> = match json.get("properties") {
                Some(Json::Object(members)) => members.iter().map(|(name, _)| name.as_str()).collect(),
                _ => HashSet::new(),
            };
            for name in names {
                if let Json::String(name) = name
                    && !declared.contains(name.as_str())
                {
                    let message = format!("names \"{name}\", which `properties` does not declare; declare it there");
                    return Err(unsupported(keyword, at, message));
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn is_of(value: &Json, name: &str) -> bool {
    match value {
        Json::Null => name == "null",
        Json::Bool(_) => name == "boolean",
        Json::Number(number) => name == "number" || (name == "integer" && !number.is_f64()),
        Json::String(_) => name == "string",
        Json::Array(_) => name == "array",
        Json::Object(_) => name == "object",
    }
}
