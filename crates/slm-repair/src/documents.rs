//! Finds the documents in a text: one pass forward over prose, fences and JSON, which never goes back.

use std::ops::Range;

use serde_json::Value;

use crate::error::{ErrorKind, Fault};
use crate::reader::{Document, Likeness, Manner, Reader, Reading};
use crate::reasoning;
use crate::rung::Rung;
use crate::scan::{blank_end, byte_at, rest, trivia_end};
use crate::wrapper::{Call, call_at, closes_call, is_end, is_wordless, marker_length, tag_length};

/// A document that was found: where, and how much it looks like the answer.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) range: Range<usize>,
    pub(crate) likeness: Likeness,
    /// It is the first thing in a Markdown fence.
    pub(crate) fenced: bool,
    /// Its root is closed.
    pub(crate) complete: bool,
}

impl Place {
    pub(crate) fn rank(&self) -> (bool, Likeness) {
        (self.fenced, self.likeness)
    }
}

/// What a text holds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// All documents at the top level, in order.
    pub(crate) places: Vec<Place>,
    /// The first of those that look most like the answer, as it was read, and its index.
    pub(crate) best: Option<(usize, Document)>,
    /// Where a document begins that is written as if it stood in a string.
    pub(crate) escaped: Option<usize>,
    /// The document is the argument of a call that is all of the text.
    pub(crate) called: bool,
    /// Where the answer begins, behind reasoning.
    pub(crate) answer: usize,
}

impl Found {
    fn push(&mut self, document: Document, fenced: bool) {
        let place =
            Place { range: document.range.clone(), likeness: document.likeness, fenced, complete: document.complete };
        let best = self.best.as_ref().and_then(|(index, _)| self.places.get(*index));
        if best.is_none_or(|best| place.rank() > best.rank()) {
            self.best = Some((self.places.len(), document));
        }
        self.places.push(place);
    }

    fn forget(&mut self, answer: usize) {
        *self = Self { answer, ..Self::default() };
    }
}

/// All documents at the top level of the text's answer.
///
/// # Errors
///
/// `Truncated` if reasoning never ends, `TooDeep` if containers are nested deeper than the limit.
pub(crate) fn find(text: &str, manner: Manner) -> Result<Found, Fault> {
    let mut found = Found { answer: reasoning::answer_start(text)?, ..Found::default() };
    let mut unfinished = None;
    match root(text, found.answer, manner)? {
        Root::Whole(document, called) => {
            found.called = called;
            found.push(*document, false);
            return Ok(found);
        }
        Root::Escaped(at) => {
            found.escaped = Some(at);
            return Ok(found);
        }
        Root::Unfinished(document) => unfinished = Some(document),
        Root::None => {}
    }
    let answer = found.answer;
    search(text, manner, &mut found)?;
    if let Some(document) = unfinished {
        if found.answer == answer && is_open_string(text, &document) {
            found.forget(answer);
        }
        if found.places.is_empty() && found.escaped.is_none() {
            found.push(*document, false);
        }
    }
    Ok(found)
}

/// A string of JSON that was cut: on one line, as JSON has it. What stands in it is part of it, and no document.
fn is_open_string(text: &str, document: &Document) -> bool {
    let body = rest(text, document.range.start);
    body.starts_with('"') && !body.trim_end().contains('\n')
}

/// What stands at the beginning of an answer, or of a fence's content.
enum Root {
    None,
    /// One value that is all there is: a scalar, a tuple, the argument of a call (then `true`).
    Whole(Box<Document>, bool),
    /// A scalar that was cut off.
    Unfinished(Box<Document>),
    Escaped(usize),
}

