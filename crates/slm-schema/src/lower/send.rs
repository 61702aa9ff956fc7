//! What is sent: the source rewritten for a dialect, keyword by keyword.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::complete;
use super::members::{Members, set};
use super::merge;
use super::rules::{Node, Objects, Root, Rules, Sent, Tuples, Vocabulary, verdict};
use super::scope::Scope;
use super::view::{as_list, as_str, strings};
use super::words;
use crate::json::Json;
use crate::keywords::{self, Kind};
use crate::pointer::Pointer;

/// The property that stands for a root which is no object.
pub(super) const WRAPPER: &str = "value";

/// A schema as it is sent.
#[derive(Debug)]
pub(super) struct Sending {
    pub(super) schema: Json,
    /// Does the root stand in the property [`WRAPPER`]?
    pub(super) is_wrapped: bool,
    /// Objects that are closed without a property of their own, though the source lets them have some.
    pub(super) emptied: Vec<Pointer>,
}

pub(super) fn send(scope: &Scope<'_>, rules: &Rules) -> Sending {
    let mut sender = Sender { scope, rules, names: BTreeMap::new(), wanted: BTreeSet::new(), emptied: Vec::new() };
    sender.name_targets();
    let body = sender.root();
    let is_wrapped = rules.root == Root::Object && !is_plain_object(&body);
    let mut members = if is_wrapped { sender.wrapped() } else { object_members(body) };
    let definitions = sender.definitions();
    if !definitions.is_empty() {
        members.push(("$defs".to_owned(), Json::Object(definitions)));
    }
    Sending { schema: Json::Object(members), is_wrapped, emptied: sender.emptied }
}

struct Sender<'a> {
    scope: &'a Scope<'a>,
    rules: &'a Rules,
    /// Under which name a target of references is defined; the root has none.
    names: BTreeMap<Pointer, String>,
    wanted: BTreeSet<Pointer>,
    emptied: Vec<Pointer>,
}

