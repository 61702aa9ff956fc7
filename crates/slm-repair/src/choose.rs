//! Which document of a text is meant, and in which of its readings.

use std::ops::Range;

use slm_schema::Schema;

use crate::change::Change;
use crate::coerce;
use crate::documents::{Found, Place};
use crate::error::{ErrorKind, Fault};
use crate::mend::{Choice, Doubt};
use crate::parse;
use crate::reader::{Document, Likeness, Manner, Reader, Reading};
use crate::repaired::Repaired;
use crate::rung::{Rung, RungSet};
use crate::scan::{is_odd_space, rest};
use crate::wrapper::{is_wordless, rungs_of};

/// The document that is meant: the only one in a fence, else the only strong one, else the only weak one, else the only bare
/// one; with a schema the only one that conforms.
pub(crate) fn choose(text: &str, mut found: Found, manner: Manner, schema: Option<&Schema>) -> Result<Repaired, Fault> {
    let Some((index, document)) = found.best.take() else { return Err(no_document(text)) };
    let Some(place) = found.places.get(index) else { return Err(no_document(text)) };
    let rank = place.rank();
    // In prose `{}`, `[]` and `[1]` are placeholders and footnotes.
    if rank == (false, Likeness::Bare) && !found.called && !stand_alone(text, &found) {
        return Err(no_document(text));
    }
    let equals: Vec<Range<usize>> =
        found.places.iter().filter(|place| place.rank() == rank).map(|place| place.range.clone()).collect();
    let context = Context { text, found: &found, manner, schema };
    if equals.len() > 1 {
        let several = Fault::several(equals);
        return if schema.is_some() {
            context.conforming(|place| place.rank() == rank).ok_or(several)
        } else {
            Err(several)
        };
    }
    let repaired = check_rest(text, &document).and_then(|()| context.read(document, place));
    let is_right = |repaired: &Repaired| schema.is_none_or(|schema| conforms(repaired, schema));
    if repaired.as_ref().is_ok_and(is_right)
        || found.places.len() == 1
        || schema.is_none()
        || !found.places.iter().all(|place| place.complete)
    {
        return repaired;
    }
    // An example in a fence, and the answer without one.
    context.conforming(|_| true).map_or(repaired, Ok)
}

struct Context<'a> {
    text: &'a str,
    found: &'a Found,
    manner: Manner,
    schema: Option<&'a Schema>,
}

impl Context<'_> {
    /// The only document, of those that are `eligible`, that conforms to the schema.
    fn conforming(&self, eligible: impl Fn(&Place) -> bool) -> Option<Repaired> {
        let schema = self.schema?;
        let mut fitting = self.found.places.iter().filter(|place| eligible(place)).filter_map(|place| {
            let document = self.reread(place, Choice::First)?;
            self.read(document, place).ok().filter(|repaired| conforms(repaired, schema))
        });
        match (fitting.next(), fitting.next()) {
            (Some(repaired), None) => Some(repaired),
            _ => None,
        }
    }

    fn reread(&self, place: &Place, choice: Choice) -> Option<Document> {
        let manner = Manner { choice, leads: true, called: self.found.called, ..self.manner };
        // What stands behind a document is no part of it, but tells where its strings end.
        match Reader::new(self.text, place.range.start, manner).read() {
            Ok(Reading::Document(document)) => Some(*document),
            Ok(Reading::Prose { .. } | Reading::Escaped) | Err(_) => None,
        }
    }

    /// What the document means: where it has two readings, the one that the schema confirms.
    fn read(&self, document: Document, place: &Place) -> Result<Repaired, Fault> {
        match document.doubt {
            Some(doubt) => self.decide(document, doubt, place),
            None => self.finish(document, place),
        }
    }

    fn decide(&self, document: Document, doubt: Doubt, place: &Place) -> Result<Repaired, Fault> {
        if document.fault.as_ref().is_some_and(|fault| fault.kind == ErrorKind::Truncated) {
            return self.finish(document, place);
        }
        let second = self.reread(place, Choice::Second).and_then(|second| self.finish(second, place).ok());
        let mut readings: Vec<Repaired> = self.finish(document, place).into_iter().collect();
        readings.extend(second.filter(|second| readings.iter().all(|first| first.text != second.text)));
        let mut fault = Fault::new(ErrorKind::Ambiguous, doubt.at, doubt.message);
        fault.details.readings = readings.iter().map(|reading| reading.text.clone()).collect();
        let Some(schema) = self.schema.filter(|_| readings.len() == 2 || doubt.confirmable) else { return Err(fault) };
        // One that needs no coercion is nearer to what was meant.
        let exact = readings.iter().filter(|reading| schema.conforms(&reading.value)).count();
        let is_fitting =
            |reading: &Repaired| if exact > 0 { schema.conforms(&reading.value) } else { conforms(reading, schema) };
        let mut fitting = readings.into_iter().filter(is_fitting);
        match (fitting.next(), fitting.next()) {
            (Some(repaired), None) => Ok(repaired),
            _ => Err(fault),
        }
    }

    fn finish(&self, document: Document, place: &Place) -> Result<Repaired, Fault> {
        if let Some(fault) = document.fault {
            return Err(fault);
        }
        let value = document.value.map_or_else(|| parse::value(&document.text), Ok).map_err(|error| {
            let message = format!("no rung could repair the document: {error}");
            Fault::new(ErrorKind::Invalid, document.range.start, message)
        })?;
        let mut rungs = document.rungs;
        let mut edits = document.changes;
        self.take_away_before(place, &mut rungs, &mut edits);
        self.take_away_behind(place, document.range.end, &mut rungs, &mut edits);
        let rungs = rungs.to_vec();
        Ok(Repaired {
            rung: rungs.last().copied().unwrap_or(Rung::None),
            rungs,
            edits,
            unlisted: document.unlisted,
            start: document.range.start,
            ..Repaired::unchanged(value, document.text)
        })
    }

    fn take_away_before(&self, place: &Place, rungs: &mut RungSet, edits: &mut Vec<Change>) {
        let mut outside = RungSet::default();
        if self.found.answer > 0 {
            // What is left of the text is extracted from behind it.
            outside.insert(Rung::Reasoning);
            outside.insert(Rung::Extract);
        }
        let before = self.text.get(self.found.answer..place.range.start).unwrap_or_default();
        outside.merge(self.rungs_outside(place, before, true));
        Self::note(outside, 0..place.range.start, rungs, |change| edits.insert(0, change));
    }

    fn take_away_behind(&self, place: &Place, end: usize, rungs: &mut RungSet, edits: &mut Vec<Change>) {
        let outside = self.rungs_outside(place, rest(self.text, end), false);
        Self::note(outside, end..self.text.len(), rungs, |change| edits.push(change));
    }

    fn rungs_outside(&self, place: &Place, outside: &str, before: bool) -> RungSet {
        let mut rungs = RungSet::default();
        if outside.bytes().all(crate::scan::is_space) {
            return rungs;
        }
        if place.fenced {
            rungs.insert(Rung::Fence);
        } else if self.found.called {
            rungs.insert(Rung::Jsonp);
        } else {
            rungs = rungs_of(outside, before);
        }
        rungs
    }

    fn note(outside: RungSet, range: Range<usize>, rungs: &mut RungSet, mut list: impl FnMut(Change)) {
        if let Some(rung) = outside.to_vec().last().copied() {
            list(Change::edit(rung, range, "".into()));
        }
        rungs.merge(outside);
    }
}