/// Looks for a value that is no object or array: it counts only if nothing else stands there.
fn root(text: &str, from: usize, manner: Manner) -> Result<Root, Fault> {
    let start = tuple_start(text, from).unwrap_or_else(|| trivia_end(text, from));
    match byte_at(text, start) {
        None | Some(b'{' | b'[' | b'<' | b'~' | b'>' | b'*') => return Ok(Root::None),
        // A fence, or code within a line; of two marks more may be on their way.
        Some(b'`') if rest(text, start).starts_with("``") => return Ok(Root::None),
        Some(b'\'') if rest(text, start).starts_with("'''") => return Ok(Root::None),
        Some(b'\\') if byte_at(text, start + 1) == Some(b'"') => return Ok(Root::Escaped(start)),
        _ => {}
    }
    let call = call_at(text, start);
    let manner = Manner { called: call.is_some(), leads: true, ..manner };
    let argument_start = call.map_or(start, |call| call.argument);
    let Reading::Document(mut document) = Reader::new(text, argument_start, manner).read()? else {
        return Ok(Root::None);
    };
    if let Some(call) = call {
        return Ok(argument(text, document, call));
    }
    // A document in backticks, or in quotes that nobody escaped.
    let is_quoted = document.rungs.contains(Rung::InnerQuotes) || document.rungs.contains(Rung::Quotes);
    if is_quoted && document.text.strip_prefix('"').is_some_and(|inner| inner.trim_start().starts_with(['{', '['])) {
        return Ok(Root::None);
    }
    if document.complete && is_end(text, document.range.end) {
        return Ok(Root::Whole(document, false));
    }
    // `({"a": 1}`: a tuple that was cut, or an object in parentheses.
    let is_answer =
        if document.complete { is_wordless(rest(text, document.range.end), false) } else { document.fault.is_some() };
    if is_answer && tuple_start(text, from).is_some() {
        return Ok(Root::Whole(document, false));
    }
    if document.fault.as_ref().is_some_and(|fault| fault.kind == ErrorKind::Truncated) {
        document.likeness = Likeness::Strong;
        return Ok(Root::Unfinished(document));
    }
    Ok(Root::None)
}

fn argument(text: &str, mut document: Box<Document>, call: Call) -> Root {
    if !document.complete || !closes_call(text, document.range.end, call) {
        return Root::None;
    }
    if document.rungs.contains(Rung::Tuples) && document.fault.is_none() {
        let message = "this is a call of Python, not JSON; what it returns cannot be told";
        document.fault = Some(Fault::new(ErrorKind::Invalid, document.range.start, message));
    }
    document.likeness = Likeness::Strong;
    Root::Whole(document, true)
}

/// Where a tuple of containers begins, if one stands here, behind tags or not.
fn tuple_start(text: &str, from: usize) -> Option<usize> {
    let mut start = trivia_end(text, from);
    while let Some(length) = tag_length(rest(text, start)) {
        start = trivia_end(text, start + length);
    }
    let first = byte_at(text, trivia_end(text, start + 1));
    (byte_at(text, start) == Some(b'(') && matches!(first, Some(b'{' | b'[' | b'('))).then_some(start)
}

/// The document at `start`, if it is JSON and all that the fence holds: it costs one parse, as it would without the fence.
fn fenced_json(text: &str, start: usize) -> Option<Document> {
    let mut values = serde_json::Deserializer::from_str(rest(text, start)).into_iter();
    let value: Value = values.next()?.ok()?;
    let end = start + values.byte_offset();
    fence_length(rest(text, blank_end(text, end)))?;
    Some(Document::json(start..end, text.get(start..end)?, value))
}

/// A scalar or a tuple that is all that a fence holds. Nothing behind the fence's end is looked at.
fn fenced_scalar(text: &str, from: usize, manner: Manner) -> Result<Option<Box<Document>>, Fault> {
    let start = trivia_end(text, from);
    let may_begin = byte_at(text, start)
        .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'(' | b'"' | b'\'' | b'-' | b'.' | b'+'));
    let left_open = || (byte_at(text, start) == Some(b'(')).then_some(text.len() - start);
    let length = if may_begin { rest(text, start).find("```").or_else(left_open) } else { None };
    let Some(fenced) = length.and_then(|length| text.get(..start + length)) else { return Ok(None) };
    match root(fenced, start, manner)? {
        Root::Whole(document, _) => Ok(Some(document)),
        Root::None | Root::Unfinished(_) | Root::Escaped(_) => Ok(None),
    }
}

