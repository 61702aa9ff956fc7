//! Values in backticks that a prompt gives to a field: "set `status` to `done`", "`verdict` is `approve` or `reject`".
//!
//! Prompts speak of values of many other things, so a value is judged only where the text ties it to a field with listed
//! values, and states it: a condition ("if `status` is `open`") may as well be about the code at hand.

use super::backticks::{CLAUSES, JOINS, Span, paragraphs, spans};
use super::fields::{Fields, Place, is_schema_word};
use super::text::{Block, has_word, is_name, is_one_of, tail, words};
use super::{Fault, Promise};
use crate::nearest::nearest;
use slm_schema::{Schema, Shape};

/// The text between a field and the values that it is said to have.
const IS: &[&str] = &[
    ":",
    "=",
    "can be",
    "is",
    "is always",
    "is either",
    "is one of",
    "may be",
    "must be",
    "must be either",
    "must be one of",
    "should be",
    "will be",
];

/// The text between a field and a value that it is set to, and the verbs for it.
const TO: &[&str] = &["as", "to", "to be", "to either"];
const SETS: &str = "change mark set";

/// Sentences that look at something instead of writing it.
const LOOKS: &str = "after assert before check compare ensure expect expects look once unless until verify whose";

/// The values of a block of prose that their fields do not take.
pub(super) fn check(block: &Block<'_>, fields: &Fields<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (offset, text) in paragraphs(block) {
        let spans = spans(text);
        for at in 0..spans.len() {
            let Some((place, known)) = field(text, &spans, at, fields) else { continue };
            for value in listed(text, spans.get(at..).unwrap_or_default()) {
                if is_meant(value.name, fields) && !known.contains(&value.name) {
                    let line = block.line_at(offset + value.start);
                    faults.push(fault(line, value.name, place, &known));
                }
            }
        }
    }
    faults
}

/// The place and the values of the field that gets the value at `at`.
fn field<'f>(
    text: &str,
    spans: &[Span<'_>],
    at: usize,
    fields: &'f Fields<'_>,
) -> Option<(&'f Place<'f>, Vec<&'f str>)> {
    let value = spans.get(at)?;
    let before = at.checked_sub(1).and_then(|before| spans.get(before));
    match before.filter(|field| is_stated(text, field, value)) {
        Some(field) => values(fields, field.name),
        None => set_in_words(text, value, fields),
    }
}

/// Does the sentence say of the field that it has, or gets, the value behind it?
fn is_stated(text: &str, field: &Span<'_>, value: &Span<'_>) -> bool {
    let between = text.get(field.end..value.start).unwrap_or_default().trim().to_lowercase();
    let before = sentence(text, field.start);
    let is_set = || words(before).rev().find(|word| !is_article(word)).is_some_and(|word| is_one_of(&word, SETS));
    let is_link = IS.contains(&between.as_str()) || (TO.contains(&between.as_str()) && is_set());
    is_link && !has_word(before, CLAUSES) && !has_word(before, LOOKS)
}

/// "Set the status to", before a value: the field's place, and its values.
fn set_in_words<'f>(text: &str, value: &Span<'_>, fields: &'f Fields<'_>) -> Option<(&'f Place<'f>, Vec<&'f str>)> {
    let sentence = sentence(text, value.start);
    if sentence.contains('`') || has_word(sentence, CLAUSES) || has_word(sentence, LOOKS) {
        return None;
    }
    let words: Vec<String> = words(sentence).filter(|word| !is_article(word)).collect();
    let [.., verb, field, link] = words.as_slice() else { return None };
    let is_set = is_one_of(verb, SETS) && TO.contains(&link.as_str());
    values(fields, field).filter(|_| is_set)
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "its" | "the" | "their" | "your")
}

/// What stands before `at` in its sentence.
fn sentence(text: &str, at: usize) -> &str {
    let text = tail(text.get(..at).unwrap_or_default());
    let start = [". ", ".\n", "! ", "? ", "; ", ", "].iter().filter_map(|end| Some(text.rfind(end)? + end.len())).max();
    text.get(start.unwrap_or(0)..).unwrap_or_default()
}

/// The values of a field that has nothing else wherever it stands, and the outermost place of it.
fn values<'f>(fields: &'f Fields<'_>, name: &str) -> Option<(&'f Place<'f>, Vec<&'f str>)> {
    let mut places = fields.places().iter().filter(|place| place.has(name));
    let first = places.next()?;
    let mut known = members(first.field(name)?)?;
    for place in places {
        known.extend(members(place.field(name)?)?);
    }
    Some((first, known))
}

/// The texts that a schema lists, or the schema of its items.
fn members(schema: &Schema) -> Option<Vec<&str>> {
    if let Shape::Array(array) = &schema.shape {
        return members(&array.items);
    }
    let Shape::Enum(members) = &schema.shape else { return None };
    members.iter().map(|member| member.value.as_str()).collect()
}

/// The first span, and those in one list with it.
fn listed<'s, 'a>(text: &str, spans: &'s [Span<'a>]) -> &'s [Span<'a>] {
    let joined = |pair: &[Span<'_>]| {
        let [a, b] = pair else { return false };
        let between = text.get(a.end..b.start).unwrap_or_default();
        JOINS.contains(&between.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '|')))
    };
    let count = 1 + spans.windows(2).take_while(|pair| joined(pair)).count();
    spans.get(..count).unwrap_or_default()
}

/// Can it be meant as a value? Not a place for one, a tool, a field whose value is taken, or a word of JSON.
fn is_meant(value: &str, fields: &Fields<'_>) -> bool {
    let is_loud = !value.contains(|c: char| c.is_ascii_lowercase());
    is_name(value) && !is_loud && !fields.has(value) && !fields.is_tool(value) && !is_schema_word(value)
}

fn fault(line: usize, value: &str, place: &Place<'_>, known: &[&str]) -> Fault {
    let detail = format!("the prompt names the value `{value}`, which must be one of: {}", known.join(", "));
    let nearest = nearest(value, known.iter().copied()).map(str::to_owned);
    let known = known.iter().map(|&name| name.to_owned()).collect();
    let fault = Fault::field(line, value, Promise::Backticks, Some(place.path.clone()), known);
    Fault { detail, nearest, ..fault }
}
