//! Keys of JSON examples: in fenced blocks, in backticks, and bare in the text.
//!
//! An example is judged as a document of the contract, or as a part of one where all of its keys fit the same object.
//! What is plainly the input of a tool is left alone, and so is an inline object that neither resembles the contract nor
//! is said to be the answer.

use super::fields::{Child, Fields, Place};
use super::text::{Block, has_word, is_name, tail};
use super::{Fault, Promise};

/// Words of a line that leads to an answer.
const ANSWER: &str = "\
    answer answers emit emits example examples format output outputs produce produces replies reply respond \
    response result return returns schema shape write writes";

/// Words of a line that leads to something the model is given, or hands to a tool.
const NO_ANSWER: &str = "\
    arguments call calls config configuration given input inputs never not parameters receive receives settings \
    tool tools";

/// Examples that nest deeper are no examples, and each key remembers the keys around it.
const DEEPEST: usize = 64;

/// Does a line lead to an answer?
pub(super) fn leads_to_answer(intro: &str) -> bool {
    has_word(intro, ANSWER)
}

fn leads_elsewhere(intro: &str) -> bool {
    has_word(intro, NO_ANSWER) && !leads_to_answer(intro)
}

/// A key of an example.
struct Key<'a> {
    name: &'a str,
    offset: usize,
    /// The keys of the objects around it, outermost first.
    path: Vec<&'a str>,
    quoted: bool,
}

/// The examples of a fenced block; `intro` is the line before it.
pub(super) fn in_fence(block: &Block<'_>, intro: &str, fields: &Fields<'_>) -> Vec<Fault> {
    if leads_elsewhere(intro) {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for keys in examples(block.text) {
        faults.extend(judge(&keys, block, fields, true));
    }
    faults
}

/// The examples that stand in prose.
pub(super) fn in_prose(block: &Block<'_>, fields: &Fields<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for keys in examples(block.text) {
        let Some(first) = keys.first() else { continue };
        let lead = lead(block.text, first.offset);
        if !leads_elsewhere(lead) {
            faults.extend(judge(&keys, block, fields, leads_to_answer(lead)));
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

fn judge(keys: &[Key<'_>], block: &Block<'_>, fields: &Fields<'_>, is_answer: bool) -> Vec<Fault> {
    let outer: Vec<&str> = keys.iter().filter(|key| key.path.is_empty()).map(|key| key.name).collect();
    let Some(root) = fields.root() else { return Vec::new() };
    let anchor = match anchor(&outer, fields) {
        Some(anchor) => anchor,
        // Nothing in it resembles the contract.
        None if is_answer && keys.iter().all(|key| key.quoted) => root,
        None => return Vec::new(),
    };
    keys.iter().filter_map(|key| missing(key, anchor, block)).collect()
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
    Some(Fault {
        line: block.line_at(key.offset),
        name: key.name.to_owned(),
        promise: Promise::Example,
        place: Some(path),
        known: known.unwrap_or_else(|| place.names()),
    })
}

/// The keys of each outermost object in the text.
fn examples(text: &str) -> Vec<Vec<Key<'_>>> {
    let mut examples = Vec::new();
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('{')) {
        let start = at + found;
        let mut scan = Scan { text, at: start, stack: Vec::new(), keys: Vec::new() };
        scan.run();
        at = scan.at.max(start + 1);
        if !scan.keys.is_empty() {
            examples.push(scan.keys);
        }
    }
    examples
}

/// A reader that takes JSON as prompts write it: with comments, placeholders, types in place of values, and ends missing.
struct Scan<'a> {
    text: &'a str,
    at: usize,
    stack: Vec<Frame<'a>>,
    keys: Vec<Key<'a>>,
}

/// An open bracket. It remembers the key it is the value of; what an array holds has the key of the array.
enum Frame<'a> {
    Object(Option<&'a str>),
    Array(Option<&'a str>),
}

impl<'a> Scan<'a> {
    /// Reads from an opening brace to its closing one, or to where the text cannot be an example any more.
    fn run(&mut self) {
        let mut pending = None;
        while let Some(c) = self.rest().chars().next() {
            let from = self.at;
            self.at += c.len_utf8();
            match c {
                '{' | '[' if self.stack.len() == DEEPEST => return,
                '{' => self.stack.push(Frame::Object(pending.take().or(self.array_key()))),
                '[' => self.stack.push(Frame::Array(pending.take().or(self.array_key()))),
                '}' | ']' => {
                    self.stack.pop();
                    pending = None;
                }
                ',' if matches!(self.stack.last(), Some(Frame::Object(_))) => pending = None,
                '"' => {
                    let name = self.string();
                    pending = self.key(name, from, true).or(pending);
                }
                '/' if self.rest().starts_with('/') && !self.text.get(..from).is_some_and(|b| b.ends_with(':')) => {
                    self.skip_until('\n');
                }
                // The span of backticks that the example stood in is over.
                '`' => return,
                '\n' if self.rest().trim_start_matches([' ', '\t', '\r']).starts_with('\n') => return,
                c if c.is_ascii_alphabetic() || c == '_' => {
                    let name = self.word(from);
                    pending = self.key(name, from, false).or(pending);
                }
                _ => {}
            }
            if self.stack.is_empty() {
                return;
            }
        }
    }

    /// The key of the array that is being read.
    fn array_key(&self) -> Option<&'a str> {
        match self.stack.last() {
            Some(Frame::Array(key)) => *key,
            Some(Frame::Object(_)) | None => None,
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Notes `name` as a key if a colon follows it, directly inside an object.
    fn key(&mut self, name: &'a str, offset: usize, quoted: bool) -> Option<&'a str> {
        let after = self.rest().trim_start_matches([' ', '\t']);
        let after = after.strip_prefix('?').unwrap_or(after);
        let is_key = after.starts_with(':') && !after.starts_with("::") && (quoted || is_name(name));
        if !is_key || !matches!(self.stack.last(), Some(Frame::Object(_))) {
            return None;
        }
        let path = self.stack.iter().filter_map(|frame| match frame {
            Frame::Object(parent) => *parent,
            Frame::Array(_) => None,
        });
        self.keys.push(Key { name, offset, path: path.collect(), quoted });
        Some(name)
    }

    /// What stands before the closing quote, or before the line's end where there is none.
    fn string(&mut self) -> &'a str {
        let from = self.at;
        let mut escaped = false;
        for (i, c) in self.rest().char_indices() {
            match c {
                '"' | '\n' if !escaped || c == '\n' => {
                    self.at = from + i + usize::from(c == '"');
                    return self.text.get(from..from + i).unwrap_or_default();
                }
                c => escaped = c == '\\' && !escaped,
            }
        }
        self.at = self.text.len();
        self.text.get(from..).unwrap_or_default()
    }

    fn word(&mut self, from: usize) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        self.text.get(from..self.at).unwrap_or_default()
    }

    fn skip_until(&mut self, end: char) {
        self.at += self.rest().find(end).unwrap_or(self.rest().len());
    }
}
