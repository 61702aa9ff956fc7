//! The whole schema text around a node: where its references lead, and which of them come back to themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::view::as_list;
use crate::circles::circles;
use crate::json::Json;
use crate::keywords;
use crate::pointer::Pointer;
use crate::read::Draft;

/// How many schemas a text may grow to by inlining; beyond it nothing is inlined.
const INLINING_LIMIT: u64 = 20_000;
/// The longest chain of references that is inlined; each link may be nested as deep as a text can be.
const LONGEST_CHAIN: usize = 12;

/// A schema text, with its references resolved.
#[derive(Debug)]
pub(super) struct Scope<'a> {
    pub(super) root: &'a Json,
    /// Places that names lead to (`$anchor`, `$id`), by the name.
    named: HashMap<String, Place<'a>>,
    /// Every schema by its place, so that following a reference takes no time.
    places: HashMap<String, Place<'a>>,
    /// The targets of references that lie on a circle of references.
    recursive: BTreeSet<Pointer>,
    inlines: bool,
    /// Up to draft-07 whatever stands beside a `$ref` is ignored.
    pub(super) refs_stand_alone: bool,
    /// Keywords that the endpoint refused: they are not sent, wherever they stand.
    pub(super) put_aside: &'a [String],
}

/// A schema and its place.
pub(super) type Place<'a> = (Pointer, &'a Json);

impl<'a> Scope<'a> {
    pub(super) fn new(root: &'a Json) -> Self {
        let (mut named, mut places) = (HashMap::new(), HashMap::new());
        keywords::walk(root, &Pointer::root(), &mut |pointer, schema| {
            places.insert(pointer.to_string(), (pointer.clone(), schema));
            for (keyword, prefix) in [("$anchor", "#"), ("$dynamicAnchor", "#"), ("$id", ""), ("id", "")] {
                if let Some(Json::String(name)) = schema.get(keyword) {
                    named.entry(format!("{prefix}{}", name.trim_end_matches('#'))).or_insert((pointer.clone(), schema));
                }
            }
        });
        let refs_stand_alone = Draft::of(root).is_ok_and(Draft::refs_stand_alone);
        let mut scope =
            Self { root, named, places, recursive: BTreeSet::new(), inlines: true, refs_stand_alone, put_aside: &[] };
        let graph = scope.graph();
        scope.recursive =
            circles(graph.iter().map(|(pointer, (_, leads))| (pointer, leads))).into_iter().cloned().collect();
        scope.inlines = scope.inlined_size(&graph) <= INLINING_LIMIT;
        scope
    }

    /// What `reference` leads to, if it lies in this text.
    pub(super) fn resolve(&self, reference: &str) -> Option<Place<'a>> {
        if let Some(place) = self.named.get(reference.trim_end_matches('#')).filter(|_| reference != "#") {
            return Some(place.clone());
        }
        let (base, fragment) = reference.split_once('#')?;
        let (start, json) = if base.is_empty() { (Pointer::root(), self.root) } else { self.named.get(base)?.clone() };
        let decoded = percent_decoded(fragment);
        if decoded.is_empty() {
            return Some((start, json));
        }
        if let Some(place) = self.places.get(&decoded).filter(|_| base.is_empty()) {
            return Some(place.clone());
        }
        let mut place = (start, json);
        for token in decoded.strip_prefix('/')?.split('/') {
            let token = token.replace("~1", "/").replace("~0", "~");
            let next = match as_list(place.1) {
                Some(items) => items.get(token.parse::<usize>().ok()?)?,
                None => place.1.get(&token)?,
            };
            place = (place.0.key(&token), next);
        }
        Some(place)
    }

    /// The same for the `$ref` of a node, if it has one.
    pub(super) fn target_of(&self, node: &Json) -> Option<Place<'a>> {
        match node.get("$ref") {
            Some(Json::String(reference)) => self.resolve(reference),
            _ => None,
        }
    }

    /// Does a reference to this place come back to it?
    pub(super) fn is_recursive(&self, pointer: &Pointer) -> bool {
        self.recursive.contains(pointer)
    }

    /// May what a reference leads to stand in the place of the reference?
    pub(super) fn may_inline(&self, pointer: &Pointer) -> bool {
        self.inlines && !self.is_recursive(pointer)
    }

    /// Every place that a reference in the text leads to.
    pub(super) fn targets(&self) -> BTreeMap<Pointer, &'a Json> {
        let mut targets = BTreeMap::new();
        keywords::walk(self.root, &Pointer::root(), &mut |_, schema| {
            targets.extend(self.target_of(schema));
        });
        targets
    }

    /// For the root and for every target: how many schemas stand there, and where references from there lead.
    fn graph(&self) -> Graph {
        let mut starts = self.targets();
        starts.insert(Pointer::root(), self.root);
        let edges = starts.into_iter().map(|(pointer, schema)| {
            let mut size = 0;
            let mut leads = Vec::new();
            keywords::walk(schema, &pointer, &mut |_, below| {
                size += 1;
                leads.extend(self.target_of(below).map(|(target, _)| target));
            });
            (pointer, (size, leads))
        });
        edges.collect()
    }

    /// The size of the text with every reference replaced by what it leads to.
    fn inlined_size(&self, graph: &Graph) -> u64 {
        let mut sizes: HashMap<&Pointer, u64> = HashMap::new();
        // Each round settles the places whose targets are settled.
        let mut open: Vec<&Pointer> = graph.keys().collect();
        for _round in 0..LONGEST_CHAIN {
            open.retain(|pointer| {
                let Some((own, leads)) = graph.get(*pointer) else { return false };
                let below = leads.iter().filter(|target| !self.is_recursive(target)).map(|target| sizes.get(target));
                let total = below.sum::<Option<u64>>().map(|below: u64| below.saturating_add(*own));
                if let Some(total) = total {
                    sizes.insert(pointer, total.min(INLINING_LIMIT + 1));
                }
                total.is_none()
            });
        }
        sizes.get(&Pointer::root()).copied().unwrap_or(INLINING_LIMIT + 1)
    }
}

/// By place: the number of schemas there, and where references from there lead.
type Graph = BTreeMap<Pointer, (u64, Vec<Pointer>)>;

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = tail.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        if let Some(byte) = code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            bytes.push(byte);
            rest = tail.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
