//! What an endpoint refuses by size or by form, said before anything is sent.

use super::rules::{Form, Limits};
use super::scope::Scope;
use super::send::Sending;
use super::view::{as_str, strings};
use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::keywords;
use crate::pointer::Pointer;

/// An enum of more values than this is bound in characters too.
const LARGE_ENUM: usize = 250;
/// The characters of such an enum.
const LARGE_ENUM_CHARACTERS: usize = 15_000;

/// The first limit that a schema breaks as it is sent. Places are those of what is sent.
pub(super) fn broken(sending: &Sending, limits: &Limits) -> Option<Error> {
    let scope = Scope::new(&sending.schema);
    if let Some(place) = sending.emptied.first() {
        let message = "the dialect closes every object, so this one could only be empty; declare its properties, or write \
                       it as an array of objects with a name and a value";
        return Some(error(place, "additionalProperties", message));
    }
    let forms = limits.forms.iter().find_map(|form| broken_form(*form, &scope));
    forms.or_else(|| too_large(&scope, limits))
}

/// Such a root can never be written where some JSON object is asked for.
pub(super) fn root_that_is_no_object(scope: &Scope<'_>) -> Option<Error> {
    let is_object = |json: &Json| as_str(json) == Some("object");
    let may_be = match scope.root.get("type") {
        Some(Json::Array(names)) => names.iter().any(is_object),
        Some(name) => is_object(name),
        None => true,
    };
    let message = "only objects can be asked for; wrap the schema in an object";
    (!may_be).then(|| error(&Pointer::root(), "type", message))
}

fn error(place: &Pointer, keyword: &str, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::DialectLimit, message).at(place.as_str()).keyword_named(keyword)
}

fn broken_form(form: Form, scope: &Scope<'_>) -> Option<Error> {
    let mut found = None;
    match form {
        Form::RootProperties => {
            let has_properties =
                matches!(scope.root.get("properties"), Some(Json::Object(members)) if !members.is_empty());
            if !has_properties {
                let message = "the endpoint needs `properties` at the root; declare some";
                found = Some(error(&Pointer::root(), "properties", message));
            }
        }
        Form::Typed => keywords::walk(scope.root, &Pointer::root(), &mut |pointer, schema| {
            let is_typed = ["type", "$ref", "anyOf"].iter().any(|keyword| schema.get(keyword).is_some());
            let is_list = schema.get("type").is_some_and(|types| strings(types).contains(&"array"));
            if found.is_none() && matches!(schema, Json::Object(_)) && !is_typed {
                found = Some(error(
                    pointer,
                    "type",
                    "the endpoint refuses a schema that does not say its type; add `type`",
                ));
            } else if found.is_none() && is_list && schema.get("items").is_none() {
                found = Some(error(
                    pointer,
                    "items",
                    "the endpoint refuses an array that does not say its items; add `items`",
                ));
            }
        }),
        Form::NoRecursion => keywords::walk(scope.root, &Pointer::root(), &mut |pointer, schema| {
            let target = scope.target_of(schema).map(|(target, _)| target);
            if found.is_none() && target.is_some_and(|target| scope.is_recursive(&target)) {
                let message = "the endpoint refuses references that come back to themselves; write them out to a fixed \
                               depth, or use another mechanism";
                found = Some(error(pointer, "$ref", message));
            }
        }),
    }
    found
}

/// Sizes, summed up while walking; the place is the one where a limit was passed.
#[derive(Default)]
struct Sizes {
    properties: usize,
    enum_values: usize,
    characters: usize,
    optional: usize,
    unions: usize,
}

