//! Keys of JSON examples: in fenced blocks, in backticks, and bare in the text.
//!
//! An example is judged as a document of the contract, or as a part of one where all of its keys fit the same object.
//! What is plainly the input of a tool is left alone, and so is an inline object that neither resembles the contract nor
//! is said to be the answer.

use super::fields::{Child, Fields, Place};
use super::scan::{Example, Key, examples};
use super::text::{Block, has_word, is_one_of, tail, words};
use super::value::{self, Whole};
use super::{Fault, Promise};

/// Words of a line that leads to an answer.
const ANSWER: &str = "\
    answer answers emit emits example examples format output outputs produce produces replies reply respond \
    response result return returns schema shape write writes";

/// Those of them that do not say whose.
const VAGUE: &str = "\
    example examples format result schema shape";

/// Those of them that say what somebody else does.
const OTHERS_ANSWER: &str = "\
    answers emits outputs produces replies returns writes";

/// Words of a line that leads to something the model is given, or hands to a tool.
const NO_ANSWER: &str = "\
    argument arguments arrives call calls comes config configuration given input inputs parameters payload \
    provided receive received receives sends sent settings tool tools";

/// Words of a short label over an example of what is not to be written.
const MISTAKE: &str = "\
    bad counterexample incorrect mistake unacceptable wrong";

/// More words are a sentence about something.
const LONGEST_LABEL: usize = 6;

/// Does a line lead to an answer?
pub(super) fn leads_to_answer(intro: &str) -> bool {
    has_word(intro, ANSWER)
}

/// Is an answer asked for? "The server answers …" is about somebody else.
fn orders_answer(intro: &str) -> bool {
    let about_others = |word: &String| is_one_of(word, OTHERS_ANSWER);
    words(intro).filter(|word| !about_others(word)).any(|word| is_one_of(&word, ANSWER))
}

/// To something that is given, to a file, or shown as a mistake?
fn leads_elsewhere(intro: &str) -> bool {
    let to_file = intro.trim_end().trim_end_matches([':', '`', '*']).to_ascii_lowercase().ends_with(".json");
    let label = last_sentence(intro);
    // "Example input:" is an example of something else.
    let to_input =
        has_word(label, NO_ANSWER) && !words(label).any(|word| is_one_of(&word, ANSWER) && !is_one_of(&word, VAGUE));
    to_file || to_input || (has_word(intro, NO_ANSWER) && !leads_to_answer(intro)) || leads_to_mistake(intro)
}

fn last_sentence(intro: &str) -> &str {
    let start = [". ", "! ", "? ", "; ", "\n"].iter().filter_map(|end| Some(intro.rfind(end)? + end.len())).max();
    intro.get(start.unwrap_or(0)..).filter(|sentence| !sentence.trim().is_empty()).unwrap_or(intro)
}

/// "Never answer like this:", "Wrong:"; but "Answer with JSON, not Markdown:" leads to an answer.
fn leads_to_mistake(intro: &str) -> bool {
    let words: Vec<String> = words(last_sentence(intro)).take(LONGEST_LABEL + 1).collect();
    let forbids = match words.as_slice() {
        [first, second, ..] if first == "do" => second == "not",
        [first, ..] => matches!(first.as_str(), "don't" | "never" | "avoid"),
        [] => false,
    };
    // "Do not wrap it in Markdown:" leads to what is to be written.
    let shows = || words.iter().any(|word| is_one_of(word, ANSWER) || matches!(word.as_str(), "like" | "this"));
    (forbids && shows()) || (words.len() <= LONGEST_LABEL && words.iter().any(|word| is_one_of(word, MISTAKE)))
}

/// The examples of a fenced block; `intro` is the line before it.
pub(super) fn in_fence(block: &Block<'_>, intro: &str, fields: &Fields<'_>) -> Vec<Fault> {
    if leads_elsewhere(intro) {
        return Vec::new();
    }
    let whole = if leads_to_answer(intro) { Whole::Surely } else { Whole::Mostly };
    let is_answer = intro.is_empty() || orders_answer(intro);
    let examples = examples(block.text);
    examples.iter().flat_map(|example| judge(example, block, fields, is_answer, whole)).collect()
}

/// The examples that stand in prose.
pub(super) fn in_prose(block: &Block<'_>, fields: &Fields<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for example in examples(block.text) {
        let lead = lead(block.text, example.offset);
        if !leads_elsewhere(lead) {
            let whole = if leads_to_answer(lead) { Whole::Mostly } else { Whole::Hardly };
            faults.extend(judge(&example, block, fields, orders_answer(lead), whole));
        }
    }
    faults
}

/// The paragraph's text before `offset`, at most the last two lines of it.
fn lead(text: &str, offset: usize) -> &str {
    let before = tail(text.get(..offset).unwrap_or_default());
    let start = before.rmatch_indices('\n').map(|(at, _)| at + 1).nth(1).unwrap_or(0);
    before.get(start..).unwrap_or_default()
}

fn judge(example: &Example<'_>, block: &Block<'_>, fields: &Fields<'_>, is_answer: bool, whole: Whole) -> Vec<Fault> {
    let keys = &example.keys;
    let outer: Vec<&str> = keys.iter().filter(|key| key.path.is_empty()).map(|key| key.name).collect();
    let Some(root) = fields.root() else { return Vec::new() };
    let anchor = match anchor(&outer, fields) {
        Some(anchor) => anchor,
        // Nothing in it resembles the contract.
        None if is_answer && keys.iter().all(|key| key.quoted) => root,
        None => return Vec::new(),
    };
    let faults: Vec<Fault> = keys.iter().filter_map(|key| missing(key, anchor, block)).collect();
    // Of an example that promises too much, no more is asked.
    if faults.is_empty() { value::faults(example, anchor, block, whole) } else { faults }
}

/// The object that an example's outer keys (or a list's names) speak of.
pub(super) fn anchor<'f, 'a>(names: &[&str], fields: &'f Fields<'a>) -> Option<&'f Place<'a>> {
    let hits = |place: &Place<'_>| names.iter().filter(|name| place.has(name)).count();
    let root = fields.root().filter(|root| hits(root) > 0);
    let whole = || fields.places().iter().find(|place| hits(place) == names.len());
    let most = || fields.places().iter().find(|place| hits(place) * 2 > names.len());
    // A part of a document is told by all of its names; a document by any of them.
    let part = whole().filter(|_| names.len() > 1);
    part.or(root).or_else(whole).or_else(most)
}

fn missing(key: &Key<'_>, anchor: &Place<'_>, block: &Block<'_>) -> Option<Fault> {
    let mut place = anchor.clone();
    let mut path = anchor.path.clone();
    let mut known = None;
    for step in &key.path {
        match place.child(step) {
            Child::Object(inner) => place = inner,
            // A leaf that is shown as an object: its keys exist nowhere.
            Child::Leaf => {
                path = place.join(step);
                known = Some(Vec::new());
                break;
            }
            // The unknown parent is a fault of its own; one is enough.
            Child::Open | Child::Missing => return None,
        }
        path.clone_from(&place.path);
    }
    if known.is_none() && (place.has(key.name) || place.is_open()) {
        return None;
    }
    let known = known.unwrap_or_else(|| place.names());
    Some(Fault::field(block.line_at(key.offset), key.name, Promise::Example, Some(path), known))
}