fn search(text: &str, manner: Manner, found: &mut Found) -> Result<(), Fault> {
    let mut fence = None;
    let mut in_fence = false;
    // A bracket that stands where a document should, and begins none.
    let mut enclosing = None;
    let mut may_be_json = true;
    let mut position = found.answer;
    let first = trivia_end(text, position);
    while let Some(body) = text.get(position..).filter(|body| !body.is_empty()) {
        if let Some(length) = fence_length(body) {
            position += length;
            in_fence = !in_fence;
            fence = in_fence.then_some(position);
            if in_fence && let Some(document) = fenced_scalar(text, position, manner)? {
                position = document.range.end;
                found.push(*document, true);
            }
        } else if let Some(length) = marker_length(body) {
            position += length;
        } else if body.starts_with("<![CDATA[") {
            position += "<![CDATA[".len();
        } else if let Some(end) = reasoning::closer_end(text, position) {
            // What was found so far was part of reasoning.
            found.forget(end);
            fence = None;
            in_fence = false;
            position = end;
        } else if body.starts_with(['{', '[', '｛', '［']) {
            let before = fence.take().and_then(|from: usize| text.get(from..position));
            let content = before.filter(|gap| is_quoted_blank(gap));
            let quoted = content.is_some_and(|gap| gap.contains('>'));
            let leads = position == first || content.is_some();
            // What is tried in vain is tried once: it may cost a whole parse.
            let json = if may_be_json && content.is_some() { fenced_json(text, position) } else { None };
            may_be_json &= content.is_none() || json.is_some();
            let reading = match json {
                Some(document) => Reading::Document(Box::new(document)),
                None => Reader::new(text, position, Manner { quoted, leads, ..manner }).read()?,
            };
            match reading {
                Reading::Document(document) => {
                    if let Some(open) = enclosing.take().filter(|open| !closes_before(text, *open, position)) {
                        let message = "what begins here is no JSON, and what follows in it is no answer by itself";
                        return Err(Fault::new(ErrorKind::Invalid, open, message));
                    }
                    position = document.range.end.max(position + 1);
                    found.push(*document, content.is_some());
                }
                Reading::Prose { until } => {
                    enclosing = enclosing.or(leads.then_some(position));
                    position = until.max(position + 1);
                }
                Reading::Escaped if found.places.is_empty() => {
                    found.escaped = Some(position);
                    return Ok(());
                }
                Reading::Escaped => position += 1,
            }
        } else {
            position += next_mark(body);
        }
    }
    Ok(())
}

/// Is the bracket at `open` closed before `end`?
fn closes_before(text: &str, open: usize, end: usize) -> bool {
    let closer = if matches!(byte_at(text, open), Some(b'[')) { b']' } else { b'}' };
    text.as_bytes().get(open..end).is_some_and(|between| between.contains(&closer))
}

/// Bytes to the next character at which anything may begin; at least one character.
fn next_mark(body: &str) -> usize {
    let skip = body.chars().next().map_or(1, char::len_utf8);
    let tail = body.as_bytes().get(skip..).unwrap_or_default();
    // 0xef begins the fullwidth brackets, 0xe2 a mark of reasoning.
    let begins = |b: &u8| matches!(b, b'{' | b'[' | b'`' | b'~' | b'<' | b'\'' | 0xe2 | 0xef);
    skip + tail.iter().position(begins).unwrap_or(tail.len())
}

/// The length of a fence mark with its info string, if one stands here.
fn fence_length(body: &str) -> Option<usize> {
    let mark = body.chars().next().filter(|c| matches!(c, '`' | '~' | '\''))?;
    let run = body.len() - body.trim_start_matches(mark).len();
    if run < 3 {
        return None;
    }
    let info = body.get(run..)?.trim_start_matches(' ');
    let after = info.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-' | '.'));
    Some(body.len() - after.len())
}

/// Nothing but white space, the marks of a quoted block, and the name of a language on a line of its own.
fn is_quoted_blank(text: &str) -> bool {
    let text = text.trim();
    text.chars().all(|c| c.is_whitespace() || c == '>') || matches!(text, "json" | "JSON" | "json5" | "jsonc")
}
