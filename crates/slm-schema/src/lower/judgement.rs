//! The report: one entry for every keyword of the source that is a rule, wherever it stands.

use std::collections::HashMap;

use super::merge;
use super::rules::{Node, Rules, Sent, Tuples, Verdict, Vocabulary, checked, verdict};
use super::scope::Scope;
use super::view::as_members;
use crate::json::Json;
use crate::keywords::{self, Kind};
use crate::pointer::Pointer;
use crate::report::{EnforcementReport, Tier};

pub(super) fn report(scope: &Scope<'_>, rules: &Rules) -> EnforcementReport {
    let mut judge = Judge { scope, rules, entries: Vec::new(), places: Vec::new(), known: HashMap::new() };
    judge.visit(scope.root, &Pointer::root(), Above::default());
    // A reference may lead to a schema that no keyword holds.
    for (pointer, target) in scope.targets() {
        if !judge.known.contains_key(&pointer) {
            judge.visit(target, &pointer, Above::default());
        }
    }
    judge.weaken_unions();
    let mut report = EnforcementReport::default();
    for Entry { place, keyword, verdict } in &judge.entries {
        if let Some(place) = judge.places.get(*place) {
            report.push(place.pointer.as_str(), keyword, verdict.tier, verdict.why);
        }
    }
    report
}

struct Entry {
    place: usize,
    keyword: String,
    verdict: Verdict,
}

/// A schema of the source, and who relies on it.
struct Place {
    pointer: Pointer,
    /// The places it stands in or is referred to from.
    holders: Vec<usize>,
    /// The union that it is a branch of, by its entry.
    union: Option<usize>,
    /// Where its `$ref` leads.
    target: Option<Pointer>,
}

/// What a schema is told by the keyword that holds it.
#[derive(Default, Clone, Copy)]
struct Above {
    holder: Option<usize>,
    union: Option<usize>,
    /// The verdict on everything below, where there is but one.
    fate: Option<Verdict>,
    /// A part of an `allOf` that was merged: what it does not say, others may.
    is_part: bool,
}

struct Judge<'a> {
    scope: &'a Scope<'a>,
    rules: &'a Rules,
    entries: Vec<Entry>,
    places: Vec<Place>,
    known: HashMap<Pointer, usize>,
}

impl<'a> Judge<'a> {
    fn visit(&mut self, json: &'a Json, pointer: &Pointer, above: Above) {
        let Json::Object(members) = json else { return };
        let place = self.places.len();
        let holders = Vec::from_iter(above.holder);
        let target = self.scope.target_of(json).map(|(target, _)| target);
        self.places.push(Place { pointer: pointer.clone(), holders, union: above.union, target });
        self.known.insert(pointer.clone(), place);
        let merged = merge::merged(json, self.scope);
        let is_root = pointer.as_str().is_empty();
        let node = Node { json: merged.as_ref().unwrap_or(json), scope: self.scope, is_root };
        let mut below = Vec::new();
        for (keyword, value) in members {
            let kind = keywords::kind(keyword);
            if kind == Kind::Annotation {
                continue;
            }
            let holder = Above { holder: Some(place), ..Above::default() };
            if kind == Kind::Definitions {
                below.push((keyword, value, Above { holder: None, ..holder }));
                continue;
            }
            let is_ignored = self.scope.refs_stand_alone && keyword != "$ref" && json.get("$ref").is_some();
            let verdict = above.fate.unwrap_or_else(|| match &merged {
                Some(_) if is_ignored => verdict(self.rules, &Node { json, ..node }, keyword),
                Some(_) => self.judge_merged(json, &node, keyword),
                None => verdict(self.rules, &node, keyword),
            });
            let union = matches!(keyword.as_str(), "anyOf" | "oneOf").then_some(self.entries.len());
            let is_part = keyword == "allOf" && merged.is_some();
            below.push((keyword, value, Above { union, is_part, fate: self.fate(verdict, keyword, value), ..holder }));
            self.entries.push(Entry { place, keyword: keyword.clone(), verdict });
        }
        if above.fate.is_none() && !above.is_part {
            self.judge_silence(&node, place);
        }
        for (keyword, value, above) in below {
            for (pointer, schema) in keywords::subschemas(keyword, value, pointer) {
                self.visit(schema, &pointer, above);
            }
        }
    }