fn too_large(scope: &Scope<'_>, limits: &Limits) -> Option<Error> {
    let mut sizes = Sizes::default();
    let mut found = None;
    keywords::walk(scope.root, &Pointer::root(), &mut |pointer, schema| {
        sizes.add(schema);
        let large_enum = matches!(schema.get("enum"), Some(Json::Array(values)) if limits.enum_values.is_some()
            && values.len() > LARGE_ENUM && characters_of(values) > LARGE_ENUM_CHARACTERS);
        if found.is_none() && large_enum {
            let message = format!("its values are longer than {LARGE_ENUM_CHARACTERS} characters in all; shorten them");
            found = Some(error(pointer, "enum", message));
        }
        if found.is_none() {
            found = sizes.beyond(limits, pointer);
        }
    });
    found.or_else(|| too_deep(scope, limits.levels?))
}

impl Sizes {
    fn add(&mut self, schema: &Json) {
        if let Some(Json::Object(declared)) = schema.get("properties") {
            self.properties += declared.len();
            self.characters += declared.iter().map(|(name, _)| name.chars().count()).sum::<usize>();
            let required = match schema.get("required") {
                Some(Json::Array(names)) => names.len(),
                _ => 0,
            };
            self.optional += declared.len().saturating_sub(required);
            self.unions += declared.iter().filter(|(_, schema)| is_union(schema)).count();
        }
        if let Some(Json::Object(definitions)) = schema.get("$defs") {
            self.characters += definitions.iter().map(|(name, _)| name.chars().count()).sum::<usize>();
        }
        if let Some(Json::Array(values)) = schema.get("enum") {
            self.enum_values += values.len();
            self.characters += characters_of(values);
        }
        self.characters += schema.get("const").map_or(0, |value| value.compact().chars().count());
    }

    fn beyond(&self, limits: &Limits, pointer: &Pointer) -> Option<Error> {
        let way_out = "split the schema, or use another mechanism";
        let measures = [
            (limits.properties, self.properties, "properties", "properties in all"),
            (limits.enum_values, self.enum_values, "enum", "values of enums in all"),
            (limits.characters, self.characters, "properties", "characters of names and values in all"),
            (limits.optional, self.optional, "required", "properties that are not required"),
            (limits.unions, self.unions, "anyOf", "properties of more than one type"),
        ];
        let broken = measures.into_iter().find(|(limit, size, ..)| limit.is_some_and(|limit| *size > limit));
        broken.map(|(limit, _, keyword, what)| {
            let limit = limit.unwrap_or_default();
            error(pointer, keyword, format!("the endpoint takes at most {limit} {what}, and here are more; {way_out}"))
        })
    }
}

fn characters_of(values: &[Json]) -> usize {
    let characters =
        |value: &Json| as_str(value).map_or_else(|| value.compact().chars().count(), |text| text.chars().count());
    values.iter().map(characters).sum()
}

fn is_union(schema: &Json) -> bool {
    schema.get("anyOf").is_some() || matches!(schema.get("type"), Some(Json::Array(_)))
}

/// Objects and arrays within each other, references not followed.
fn too_deep(scope: &Scope<'_>, limit: usize) -> Option<Error> {
    let mut found = None;
    let mut levels: Vec<(Pointer, usize)> = Vec::new();
    keywords::walk(scope.root, &Pointer::root(), &mut |pointer, schema| {
        let is_below =
            |above: &Pointer| pointer.as_str().strip_prefix(above.as_str()).is_some_and(|rest| rest.starts_with('/'));
        while levels.last().is_some_and(|(above, _)| !is_below(above)) {
            levels.pop();
        }
        let opens = ["properties", "items"].iter().any(|keyword| schema.get(keyword).is_some());
        let level = levels.last().map_or(0, |(_, level)| *level) + usize::from(opens);
        let is_definition = pointer.as_str().starts_with("/$defs/") && pointer.as_str().matches('/').count() == 2;
        let level = if is_definition { usize::from(opens) } else { level };
        if level > limit && found.is_none() {
            let message =
                format!("the endpoint takes at most {limit} levels of objects and arrays; flatten the schema");
            found = Some(error(pointer, "properties", message));
        }
        levels.push((pointer.clone(), level));
    });
    found
}
