//! Names that schemas give themselves (`$id`, `$anchor`), and the places they stand for.
//!
//! A reference by name is replaced by one to the place, so that whoever reads the text afterwards knows places only; an
//! endpoint that is sent the text need not know names either. Nothing is retrieved: a name that this text does not hold
//! stays as it is.

use std::collections::HashMap;

use crate::json::Json;
use crate::keywords::{self, Kind};
use crate::pointer::Pointer;
use crate::read::Draft;

/// The same schema with references by place only; `None` where they are so already.
pub(crate) fn by_place(source: &Json, draft: Draft) -> Option<Json> {
    let mut has_names = false;
    keywords::walk(source, &Pointer::root(), &mut |at, schema| {
        let leads_elsewhere = |text: &str| !text.starts_with("#/") && text != "#";
        has_names |= matches!(schema.get("$ref"), Some(Json::String(text)) if leads_elsewhere(text))
            || (*at != Pointer::root() && id_of(schema, draft).is_some());
    });
    if !has_names {
        return None;
    }
    let mut names = Names { draft, resources: HashMap::new(), anchors: HashMap::new() };
    names.resources.insert(String::new(), Pointer::root());
    names.collect(source, &Pointer::root(), "");
    Some(names.replaced(source, &Pointer::root(), ""))
}

/// The URI that a schema gives itself. Up to draft-07 whatever stands beside a `$ref` is ignored.
fn id_of(schema: &Json, draft: Draft) -> Option<&str> {
    let keyword = if draft == Draft::Draft4 { "id" } else { "$id" };
    match schema.get(keyword) {
        Some(Json::String(id)) if !(draft.refs_stand_alone() && schema.get("$ref").is_some()) => Some(id),
        _ => None,
    }
}

fn split(uri: &str) -> (&str, &str) {
    uri.split_once('#').unwrap_or((uri, ""))
}

struct Names {
    draft: Draft,
    /// Places by URI.
    resources: HashMap<String, Pointer>,
    /// Places by the URI around them and their name.
    anchors: HashMap<(String, String), Pointer>,
}

impl Names {
    fn base_within(&self, schema: &Json, base: &str) -> String {
        match id_of(schema, self.draft).map(split) {
            Some((uri, _)) if !uri.is_empty() => join(base, uri),
            _ => base.to_owned(),
        }
    }

    fn collect(&mut self, schema: &Json, at: &Pointer, base: &str) {
        let Json::Object(members) = schema else { return };
        let base = self.base_within(schema, base);
        if let Some((uri, fragment)) = id_of(schema, self.draft).map(split) {
            if !uri.is_empty() {
                self.resources.entry(base.clone()).or_insert_with(|| at.clone());
            }
            if !fragment.is_empty() && self.draft <= Draft::Draft7 {
                self.anchors.insert((base.clone(), fragment.to_owned()), at.clone());
            }
        }
        for (keyword, since) in [("$anchor", Draft::Draft201909), ("$dynamicAnchor", Draft::Draft202012)] {
            if let Some(Json::String(name)) = schema.get(keyword)
                && self.draft >= since
            {
                self.anchors.insert((base.clone(), name.clone()), at.clone());
            }
        }
        for (keyword, value) in members {
            for (below, item) in keywords::subschemas(keyword, value, at) {
                self.collect(item, &below, &base);
            }
        }
    }

    /// The place that a reference leads to, as a reference.
    fn place(&self, reference: &str, base: &str) -> Option<String> {
        let (uri, fragment) = split(reference);
        let resource = if uri.is_empty() { base.to_owned() } else { join(base, uri) };
        let start = self.resources.get(&resource)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return Some(format!("#{}{fragment}", encoded(start)));
        }
        self.anchors.get(&(resource, fragment.to_owned())).map(|place| format!("#{}", encoded(place)))
    }

    fn replaced(&self, schema: &Json, at: &Pointer, base: &str) -> Json {
        let Json::Object(members) = schema else { return schema.clone() };
        let is_inner_id =
            |keyword: &str| *at != Pointer::root() && keyword == if self.draft == Draft::Draft4 { "id" } else { "$id" };
        let base = self.base_within(schema, base);
        let kept = members.iter().filter(|(keyword, _)| !is_inner_id(keyword));
        let replaced = kept.map(|(keyword, value)| {
            let value = if let (Json::String(text), "$ref") = (value, keyword.as_str()) {
                Json::String(self.place(text, &base).unwrap_or_else(|| text.clone()))
            } else {
                self.below(keyword, value, at, &base)
            };
            (keyword.clone(), value)
        });
        Json::Object(replaced.collect())
    }

    fn below(&self, keyword: &str, value: &Json, at: &Pointer, base: &str) -> Json {
        let below = at.key(keyword);
        match (keywords::kind(keyword), value) {
            (Kind::Schema | Kind::SchemaOrList, Json::Object(_)) => self.replaced(value, &below, base),
            (Kind::List | Kind::SchemaOrList, Json::Array(items)) => {
                let item = |(index, item)| self.replaced(item, &below.index(index), base);
                Json::Array(items.iter().enumerate().map(item).collect())
            }
            (Kind::Map | Kind::Definitions, Json::Object(members)) => {
                let member =
                    |(name, schema): &(String, Json)| (name.clone(), self.replaced(schema, &below.key(name), base));
                Json::Object(members.iter().map(member).collect())
            }
            _ => value.clone(),
        }
    }
}

/// A pointer as the fragment of a URI, as far as that changes what it says.
fn encoded(place: &Pointer) -> String {
    place.as_str().replace('%', "%25")
}

/// A reference without its fragment, seen from `base`.
fn join(base: &str, reference: &str) -> String {
    let has_scheme = reference.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    });
    if has_scheme {
        return reference.to_owned();
    }
    let path_start = match base.find("://") {
        Some(scheme) => base.get(scheme + 3..).and_then(|rest| rest.find('/')).map_or(base.len(), |at| scheme + 3 + at),
        None => 0,
    };
    let (origin, path) = base.split_at(path_start);
    if reference.starts_with("//") {
        let scheme = origin.split_once("//").map_or("", |(scheme, _)| scheme);
        return format!("{scheme}{reference}");
    }
    let folder = path.rfind('/').map_or(if origin.is_empty() { "" } else { "/" }, |at| path.get(..=at).unwrap_or("/"));
    let whole = if reference.starts_with('/') { reference.to_owned() } else { format!("{folder}{reference}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("{origin}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn references_are_seen_from_their_base() {
        let cases = [
            ("", "item.json", "item.json"),
            ("http://e.org/a/b.json", "c.json", "http://e.org/a/c.json"),
            ("http://e.org/a/b.json", "../c.json", "http://e.org/c.json"),
            ("http://e.org/a/b.json", "./c/", "http://e.org/a/c/"),
            ("http://e.org/a/b.json", "/c", "http://e.org/c"),
            ("http://e.org/a/b.json", "//f.org/c", "http://f.org/c"),
            ("http://e.org", "c", "http://e.org/c"),
            ("http://e.org/a", "urn:uuid:1", "urn:uuid:1"),
        ];
        for (base, reference, expected) in cases {
            assert_eq!(join(base, reference), expected, "{reference} from {base}");
        }
    }
}
