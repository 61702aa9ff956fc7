//! A JSON Schema to the typed tree: the extended profile, drafts 4 to 2020-12.
//!
//! What the tree holds exactly, more strictly or more loosely than the source is noted for each keyword on the way; the
//! notes are the enforcement report of the grammar, and nothing that the source says is missing from them.

mod combine;
mod draft;
mod judge;
mod node;
mod object;
mod reference;
mod scalar;
mod sequence;
mod sound;

use std::collections::BTreeMap;

pub(crate) use draft::Draft;
use node::Node;

use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::keywords;
use crate::pointer::Pointer;
use crate::report::{EnforcementReport, Tier};
use crate::schema::{Schema, Shape, Slot};

/// A schema that was read.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) root: Schema,
    /// What references refer to, by JSON pointer. The tree holds them weakly.
    pub(crate) slots: BTreeMap<String, Slot>,
    /// What the tree makes of each keyword.
    pub(crate) report: EnforcementReport,
    #[cfg_attr(not(feature = "validate"), expect(dead_code, reason = "only the validator asks"))]
    pub(crate) draft: Draft,
}

impl Document {
    /// What references refer to.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &Schema> {
        self.slots.values().filter_map(|slot| slot.get())
    }
}

/// Reads a schema.
///
/// # Errors
///
/// A keyword is unknown or its value is not one the draft allows; a reference leads nowhere; nothing satisfies the schema.
pub(crate) fn read(source: &Json) -> Result<Document, Error> {
    let draft = Draft::of(source)?;
    let mut reader = Reader {
        source,
        draft,
        notes: BTreeMap::new(),
        slots: BTreeMap::new(),
        pending: Vec::new(),
        expansions: 0,
        expanding: Vec::new(),
        unions: Vec::new(),
        aside: Vec::new(),
    };
    let root = reader.schema(source, &Pointer::root())?.ok_or_else(|| unsatisfiable(""))?;
    while let Some((name, json)) = reader.pending.pop() {
        let schema = reader.schema(json, &Pointer::from(&*name))?.ok_or_else(|| unsatisfiable(&name))?;
        if let Some(slot) = reader.slots.get(&name) {
            // Each definition is read once, so its slot is empty.
            let _first = slot.set(schema);
        }
    }
    sound::check(&root, &reader.slots)?;
    reader.judge();
    let report = reader.report();
    Ok(Document { root, slots: reader.slots, report, draft })
}

fn unsatisfiable(pointer: &str) -> Error {
    Error::new(ErrorKind::Unsatisfiable, "nothing satisfies this schema; see which of its rules exclude each other")
        .at(pointer)
}

/// What is said of a keyword.
type Verdict = (Tier, &'static str);

const HELD: Verdict = (Tier::Grammar, "");

/// Reading, in progress.
struct Reader<'s> {
    source: &'s Json,
    draft: Draft,
    notes: BTreeMap<(String, String), Verdict>,
    slots: BTreeMap<String, Slot>,
    /// Definitions that are referred to and not read yet.
    pending: Vec<(String, &'s Json)>,
    /// Definitions put in the place of a reference, so far, and now.
    expansions: usize,
    expanding: Vec<String>,
    /// Unions, to be judged once everything is read.
    unions: Vec<judge::Union>,
    /// Places of schemas that the tree does not hold, or not all of.
    aside: Vec<String>,
}

impl<'s> Reader<'s> {
    /// Reads one node and all below as the schema of a value; `None` where nothing satisfies it. Recursion is bounded:
    /// serde_json refuses a text nested deeper than 128.
    fn schema(&mut self, json: &'s Json, at: &Pointer) -> Result<Option<Schema>, Error> {
        Ok(self.part(json, at)?.map(scalar::narrowed))
    }

    /// The same for a node that is taken together with others: whatever types it does not speak of are allowed.
    fn part(&mut self, json: &'s Json, at: &Pointer) -> Result<Option<Schema>, Error> {
        match json {
            Json::Bool(true) => Ok(Some(Schema::of(Shape::Any))),
            Json::Bool(false) => Ok(None),
            Json::Object(members) => self.node(Node { members, at }),
            Json::Null | Json::Number(_) | Json::String(_) | Json::Array(_) => {
                let message = "a schema is an object such as {\"type\": …}, or a boolean";
                Err(Error::new(ErrorKind::InvalidKeyword, message).at(at.as_str()))
            }
        }
    }

    fn node(&mut self, node: Node<'s, '_>) -> Result<Option<Schema>, Error> {
        node.check_keywords()?;
        let mut schema = if node.has("$ref") && self.draft.refs_stand_alone() {
            for (keyword, _) in
                node.members.iter().filter(|(keyword, _)| keyword != "$ref" && keywords::is_rule(keyword))
            {
                self.note(node.at, keyword, (Tier::Validator, "beside $ref this draft ignores it"));
            }
            self.reference(node)?
        } else {
            let Some(own) = self.own(node)? else { return Ok(None) };
            let Some(combined) = self.combined(node, own)? else { return Ok(None) };
            combined
        };
        schema.title = node.annotation("title")?.or(schema.title);
        schema.description = node.annotation("description")?.or(schema.description);
        Ok(Some(schema))
    }

    fn note(&mut self, at: &Pointer, keyword: &str, verdict: Verdict) {
        self.notes.insert((at.as_str().to_owned(), keyword.to_owned()), verdict);
    }

    /// Every keyword in source order; what was not reached on the way (below `not`, or in a definition that nothing refers
    /// to) the tree says nothing about.
    fn report(&self) -> EnforcementReport {
        let mut report = EnforcementReport::default();
        keywords::walk(self.source, &Pointer::root(), &mut |at, json| {
            let Json::Object(members) = json else { return };
            let said = |keyword: &str| self.notes.get(&(at.as_str().to_owned(), keyword.to_owned()));
            for (keyword, _) in members.iter().filter(|(keyword, _)| keywords::is_rule(keyword)) {
                let (tier, why) =
                    said(keyword).copied().unwrap_or((Tier::Validator, "it stands where a grammar cannot look"));
                report.push(at.as_str(), keyword, tier, why);
            }
            // Said of a node that does not say it itself: a type that is assumed, names that are not declared.
            for keyword in ["type", "additionalProperties"] {
                if let (None, Some((tier, why))) = (json.get(keyword), said(keyword)) {
                    report.push(at.as_str(), keyword, *tier, why);
                }
            }
        });
        report
    }
}