/// Notes a rung that worked on the whole text before any other.
pub(crate) fn add_rung(repaired: &mut Repaired, rung: Rung, range: Range<usize>) {
    repaired.edits.insert(0, Change::edit(rung, range, "".into()));
    repaired.rungs.push(rung);
    repaired.rungs.sort_unstable();
    repaired.rungs.dedup();
    repaired.rung = repaired.rungs.last().copied().unwrap_or(rung);
}

/// Does it fit the schema, after coercions?
fn conforms(repaired: &Repaired, schema: &Schema) -> bool {
    schema.conforms(&repaired.value)
        || coerce::coerce(&repaired.text, schema).is_some_and(|coerced| schema.conforms(&coerced.value))
}

fn no_document(text: &str) -> Fault {
    let blank = text.len() - text.trim_start().len();
    if text.trim_start().starts_with(['{', '[', '"', '\'', '“', '‘', '｛']) {
        let message = "no rung could repair what begins here; it is neither a document nor prose";
        return Fault::new(ErrorKind::Invalid, blank, message);
    }
    Fault::new(ErrorKind::NoJson, blank, "there is no JSON document in the text; ask for one, and for nothing else")
}

/// Are there no words around the documents?
fn stand_alone(text: &str, found: &Found) -> bool {
    let starts = found.places.iter().map(|place| place.range.start).chain([text.len()]);
    let ends = [found.answer].into_iter().chain(found.places.iter().map(|place| place.range.end));
    ends.zip(starts)
        .enumerate()
        .all(|(i, (end, start))| text.get(end..start).is_none_or(|gap| is_wordless(gap, i == 0)))
}

/// Refuses a document whose end is in doubt: it may go on behind what was taken for its last closer.
fn check_rest(text: &str, document: &Document) -> Result<(), Fault> {
    let end = document.range.end;
    let rest = rest(text, end).trim();
    let in_doubt = match rest.strip_prefix(',') {
        Some(behind) => !behind.is_empty(),
        None => document.mismatched && rest.starts_with(['}', ']']),
    };
    if document.complete && in_doubt {
        let message = "the root closes here, but the document seems to go on; which closer is wrong cannot be told";
        return Err(Fault::new(ErrorKind::Ambiguous, end, message));
    }
    let before = text.get(..document.range.start).unwrap_or_default();
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || is_odd_space(c));
    if !rest.contains(')') && before.ends_with('(') {
        // More items may have been meant to follow.
        return Err(Fault::new(ErrorKind::Invalid, before.len() - 1, "a parenthesis was left open"));
    }
    Ok(())
}
