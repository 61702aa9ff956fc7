//! What is said of a keyword once everything below it is known: a union is no stronger than its members, and schemas that
//! were only partly taken together are the validator's.

use std::collections::{BTreeMap, BTreeSet};

use super::scalar::ASSUMED;
use super::{HELD, Reader, Verdict};
use crate::intersect;
use crate::json::Json;
use crate::keywords::{self, Kind};
use crate::pointer::Pointer;
use crate::report::Tier;
use crate::schema::Schema;

/// Rules about a value as a whole, which only a validator can hold.
pub(super) const BEYOND_GRAMMARS: [&str; 6] = ["not", "if", "then", "else", "dependentSchemas", "dependencies"];

pub(super) const IN_PART: Verdict = (Tier::Validator, "the grammar holds only a part of what stands together here");
const LOOSE_MEMBER: Verdict = (Tier::Validator, "one of its schemas has a rule that is left to the validator");
const OVERLAP: Verdict = (Tier::Validator, "more than one of its schemas may fit");

/// A union that was read: where, under which keyword, and its members.
pub(super) type Union = (Pointer, &'static str, Vec<Schema>);

impl Reader<'_> {
    /// The last word on unions and on what was taken together.
    pub(super) fn judge(&mut self) {
        self.judge_parts();
        let assumed = Places::of(self, |verdict| verdict == ASSUMED);
        let unions = std::mem::take(&mut self.unions);
        for (at, keyword, members) in &unions {
            if *keyword == "oneOf" && (assumed.any_below(&below(at, keyword)) || !intersect::are_apart(members)) {
                self.weaken(at, keyword, OVERLAP);
            }
        }
        // Such a union makes those around it loose.
        let loose = Places::of(self, |(tier, _)| matches!(tier, Tier::Validator | Tier::Description));
        for (at, keyword, _) in &unions {
            if loose.any_below(&below(at, keyword)) {
                self.weaken(at, keyword, LOOSE_MEMBER);
            }
        }
    }

    /// Says of a keyword that was held that it is not.
    fn weaken(&mut self, at: &Pointer, keyword: &str, verdict: Verdict) {
        let key = (at.as_str().to_owned(), keyword.to_owned());
        if self.notes.get(&key) == Some(&HELD) {
            self.notes.insert(key, verdict);
        }
    }

    /// A rule that is reached where the tree does not hold it is the validator's, even if it is held elsewhere.
    fn judge_parts(&mut self) {
        let starts: BTreeSet<String> = std::mem::take(&mut self.aside).into_iter().collect();
        let unheld = self.unheld(&starts);
        for ((at, keyword), verdict) in &mut self.notes {
            let is_left = matches!(verdict.0, Tier::Validator | Tier::Description);
            if !is_left && unheld.contains(at) && self.source.at(at).is_some_and(|node| node.get(keyword).is_some()) {
                *verdict = IN_PART;
            }
        }
    }

    /// The places that are reached from the root by way of a keyword that the tree does not hold, or of one of `starts`.
    fn unheld(&self, starts: &BTreeSet<String>) -> BTreeSet<String> {
        let (mut unheld, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut waiting = vec![(Pointer::root(), self.source, true)];
        while let Some((at, json, is_held)) = waiting.pop() {
            let is_held = is_held && !starts.contains(at.as_str());
            if !seen.insert((at.as_str().to_owned(), is_held)) {
                continue;
            }
            if !is_held {
                unheld.insert(at.as_str().to_owned());
            }
            if let Some(target) = Self::place_of(json)
                && let Some(json) = self.source.at(&target)
            {
                waiting.push((Pointer::from(&*target), json, is_held));
            }
            let Json::Object(members) = json else { continue };
            for (keyword, value) in members {
                // What stands in a definition is reached by reference; what breaks a rule below `not` or `if` is never named.
                if keywords::kind(keyword) != Kind::Definitions && keyword != "not" && keyword != "if" {
                    let is_held = is_held && !BEYOND_GRAMMARS.contains(&keyword.as_str());
                    let below = keywords::subschemas(keyword, value, &at);
                    waiting.extend(below.into_iter().map(|(at, json)| (at, json, is_held)));
                }
            }
        }
        unheld
    }
}

/// Where the members of a union stand.
fn below(at: &Pointer, keyword: &str) -> String {
    format!("{}/{keyword}/", at.as_str())
}

/// Places, each with a slash at its end, in order, so that those below another are a run.
struct Places(BTreeSet<String>);

impl Places {
    /// Where a verdict is such a one, and where a reference leads to such a place, through any number of references.
    fn of(reader: &Reader<'_>, is_such: impl Fn(Verdict) -> bool) -> Self {
        let such = reader.notes.iter().filter(|(_, verdict)| is_such(**verdict));
        let mut places: BTreeSet<String> = such.map(|((at, _), _)| format!("{at}/")).collect();
        let mut holders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (at, _) in reader.notes.keys().filter(|(_, keyword)| keyword == "$ref") {
            if let Some(target) = reader.source.at(at).and_then(Reader::place_of) {
                holders.entry(format!("{target}/")).or_default().push(format!("{at}/"));
            }
        }
        let mut told: Vec<String> = places.iter().cloned().collect();
        while let Some(at) = told.pop() {
            // Whoever refers to this place, or to one above it, is told.
            let above = at.char_indices().filter(|(_, c)| *c == '/').filter_map(|(end, _)| at.get(..=end));
            for from in above.filter_map(|target| holders.remove(target)).flatten().collect::<Vec<_>>() {
                if places.insert(from.clone()) {
                    told.push(from);
                }
            }
        }
        Self(places)
    }

    fn any_below(&self, below: &str) -> bool {
        self.0.range(below.to_owned()..).next().is_some_and(|at| at.starts_with(below))
    }
}
