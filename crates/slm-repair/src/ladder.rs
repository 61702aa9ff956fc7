//! The ladder: rung after rung, a parse after each that changed something.

use std::mem;
use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;
use slm_schema::Schema;

use crate::coerce::{self, Coercion};
use crate::edit::Edits;
use crate::error::{Error, ErrorKind, Fault};
use crate::rung::Rung;
use crate::truncation;

/// What a repair may rely on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'a> {
    /// The schema the value should satisfy: it chooses between several documents, and values are coerced by it.
    pub schema: Option<&'a Schema>,
    /// The reply is known to have been cut (`finish_reason` was `length`): no closer is appended, so a document whose
    /// root did not close by itself is [`ErrorKind::Truncated`].
    pub cut: bool,
}

/// A value, and how it was got out of the text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Repaired {
    /// The value.
    pub value: Value,
    /// The JSON text of the value: digits, key order and white space are those of the input.
    pub text: String,
    /// The rung that fixed it: the last that changed something.
    pub rung: Rung,
    /// All rungs that took part, in the order of the ladder; empty for [`Rung::None`].
    pub rungs: Vec<Rung>,
    /// What was changed to fit the schema.
    pub coercions: Vec<Coercion>,
}

/// Turns a text into the JSON value it holds.
///
/// Text that is JSON costs one parse and comes back as it is, by [`Rung::None`].
///
/// # Errors
///
/// [`Error`] where there is no value that the text means beyond doubt; [`Error::kind`] says why.
pub fn repair(text: &str) -> Result<Repaired, Error> {
    repair_with(text, &Options::default())
}

/// Turns a text into a value of `schema`: as [`repair`], and where the text holds several documents takes the only one
/// that conforms, and coerces values by the schema where nothing is lost.
///
/// The value may still violate the schema: to judge that is the validator's part.
///
/// # Errors
///
/// [`Error`] where there is no value that the text means beyond doubt; [`Error::kind`] says why.
pub fn repair_as(text: &str, schema: &Schema) -> Result<Repaired, Error> {
    repair_with(text, &Options { schema: Some(schema), ..Options::default() })
}

/// Turns a text into the JSON value it holds, with what else is known about it.
///
/// # Errors
///
/// [`Error`] where there is no value that the text means beyond doubt; [`Error::kind`] says why.
pub fn repair_with(text: &str, options: &Options<'_>) -> Result<Repaired, Error> {
    let result = match serde_json::from_str(text) {
        Ok(value) => Ok(finish(value, text.to_owned(), Vec::new(), options.schema)),
        Err(error) => Attempt::new(text).climb(0, error, options),
    };
    result.map_err(|fault| Error::new(text, fault))
}

/// A text on its way up the ladder.
#[derive(Debug)]
struct Attempt {
    text: String,
    rungs: Vec<Rung>,
    /// Offsets of the text where this attempt began are found back through these, last to first.
    edits: Vec<Rc<Edits>>,
}

impl Attempt {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), rungs: Vec::new(), edits: Vec::new() }
    }

    fn origin(&self, offset: usize) -> usize {
        self.edits.iter().rev().fold(offset, |offset, edits| edits.origin(offset))
    }

    /// Makes the edits of a rung to `text`; the parsed value where that was enough.
    fn take(&mut self, rung: Rung, edits: Edits, text: &str) -> serde_json::Result<Value> {
        self.text = edits.apply(text);
        self.edits.push(Rc::new(edits));
        self.rungs.push(rung);
        serde_json::from_str(&self.text)
    }

    /// Goes up from the pass of index `from`; `error` is why the text is no JSON yet.
    fn climb(mut self, from: usize, error: serde_json::Error, options: &Options<'_>) -> Result<Repaired, Fault> {
        let mut last = error;
        for (index, (rung, pass)) in Rung::PASSES.into_iter().enumerate().skip(from) {
            if rung == Rung::TrailingComma {
                // From here on the text is the document alone: what it lacks at its end is known before it is changed.
                truncation::check(&self.text).map_err(|fault| self.moved(fault))?;
            }
            let edits = match pass(&self.text) {
                Ok(edits) => edits,
                Err(fault) => return self.choose(rung, index, &fault, options),
            };
            if edits.is_empty() {
                continue;
            }
            if rung == Rung::CloseBraces && options.cut {
                return Err(self.moved(truncation::unclosed(&self.text)));
            }
            let text = mem::take(&mut self.text);
            match self.take(rung, edits, &text) {
                Ok(value) => return Ok(finish(value, self.text, self.rungs, options.schema)),
                Err(error) => last = error,
            }
        }
        Err(self.refusal(&last))
    }

    /// Several documents: the only one that conforms to the schema is meant.
    fn choose(&self, rung: Rung, index: usize, fault: &Fault, options: &Options<'_>) -> Result<Repaired, Fault> {
        let refused = self.moved(fault.clone());
        let Some(schema) = options.schema else { return Err(refused) };
        let mut conforming = fault.documents.iter().filter_map(|range| {
            let mut edits = Edits::default();
            edits.remove(0..range.start);
            edits.remove(range.end..self.text.len());
            let mut attempt = Self { text: String::new(), rungs: self.rungs.clone(), edits: self.edits.clone() };
            let repaired = match attempt.take(rung, edits, &self.text) {
                Ok(value) => Ok(finish(value, attempt.text, attempt.rungs, options.schema)),
                Err(error) => attempt.climb(index, error, options),
            };
            repaired.ok().filter(|repaired| schema.conforms(&repaired.value))
        });
        match (conforming.next(), conforming.next()) {
            (Some(repaired), None) => Ok(repaired),
            _ => Err(refused),
        }
    }

    fn moved(&self, fault: Fault) -> Fault {
        fault.moved(|offset| self.origin(offset))
    }

    /// No rung helped: is there a document at all?
    fn refusal(&self, error: &serde_json::Error) -> Fault {
        let blank = self.text.len() - self.text.trim_start().len();
        if !self.text.trim_start().starts_with(['{', '[', '"', '\'', '“', '‘']) {
            let message = "there is no JSON document in the text; ask for one, and for nothing else";
            return Fault::new(ErrorKind::NoJson, self.origin(blank), message);
        }
        let line_start: usize =
            self.text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let offset = (line_start + error.column().saturating_sub(1)).min(self.text.len());
        // serde_json's message ends in its own line and column, which are not those of the input.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Fault::new(ErrorKind::Invalid, self.origin(offset), format!("no rung could repair the document: {message}"))
    }
}

fn finish(value: Value, text: String, rungs: Vec<Rung>, schema: Option<&Schema>) -> Repaired {
    let mut repaired =
        Repaired { value, text, rung: rungs.last().copied().unwrap_or(Rung::None), rungs, coercions: Vec::new() };
    if let Some(schema) = schema
        && !schema.conforms(&repaired.value)
        && let Some(coerced) = coerce::coerce(&repaired.text, schema)
    {
        repaired.value = coerced.value;
        repaired.text = coerced.text;
        repaired.coercions = coerced.coercions;
        repaired.rung = Rung::Coerce;
        repaired.rungs.push(Rung::Coerce);
    }
    repaired
}
