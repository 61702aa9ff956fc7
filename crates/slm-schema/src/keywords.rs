//! Every keyword of JSON Schema, drafts 4 to 2020-12: what it is, and which schemas stand below it.
//!
//! One table, one walker: whoever looks for rules in a schema text asks here, so that a property that happens to be called
//! `items` is never taken for a keyword, and a keyword of an old draft is never missed.

use crate::json::Json;
use crate::pointer::Pointer;

/// What a keyword is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Says nothing about validity; so does every keyword that no draft knows.
    Annotation,
    /// A rule without schemas below it.
    Assertion,
    /// A rule; its value is a schema.
    Schema,
    /// A rule; its value is a list of schemas.
    List,
    /// A rule; its value is a schema, or in older drafts a list of schemas.
    SchemaOrList,
    /// A rule; its value maps names to schemas (`dependencies` also to lists of names).
    Map,
    /// No rule itself: schemas by name for others to refer to.
    Definitions,
}

/// The keywords by kind. `nullable` is of `OpenAPI`; generators write it into schemas all the same.
const KEYWORDS: &[(Kind, &[&str])] = &[
    (
        Kind::Assertion,
        &[
            "type",
            "enum",
            "const",
            "nullable",
            "$ref",
            "$dynamicRef",
            "$recursiveRef",
            "required",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "minItems",
            "maxItems",
            "uniqueItems",
            "minContains",
            "maxContains",
            "minLength",
            "maxLength",
            "pattern",
            "format",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
    ),
    (Kind::Map, &["properties", "patternProperties", "dependentSchemas", "dependencies"]),
    (
        Kind::Schema,
        &[
            "additionalProperties",
            "propertyNames",
            "unevaluatedProperties",
            "additionalItems",
            "contains",
            "unevaluatedItems",
            "not",
            "if",
            "then",
            "else",
        ],
    ),
    (Kind::SchemaOrList, &["items"]),
    (Kind::List, &["prefixItems", "anyOf", "oneOf", "allOf"]),
    (Kind::Definitions, &["$defs", "definitions"]),
    (
        Kind::Annotation,
        &[
            "$schema",
            "$id",
            "id",
            "$anchor",
            "$dynamicAnchor",
            "$recursiveAnchor",
            "$vocabulary",
            "$comment",
            "title",
            "description",
            "default",
            "examples",
            "deprecated",
            "readOnly",
            "writeOnly",
            "contentEncoding",
            "contentMediaType",
            "contentSchema",
        ],
    ),
];

/// What `keyword` is; one that no draft knows is an annotation, as the drafts say.
pub(crate) fn kind(keyword: &str) -> Kind {
    let found = KEYWORDS.iter().find(|(_, names)| names.contains(&keyword));
    found.map_or(Kind::Annotation, |(kind, _)| *kind)
}

/// Every keyword that is a rule, in the table's order.
pub(crate) fn rules() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().flat_map(|(_, names)| names.iter().copied()).filter(|name| is_rule(name))
}

/// Does any draft know `keyword`?
pub(crate) fn is_known(keyword: &str) -> bool {
    KEYWORDS.iter().any(|(_, names)| names.contains(&keyword))
}

/// Does `keyword` stand for a schema elsewhere?
#[cfg(feature = "validate")]
pub(crate) fn is_reference(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef")
}

/// Is `keyword` a rule, so that somebody must enforce it?
pub(crate) fn is_rule(keyword: &str) -> bool {
    !matches!(kind(keyword), Kind::Annotation | Kind::Definitions)
}

/// The schemas directly below one keyword, each with its place seen from the schema that holds the keyword.
pub(crate) fn subschemas<'a>(keyword: &str, value: &'a Json, holder: &Pointer) -> Vec<(Pointer, &'a Json)> {
    let list = |items: &'a [Json]| {
        let below = holder.key(keyword);
        items.iter().enumerate().map(|(i, item)| (below.index(i), item)).collect::<Vec<_>>()
    };
    let found = match (kind(keyword), value) {
        (Kind::Schema | Kind::SchemaOrList, Json::Object(_) | Json::Bool(_)) => vec![(holder.key(keyword), value)],
        (Kind::List | Kind::SchemaOrList, Json::Array(items)) => list(items),
        (Kind::Map | Kind::Definitions, Json::Object(members)) => {
            let below = holder.key(keyword);
            members.iter().map(|(name, item)| (below.key(name), item)).collect()
        }
        _ => Vec::new(),
    };
    found.into_iter().filter(|(_, item)| matches!(item, Json::Object(_) | Json::Bool(_))).collect()
}

/// Visits `schema` and every schema below it, those in definitions too, each before the ones below it.
///
/// Recursion is bounded: serde_json refuses a text that is nested deeper than 128.
pub(crate) fn walk<'a>(schema: &'a Json, pointer: &Pointer, visit: &mut impl FnMut(&Pointer, &'a Json)) {
    visit(pointer, schema);
    let Json::Object(members) = schema else { return };
    for (keyword, value) in members {
        for (below, item) in subschemas(keyword, value, pointer) {
            walk(item, &below, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_keyword_is_listed_twice() {
        let mut names: Vec<&str> = KEYWORDS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn the_walker_tells_keywords_from_names() {
        let text = r#"{
            "properties": {"items": {"const": {"not": {}}}, "a/b": true},
            "items": [{"type": "null"}], "allOf": [{"if": {}}], "dependencies": {"x": ["y"], "z": {}},
            "$defs": {"d": {"additionalProperties": false}}, "default": {"not": {}}, "enum": [{"not": {}}]
        }"#;
        let json: Json = serde_json::from_str(text).unwrap();
        let mut seen = Vec::new();
        walk(&json, &Pointer::root(), &mut |pointer, _| seen.push(pointer.to_string()));
        let expected = [
            "",
            "/properties/items",
            "/properties/a~1b",
            "/items/0",
            "/allOf/0",
            "/allOf/0/if",
            "/dependencies/z",
            "/$defs/d",
            "/$defs/d/additionalProperties",
        ];
        assert_eq!(seen, expected);
    }
}
