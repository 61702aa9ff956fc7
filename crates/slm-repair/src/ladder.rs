//! The ladder, end to end: is it JSON, where is the document, what does it mean, does it fit the schema?

use slm_schema::Schema;

use crate::choose;
use crate::coerce;
use crate::documents;
use crate::error::{Error, ErrorKind, Fault, Open};
use crate::escaped::Unescaped;
use crate::parse;
use crate::reader::Manner;
use crate::repaired::Repaired;
use crate::rung::Rung;
use crate::scan::is_space;

/// What a repair may rely on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'a> {
    /// The schema the value should satisfy: it chooses between several documents and between two readings, and values are
    /// coerced by it.
    pub schema: Option<&'a Schema>,
    /// The reply is known to have been cut (`finish_reason` was `length`): it is [`ErrorKind::Truncated`] whatever it holds,
    /// and no closer is appended. A value that is whole is attached to the error ([`Error::partial`]), and its phase is
    /// [`AfterValue`](crate::Phase::AfterValue): whether to take it is the caller's decision.
    pub cut: bool,
}

/// The deepest nesting that a caller can ask for: values are compared, printed, judged and freed by recursion, which is not ours
/// to change, and all of that has to fit the stack of an ordinary thread in an unoptimised build.
const DEEPEST: usize = 1024;

/// Levels of escapes that are taken away.
const LEVELS: usize = 2;

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
    repair_to_depth(text, options, parse::MAX_DEPTH)
}

/// As [`repair_with`], with containers nested up to `max_depth` deep, instead of the 127 that serde_json reads.
///
/// Reading takes no call stack, but judging, printing and freeing a nested value does: more than 1024 is taken for 1024.
///
/// # Errors
///
/// [`Error`] where there is no value that the text means beyond doubt; [`Error::kind`] says why.
pub fn repair_to_depth(text: &str, options: &Options<'_>, max_depth: usize) -> Result<Repaired, Error> {
    let parsed = if may_be_json(text) { serde_json::from_str(text).ok() } else { None };
    let result = if let Some(value) = parsed {
        let repaired = fit(Repaired::unchanged(value, text.to_owned()), options.schema);
        if options.cut { Err(cut_behind(&repaired, text.trim_end().len())) } else { Ok(repaired) }
    } else {
        let max_depth = max_depth.clamp(parse::MAX_DEPTH, DEEPEST);
        climb(text, options, Manner::new(max_depth, options.cut), LEVELS)
    };
    result.map_err(|fault| Error::new(text, if options.cut { known_as_cut(fault, text) } else { fault }))
}

/// Can this be JSON, by its first and last marks? What is damaged at its very end would cost a whole parse to find out.
fn may_be_json(text: &str) -> bool {
    if text.bytes().find(|byte| !is_space(*byte) && !matches!(byte, b'{' | b'[')) == Some(b'\'') {
        return false;
    }
    let mut ends = text.bytes().rev().filter(|byte| !is_space(*byte));
    match text.bytes().find(|byte| !is_space(*byte)) {
        Some(b'{') => ends.next() == Some(b'}') && ends.next() != Some(b','),
        Some(b'[') => ends.next() == Some(b']') && ends.next() != Some(b','),
        _ => true,
    }
}

/// Finds the document and what it means; `levels` of escapes may be taken away.
fn climb(text: &str, options: &Options<'_>, manner: Manner, levels: usize) -> Result<Repaired, Fault> {
    let found = documents::find(text, manner)?;
    if let Some(start) = found.escaped {
        return unescaped(text, start, options, manner, levels);
    }
    let repaired = choose::choose(text, found, manner, options.schema)?;
    let repaired = fit(repaired, options.schema);
    if manner.cut { Err(cut_behind(&repaired, repaired.start)) } else { Ok(repaired) }
}

/// Takes one level of escapes away, and begins again.
fn unescaped(
    text: &str,
    start: usize,
    options: &Options<'_>,
    manner: Manner,
    levels: usize,
) -> Result<Repaired, Fault> {
    let plain = Unescaped::new(text, start).filter(|_| levels > 0);
    let Some(plain) = plain else {
        if text.ends_with('\\') {
            return Err(Fault::truncated(start, Open::String));
        }
        let message = "the document is escaped as if it stood in a string, but not all of it";
        return Err(Fault::new(ErrorKind::Invalid, start, message));
    };
    let result = match serde_json::from_str(&plain.text) {
        Ok(value) => Ok(fit(Repaired::unchanged(value, plain.text.clone()), options.schema)),
        Err(_) => climb(&plain.text, options, manner, levels - 1),
    };
    let mut repaired = result.map_err(|mut fault| {
        plain.move_back(fault.offsets());
        fault
    })?;
    repaired.list_losses();
    plain.move_back(repaired.edits.iter_mut().flat_map(|edit| [&mut edit.range.start, &mut edit.range.end]));
    choose::add_rung(&mut repaired, Rung::DoubleEncoded, start..text.len());
    Ok(repaired)
}

/// Makes a value fit the schema, where nothing is lost by it.
fn fit(mut repaired: Repaired, schema: Option<&Schema>) -> Repaired {
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

/// The value is whole, but the reply was cut behind it.
fn cut_behind(repaired: &Repaired, offset: usize) -> Fault {
    let mut fault = Fault::truncated(offset, Open::Nothing);
    fault.details.partial = Some(repaired.text.clone());
    fault
}

/// A reply that is known to have been cut fails for that reason, whatever else is the matter with it.
fn known_as_cut(fault: Fault, text: &str) -> Fault {
    match fault.kind {
        ErrorKind::Truncated | ErrorKind::TooDeep => fault,
        ErrorKind::NoJson => Fault::truncated(text.trim_end().len(), Open::Answer),
        ErrorKind::Invalid | ErrorKind::Ambiguous => Fault::truncated(fault.offset, Open::Closer),
    }
}
