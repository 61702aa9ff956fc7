//! Could a value have been meant by a schema? The structural rules only, for choosing a branch of a union: the validator
//! has the last word elsewhere.

use super::view::{as_list, as_members, strings};
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::scope::Scope;
use crate::json::Json;

/// Does `value` fit `schema`, where a property that is not required may be null in place of being absent?
pub(super) fn fits(schema: &Json, scope: &Scope<'_>, value: &Value) -> bool {
    Fitting::new(scope).fits(schema, value)
}

/// Answers that are remembered, so that unions within unions cost no more than schema times value.
pub(super) struct Fitting<'a> {
    scope: &'a Scope<'a>,
    /// By the addresses of schema and value, both of which outlive this.
    known: HashMap<(usize, usize), bool>,
}

impl<'a> Fitting<'a> {
    pub(super) fn new(scope: &'a Scope<'a>) -> Self {
        Self { scope, known: HashMap::new() }
    }

    pub(super) fn fits(&mut self, schema: &Json, value: &Value) -> bool {
        let key = (std::ptr::from_ref(schema).addr(), std::ptr::from_ref(value).addr());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        // A reference that comes back here without having read anything says nothing more.
        self.known.insert(key, true);
        let stands_alone = self.scope.refs_stand_alone && schema.get("$ref").is_some();
        let members =
            as_members(schema).into_iter().flatten().filter(|(keyword, _)| !stands_alone || keyword == "$ref");
        let answer = *schema != Json::Bool(false)
            && members.into_iter().all(|(keyword, rule)| self.holds(keyword, rule, schema, value));
        self.known.insert(key, answer);
        answer
    }

    fn holds(&mut self, keyword: &str, rule: &Json, node: &Json, value: &Value) -> bool {
        match (keyword, rule) {
            ("type", _) => {
                has_type(rule, value) || (value.is_null() && node.get("nullable") == Some(&Json::Bool(true)))
            }
            ("enum", Json::Array(values)) => values.iter().any(|listed| same(listed, value)),
            ("const", listed) => same(listed, value),
            ("$ref", _) => match self.scope.target_of(node) {
                Some((_, target)) => self.fits(target, value),
                None => true,
            },
            ("anyOf" | "oneOf", Json::Array(branches)) => branches.iter().any(|branch| self.fits(branch, value)),
            ("allOf", Json::Array(parts)) => parts.iter().all(|part| self.fits(part, value)),
            ("required", listed) => {
                value.as_object().is_none_or(|members| strings(listed).iter().all(|name| members.contains_key(*name)))
            }
            ("properties", Json::Object(declared)) => value.as_object().is_none_or(|members| {
                let required = names(node.get("required"));
                let stands_for_absence = |name: &str, member: &Value| member.is_null() && !required.contains(name);
                declared.iter().all(|(name, schema)| {
                    members.get(name).is_none_or(|member| stands_for_absence(name, member) || self.fits(schema, member))
                })
            }),
            ("additionalProperties", Json::Bool(false)) if node.get("patternProperties").is_none() => {
                let declared = node.get("properties").and_then(as_members).into_iter().flatten();
                let declared: HashSet<&str> = declared.map(|(name, _)| name.as_str()).collect();
                value.as_object().is_none_or(|members| members.keys().all(|name| declared.contains(name.as_str())))
            }
            ("items" | "prefixItems", Json::Array(places)) => value
                .as_array()
                .is_none_or(|items| places.iter().zip(items).all(|(place, item)| self.fits(place, item))),
            ("items", schema) => {
                let places = node.get("prefixItems").and_then(as_list).map_or(0, Vec::len);
                value.as_array().is_none_or(|items| items.iter().skip(places).all(|item| self.fits(schema, item)))
            }
            _ => true,
        }
    }
}

/// The names in a list.
pub(super) fn names(list: Option<&Json>) -> HashSet<&str> {
    list.map(strings).unwrap_or_default().into_iter().collect()
}

fn has_type(types: &Json, value: &Value) -> bool {
    let is = |name: &str| match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => {
            name == "number"
                || (name == "integer"
                    && (!number.is_f64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)))
        }
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    };
    strings(types).into_iter().any(is)
}

/// Is it the same value? Numbers are compared as numbers.
fn same(listed: &Json, value: &Value) -> bool {
    match (listed, value) {
        (Json::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Json::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (Json::Null, Value::Null) => true,
        (Json::Bool(a), Value::Bool(b)) => a == b,
        (Json::String(a), Value::String(b)) => a == b,
        _ => false,
    }
}
