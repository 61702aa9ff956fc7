//! The way back: a reply in the shape that a dialect forced becomes a document of the original schema.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::view::{as_list, as_members};
use serde_json::{Map, Value};

use super::fits::{self, Fitting};
use super::scope::Scope;
use super::send::WRAPPER;
use crate::json::Json;

/// What was changed, and the schema as it was.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WayBack {
    pub(super) source: Arc<Json>,
    /// The root stands in a property.
    pub(super) is_wrapped: bool,
    /// Optional properties became nullable ones.
    pub(super) is_completed: bool,
}

impl WayBack {
    pub(super) fn read(&self, reply: Value) -> Value {
        let value = if self.is_wrapped { unwrapped(reply) } else { reply };
        if !self.is_completed {
            return value;
        }
        let scope = Scope::new(&self.source);
        Reader { scope: &scope, fitting: Fitting::new(&scope) }.read(&[&self.source], &value)
    }
}

/// The value in the wrapper; a reply that is none stays as it is, and the validator speaks of it.
fn unwrapped(reply: Value) -> Value {
    let Value::Object(mut members) = reply else { return reply };
    match members.remove(WRAPPER) {
        Some(value) if members.is_empty() => value,
        Some(value) => {
            members.insert(WRAPPER.to_owned(), value);
            Value::Object(members)
        }
        None => Value::Object(members),
    }
}

struct Reader<'a> {
    scope: &'a Scope<'a>,
    fitting: Fitting<'a>,
}

impl<'a> Reader<'a> {
    /// Reads `value` by all of `schemas` at once: parts of an `allOf` speak of one value.
    fn read(&mut self, schemas: &[&'a Json], value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let views = self.views(schemas, value);
                Value::Object(self.members(&views, members))
            }
            Value::Array(items) => {
                let views = self.views(schemas, value);
                let read = items.iter().enumerate().map(|(i, item)| {
                    let below: Vec<&Json> = views.iter().filter_map(|view| item_schema(view, i)).collect();
                    self.read(&below, item)
                });
                Value::Array(read.collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }

    fn members(&mut self, views: &[&'a Json], members: &Map<String, Value>) -> Map<String, Value> {
        let views: Vec<View<'_>> = views.iter().map(|view| View::of(view)).collect();
        let mut read = Map::new();
        for (name, member) in members {
            let below: Vec<&Json> = views.iter().filter_map(|view| view.member(name)).collect();
            let is_declared = views.iter().any(|view| view.declared.contains_key(name.as_str()));
            let is_required = views.iter().any(|view| view.required.contains(name.as_str()));
            let stands_for_absence = member.is_null()
                && is_declared
                && !is_required
                && !below.iter().all(|schema| self.fitting.fits(schema, member));
            if !stands_for_absence {
                let member = self.read(&below, member);
                read.insert(name.clone(), member);
            }
        }
        read
    }

    /// Every schema object that speaks of `value`: references followed, parts joined, and of each union the first branch
    /// that the value fits.
    fn views(&mut self, schemas: &[&'a Json], value: &Value) -> Vec<&'a Json> {
        let mut views: Vec<&Json> = Vec::new();
        let mut open: Vec<&Json> = schemas.iter().rev().copied().collect();
        while let Some(schema) = open.pop() {
            if views.iter().any(|view| std::ptr::eq(*view, schema)) {
                continue;
            }
            views.push(schema);
            let target = self.scope.target_of(schema).map(|(_, target)| target);
            open.extend(target);
            if target.is_some() && self.scope.refs_stand_alone {
                continue;
            }
            if let Some(Json::Array(parts)) = schema.get("allOf") {
                open.extend(parts.iter().rev());
            }
            for union in ["anyOf", "oneOf"] {
                if let Some(Json::Array(branches)) = schema.get(union) {
                    open.extend(branches.iter().find(|branch| self.fitting.fits(branch, value)));
                }
            }
        }
        views
    }
}

/// What a schema object says of the members of an object.
struct View<'a> {
    declared: HashMap<&'a str, &'a Json>,
    required: HashSet<&'a str>,
    rest: Option<&'a Json>,
}

impl<'a> View<'a> {
    fn of(view: &'a Json) -> Self {
        let declared = view.get("properties").and_then(as_members).into_iter().flatten();
        Self {
            declared: declared.map(|(name, schema)| (name.as_str(), schema)).collect(),
            required: fits::names(view.get("required")),
            rest: view.get("additionalProperties"),
        }
    }

    fn member(&self, name: &str) -> Option<&'a Json> {
        self.declared.get(name).copied().or(self.rest)
    }
}

fn item_schema(view: &Json, index: usize) -> Option<&Json> {
    let place = |keyword: &str| view.get(keyword).and_then(as_list).and_then(|places| places.get(index));
    let rest = ["items", "additionalItems"]
        .into_iter()
        .find_map(|keyword| view.get(keyword).filter(|json| matches!(json, Json::Object(_))));
    place("prefixItems").or_else(|| place("items")).or(rest)
}