impl Sender<'_> {
    /// References lead to the root or to its `$defs`, which is the form that every endpoint reads.
    fn name_targets(&mut self) {
        let is_defined =
            |pointer: &Pointer| ["/$defs/", "/definitions/"].iter().any(|prefix| pointer.as_str().starts_with(prefix));
        let mut targets: Vec<Pointer> = self.scope.targets().into_keys().collect();
        targets.sort_by_key(|pointer| !is_defined(pointer));
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let mut counts: HashMap<String, usize> = HashMap::new();
        for pointer in targets {
            let last = pointer.as_str().rsplit('/').next().unwrap_or_default();
            let clean: String =
                last.chars().map(|c| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' }).collect();
            let base = if clean.is_empty() { "root".to_owned() } else { clean };
            let mut name = base.clone();
            while !taken.insert(name.clone()) {
                let count = counts.entry(base.clone()).or_insert(1);
                *count += 1;
                name = format!("{base}_{count}");
            }
            self.names.insert(pointer, name);
        }
        if self.rules.root == Root::Any {
            self.names.remove(&Pointer::root());
        }
    }

    fn root(&mut self) -> Json {
        let mut source = self.scope.root;
        // An endpoint that wants an object wants to see it at the root.
        for _step in 0..16 {
            match self.scope.target_of(source) {
                Some((_, target)) if self.rules.root == Root::Object && merge::merged(source, self.scope).is_none() => {
                    source = target;
                }
                _ => break,
            }
        }
        let (names, wanted) = (self.names.clone(), self.wanted.clone());
        self.names.remove(&Pointer::root());
        let body = self.schema(source, &Pointer::root(), true);
        if self.rules.root == Root::Object && !is_plain_object(&body) {
            (self.names, self.wanted) = (names, wanted);
            self.emptied.clear();
        }
        body
    }

    fn wrapped(&mut self) -> Members {
        let at = Pointer::root().key("properties").key(WRAPPER);
        let body = if self.names.contains_key(&Pointer::root()) {
            self.wanted.insert(Pointer::root());
            self.reference(&Pointer::root())
        } else {
            self.schema(self.scope.root, &at, false)
        };
        let text = |text: &str| Json::String(text.to_owned());
        vec![
            ("type".to_owned(), text("object")),
            ("properties".to_owned(), Json::Object(vec![(WRAPPER.to_owned(), body)])),
            ("required".to_owned(), Json::Array(vec![text(WRAPPER)])),
            ("additionalProperties".to_owned(), Json::Bool(false)),
        ]
    }

    fn reference(&self, target: &Pointer) -> Json {
        let text = self.names.get(target).map_or_else(|| "#".to_owned(), |name| format!("#/$defs/{name}"));
        Json::Object(vec![("$ref".to_owned(), Json::String(text))])
    }

    /// The definitions that what was sent so far refers to, and those that they refer to.
    fn definitions(&mut self) -> Members {
        let targets = self.scope.targets();
        let mut written: BTreeMap<Pointer, Json> = BTreeMap::new();
        while let Some(pointer) = self.wanted.pop_first() {
            if written.contains_key(&pointer) {
                continue;
            }
            let at = Pointer::root().key("$defs").key(self.names.get(&pointer).map_or("", String::as_str));
            let schema = targets.get(&pointer).map(|schema| self.schema(schema, &at, false));
            written.insert(pointer, schema.unwrap_or(Json::Bool(true)));
        }
        let named =
            written.into_iter().filter_map(|(pointer, schema)| Some((self.names.get(&pointer)?.clone(), schema)));
        named.collect()
    }

    fn schema(&mut self, source: &Json, at: &Pointer, is_root: bool) -> Json {
        let merged = merge::merged(source, self.scope);
        let source = merged.as_ref().unwrap_or(source);
        let Json::Object(members) = source else {
            let nothing = vec![("not".to_owned(), Json::Object(Members::new()))];
            return Json::Object(if *source == Json::Bool(false) { nothing } else { Members::new() });
        };
        let node = Node { json: source, scope: self.scope, is_root };
        let sent = self.members(members, &node, at);
        self.shaped(sent, &node, at)
    }

    fn members(&mut self, members: &Members, node: &Node<'_>, at: &Pointer) -> Members {
        let mut sent = Members::new();
        let mut rules = Vec::new();
        let is_reference = node.has("$ref");
        for (keyword, value) in members {
            match (keyword.as_str(), keywords::kind(keyword)) {
                ("description", _) if !is_reference => sent.push((keyword.clone(), value.clone())),
                ("title", _) if !is_reference && self.rules.vocabulary == Vocabulary::Full => {
                    sent.push((keyword.clone(), value.clone()));
                }
                (_, Kind::Annotation | Kind::Definitions) => {}
                _ => match verdict(self.rules, node, keyword).sent {
                    Sent::Keyword => sent.extend(self.keyword(keyword, value, node, at)),
                    Sent::Words => rules.extend(words::of(keyword, value, node.json)),
                    Sent::Not => {}
                },
            }
        }
        if !rules.is_empty() {
            let text = words::added(node.get("description").and_then(as_str), &rules);
            set(&mut sent, "description", Json::String(text));
        }
        sent
    }

    /// One keyword in the spelling of the newest draft, which is what the endpoints read.
    fn keyword(&mut self, keyword: &str, value: &Json, node: &Node<'_>, at: &Pointer) -> Option<(String, Json)> {
        let is_true = |keyword: &str| node.get(keyword) == Some(&Json::Bool(true));
        let below = at.key(keyword);
        let (name, json) = match (keyword, value) {
            ("$ref", _) => {
                let (pointer, _) = self.scope.target_of(node.json)?;
                let Json::Object(reference) = self.reference(&pointer) else { return None };
                if self.names.contains_key(&pointer) {
                    self.wanted.insert(pointer);
                }
                return reference.into_iter().next();
            }
            ("type", _) if is_true("nullable") => (keyword, complete::with_null_type(value)),
            ("enum", _) if is_true("nullable") => (keyword, complete::with_null_value(value)),
            ("const", _) if is_true("nullable") => ("enum", Json::Array(vec![value.clone(), Json::Null])),
            ("const", _) if self.rules.vocabulary == Vocabulary::Lean => ("enum", Json::Array(vec![value.clone()])),
            ("properties" | "patternProperties", Json::Object(members)) => {
                let allowed = members.iter().filter(|(_, schema)| *schema != Json::Bool(false));
                let written =
                    allowed.map(|(name, schema)| (name.clone(), self.schema(schema, &below.key(name), false)));
                (keyword, Json::Object(written.collect()))
            }
            ("additionalProperties", _) if self.rules.objects != Objects::AsWritten => (keyword, Json::Bool(false)),
            ("additionalProperties", Json::Object(_)) => (keyword, self.schema(value, &below, false)),
            ("anyOf" | "oneOf", Json::Array(branches)) => {
                let possible = branches.iter().filter(|branch| **branch != Json::Bool(false));
                let below = at.key("anyOf");
                (
                    "anyOf",
                    Json::Array(
                        possible.enumerate().map(|(i, branch)| self.schema(branch, &below.index(i), false)).collect(),
                    ),
                )
            }
            ("allOf", Json::Array(parts)) => (
                keyword,
                Json::Array(
                    parts.iter().enumerate().map(|(i, part)| self.schema(part, &below.index(i), false)).collect(),
                ),
            ),
            ("minimum", Json::Number(_)) if is_true("exclusiveMinimum") => ("exclusiveMinimum", value.clone()),
            ("maximum", Json::Number(_)) if is_true("exclusiveMaximum") => ("exclusiveMaximum", value.clone()),
            ("nullable", _) | ("exclusiveMinimum" | "exclusiveMaximum", Json::Bool(_)) => return None,
            ("items" | "prefixItems" | "additionalItems" | "maxItems", _) => {
                return self.items(keyword, value, node, at);
            }
            _ => (keyword, value.clone()),
        };
        Some((name.to_owned(), json))
    }

    /// The keywords about items, where drafts differ most.
    fn items(&mut self, keyword: &str, value: &Json, node: &Node<'_>, at: &Pointer) -> Option<(String, Json)> {
        let places = places(node);
        let count = places.map_or(0, Vec::len);
        // Nothing beyond the places is the same as so many items at most.
        let is_closing = matches!((keyword, value), ("items" | "additionalItems", Json::Bool(false)));
        let (name, json) = match (keyword, value, places) {
            ("additionalItems", _, None) | ("additionalItems", Json::Bool(true), _) => return None,
            _ if is_closing && node.has("maxItems") => return None,
            _ if is_closing => ("maxItems", Json::Number(count.into())),
            ("maxItems", _, _) => ("maxItems", value.clone()),
            ("items" | "prefixItems", Json::Array(schemas), _) if self.rules.tuples == Tuples::Places => {
                let below = at.key("prefixItems");
                let written = schemas.iter().enumerate().map(|(i, schema)| self.schema(schema, &below.index(i), false));
                ("prefixItems", Json::Array(written.collect()))
            }
            ("items" | "prefixItems", Json::Array(schemas), _) => ("items", self.union(schemas, node, at)),
            (_, _, Some(_)) if self.rules.tuples == Tuples::Union => return None,
            _ => ("items", self.schema(value, &at.key("items"), false)),
        };
        Some((name.to_owned(), json))
    }

    /// Items that may look like any of the places, or like what follows them.
    fn union(&mut self, places: &[Json], node: &Node<'_>, at: &Pointer) -> Json {
        let rest = [node.get("items"), node.get("additionalItems")]
            .into_iter()
            .flatten()
            .filter(|json| matches!(json, Json::Object(_)));
        let mut branches: Vec<Json> = Vec::new();
        let below = at.key("items").key("anyOf");
        for schema in places.iter().chain(rest) {
            let written = self.schema(schema, &below.index(branches.len()), false);
            if !branches.contains(&written) {
                branches.push(written);
            }
        }
        match <[Json; 1]>::try_from(branches) {
            Ok([only]) => only,
            Err(branches) => Json::Object(vec![("anyOf".to_owned(), Json::Array(branches))]),
        }
    }

    /// The shapes that the dialect insists on.
    fn shaped(&mut self, mut sent: Members, node: &Node<'_>, at: &Pointer) -> Json {
        if self.rules.objects != Objects::AsWritten {
            complete::say_type(&mut sent, node);
            // An object that is listed as a value is closed already.
            if is_typed_object(&sent) && !node.has_any(&["enum", "const"]) {
                if self.rules.objects == Objects::Complete {
                    complete::require_all(&mut sent, node);
                }
                set(&mut sent, "additionalProperties", Json::Bool(false));
                if complete::is_emptied(&sent, node) {
                    self.emptied.push(at.clone());
                }
            }
        }
        if self.rules.vocabulary == Vocabulary::Lean {
            sent = complete::without_type_list(sent);
        }
        Json::Object(sent)
    }
}

/// The places of a tuple, in either draft's spelling.
fn places<'a>(node: &Node<'a>) -> Option<&'a Vec<Json>> {
    [node.get("prefixItems"), node.get("items")].into_iter().flatten().find_map(as_list)
}

pub(super) fn is_typed_object(members: &Members) -> bool {
    members.iter().any(|(name, value)| name == "type" && strings(value).contains(&"object"))
}

fn is_plain_object(schema: &Json) -> bool {
    let is_object = schema.get("type").and_then(as_str) == Some("object");
    is_object && ["anyOf", "allOf", "$ref"].iter().all(|keyword| schema.get(keyword).is_none())
}

fn object_members(schema: Json) -> Members {
    if let Json::Object(members) = schema { members } else { Members::new() }
}