    /// The verdict on everything below a keyword, where the keyword's own decides it.
    fn fate(&self, verdict: Verdict, keyword: &str, value: &Json) -> Option<Verdict> {
        let is_tuple = keyword == "prefixItems" || (keyword == "items" && matches!(value, Json::Array(_)));
        if verdict.sent != Sent::Keyword {
            return Some(Verdict { why: "it belongs to a rule that is not sent", sent: Sent::Not, ..verdict });
        }
        (is_tuple && self.rules.tuples == Tuples::Union).then(|| checked("the places of a tuple are not told apart"))
    }

    /// A node that is sent merged with its parts is judged as that; so is the keyword that brings the parts.
    fn judge_merged(&self, source: &'a Json, merged: &Node<'_>, keyword: &str) -> Verdict {
        match keyword {
            _ if self.rules.vocabulary == Vocabulary::Empty => return verdict(self.rules, merged, keyword),
            "$ref" | "allOf" => {}
            // It was said with another keyword.
            "unevaluatedProperties" if !merged.has(keyword) => {
                return verdict(self.rules, merged, "additionalProperties");
            }
            _ => return verdict(self.rules, merged, keyword),
        }
        let parts = merge::parts(source, self.scope);
        let loses = |part: &Json, keyword: &str| {
            let node = Node { json: part, is_root: false, ..*merged };
            verdict(self.rules, merged, keyword).is_weak() && !verdict(self.rules, &node, keyword).is_weak()
        };
        let mut rules = parts.iter().skip(1).flat_map(|part| {
            let members = as_members(part).into_iter().flatten();
            members.map(move |(keyword, _)| (part, keyword)).filter(|(_, keyword)| keywords::is_rule(keyword))
        });
        let loses_any = rules.any(|(part, keyword)| merged.has(keyword) && loses(part, keyword));
        if loses_any {
            checked("not every rule of its parts is held beside the others")
        } else {
            super::rules::ENFORCED
        }
    }

    /// What an endpoint reads into the absence of a keyword is an entry where it excludes something.
    fn judge_silence(&mut self, node: &Node<'_>, place: usize) {
        let is_open_object = node.is_object() && !node.has_any(&["additionalProperties", "$ref"]);
        for (keyword, applies) in [("type", !node.has("type")), ("additionalProperties", is_open_object)] {
            let verdict = verdict(self.rules, node, keyword);
            if applies && verdict.tier == Tier::GrammarStricter {
                self.entries.push(Entry { place, keyword: keyword.to_owned(), verdict });
            }
        }
    }

    /// A branch that is held only in part may be written where no branch holds: then the union is left to the validator.
    fn weaken_unions(&mut self) {
        let referrers: Vec<(usize, usize)> = self
            .places
            .iter()
            .enumerate()
            .filter_map(|(i, place)| Some((i, *self.known.get(place.target.as_ref()?)?)))
            .collect();
        for (referrer, target) in referrers {
            if let Some(target) = self.places.get_mut(target) {
                target.holders.push(referrer);
            }
        }
        let mut weak: Vec<usize> =
            self.entries.iter().filter(|entry| entry.verdict.is_weak()).map(|entry| entry.place).collect();
        let mut seen = vec![false; self.places.len()];
        while let Some(place) = weak.pop() {
            let Some(seen) = seen.get_mut(place).filter(|seen| !**seen) else { continue };
            *seen = true;
            let Some(place) = self.places.get(place) else { continue };
            weak.extend(&place.holders);
            let union = place.union.and_then(|union| self.entries.get_mut(union));
            if let Some(entry) = union.filter(|entry| !entry.verdict.is_weak()) {
                entry.verdict = checked("a branch has a rule that is left to the validator");
            }
        }
    }
}
