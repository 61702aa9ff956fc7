//! Names in backticks, and paths such as `findings[].line`.
//!
//! Prompts put files, commands, values and code in backticks too. A name is a promise if the text uses it as a field:
//! it is called one ("the `x` field"), stands in one list with fields ("`summary` and `x`"), is filled ("put the reason in
//! `x`", "leave `x` empty"), or speaks for itself ("`x` says why"). Weak signs count only beside a real field, or for
//! names of several words.

use super::bullets::item_text;
use super::fields::{Child, Fields, Place, is_no_field};
use super::text::{Block, has_word, head, is_name, is_one_of, tail, words};
use super::{Fault, Promise};

/// What a field is called.
const NOUNS: &str = "\
    field fields key keys member properties property";

/// What else a name in backticks may be said to be.
const OTHER_NOUNS: &str = "\
    agent agents argument attribute binary branch call calling class command commands contract crate directory \
    endpoint environment execute extension file files flag folder function functions header identifier keyword \
    library literal macro method methods module option package parameter program role roles run running script \
    setting struct symbol table test tool tools trait type types value values variable word";

/// Verbs that fill what follows them.
const FILLS: &str = "\
    fill leave omit populate set";

/// Words that may fill what follows them, or be about code.
const MAY_FILL: &str = "\
    add after before choose emit explain give include list name pick provide put record report return say state then with \
    write";

/// Verbs of putting something said into a place.
const PUTS: &str = "\
    answer argue describe explain fill give list note put record report say state summarise summarize think write";

/// Things that are put into folders, not into fields.
const FILES: &str = "\
    class code file files function helper module test tests type";

/// Words that begin a clause about something.
pub(super) const CLAUSES: &str = "\
    how if that what when where whether which who why";

/// Verbs of a name that speaks for itself.
const SAYS: &str = "\
    contains describes explains gives holds lists names records says states summarises summarizes tells";

/// Verbs of a name that may speak for itself.
const IS: &str = "\
    are has is may must should";

/// What the whole document is called.
const REPLIES: &str = "\
    answer document json object output reply response";

/// Words between a thing and what it has.
const MODALS: &str = "\
    also always can may must should will";

/// The text between the members of a list.
pub(super) const JOINS: &[&str] = &[
    "",
    "&",
    "+",
    "/",
    "a",
    "an",
    "and",
    "and a",
    "and an",
    "and optionally",
    "as well as",
    "followed by",
    "and its",
    "and the",
    "and then",
    "or",
    "or a",
    "plus",
    "then",
    "the",
];

/// Verbs between a thing and the fields it has.
const HAS: &str = "\
    carries carry contain contains has have holds include includes need needs with";

/// A span of backticks in a paragraph.
pub(super) struct Span<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    /// What it names: without quotes, and without a value behind a colon.
    pub(super) name: &'a str,
}

/// The names in backticks of a block of prose.
pub(super) fn check(block: &Block<'_>, fields: &Fields<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (offset, paragraph) in paragraphs(block) {
        let paragraph = Paragraph::new(paragraph, fields);
        for (span, fault) in paragraph.faults() {
            faults.push(Fault { line: block.line_at(offset + span.start), ..fault });
        }
    }
    faults
}

struct Paragraph<'p, 'a> {
    text: &'p str,
    spans: Vec<Span<'p>>,
    fields: &'p Fields<'a>,
    /// Does it name a real field?
    names_field: bool,
    /// Is it about something else that is set?
    of_settings: bool,
}

impl<'p, 'a> Paragraph<'p, 'a> {
    fn new(text: &'p str, fields: &'p Fields<'a>) -> Self {
        let spans = spans(text);
        let names_field = spans.iter().any(|span| fields.is_plainly_field(span.name));
        let of_settings = has_word(text, "config configuration environment shell");
        Self { text, spans, fields, names_field, of_settings }
    }

    fn faults(&self) -> Vec<(&Span<'p>, Fault)> {
        let mut faults = Vec::new();
        for list in self.lists() {
            let known = list.iter().filter(|span| self.fields.is_plainly_field(span.name)).count();
            let of_fields = list.len() > 1 && known > 0;
            // All the others are fields, and at least two: then `diff` is meant as a field, too.
            let all_but_one = known > 1 && known + 1 == list.len();
            let called = self.called_fields(list);
            let owner = list.first().and_then(|first| self.owner(first));
            for span in list {
                let fault = if let Some(place) = owner.filter(|place| self.is_misplaced(span, place)) {
                    Some(fault(span.name, Some(place.path.clone()), place.names()))
                } else if is_name(span.name) {
                    let is_promise = self.is_promise(span, of_fields, called || (all_but_one && is_word(span.name)));
                    is_promise.then(|| fault(span.name, None, self.fields.all_names()))
                } else {
                    path_fault(span.name, self.fields, called, || self.is_used(span))
                };
                faults.extend(fault.map(|fault| (span, fault)));
            }
        }
        faults
    }

    /// The spans, those of one list together.
    fn lists(&self) -> impl Iterator<Item = &[Span<'p>]> {
        self.spans.chunk_by(|a, b| {
            let between = self.text.get(a.end..b.start).unwrap_or_default();
            let between = between.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
            JOINS.contains(&between)
        })
    }

    /// The object that is said to have the list's fields: "each finding has a `file`", "your reply must contain `ok`".
    fn owner(&self, first: &Span<'_>) -> Option<&'p Place<'a>> {
        let (_, before) = self.before(first);
        let [rest @ .., verb] = before.as_slice() else { return None };
        let rest = match rest {
            [rest @ .., modal] if is_one_of(modal, MODALS) => rest,
            rest => rest,
        };
        let (thing, rest) = rest.split_last().filter(|_| is_one_of(verb, HAS))?;
        if is_one_of(thing, REPLIES) {
            return self.fields.root();
        }
        let each = rest.last().is_some_and(|word| matches!(word.as_str(), "each" | "every"));
        self.fields.places().iter().find(|place| each && place.is_called(thing))
    }

    /// A name that the object which is said to have it does not have.
    fn is_misplaced(&self, span: &Span<'_>, owner: &Place<'_>) -> bool {
        let name = span.name;
        let may_be_field = self.fields.is_plainly_field(name)
            || (is_name(name) && !is_no_field(name) && !self.fields.is_excused(name) && !self.is_other(span));
        may_be_field && !owner.has(name) && !owner.is_open()
    }

    /// Is the list called one of fields, as in "the fields `a` and `b`" or "the `a` field"?
    fn called_fields(&self, list: &[Span<'_>]) -> bool {
        let before = list.first().and_then(|span| self.before(span).1.last().cloned());
        let after = list.last().and_then(|span| self.after(span).into_iter().next());
        before.into_iter().chain(after).any(|word| is_one_of(&word, NOUNS))
    }

    fn is_promise(&self, span: &Span<'_>, in_list: bool, called: bool) -> bool {
        let name = span.name;
        // "List each `question`" names an item, "the `question`s" all of them.
        let is_item = self.text.get(span.end..).is_some_and(|after| after.starts_with('s'));
        if self.fields.has(name) || self.fields.is_excused(name) || is_item {
            return false;
        }
        let is_meant = || !self.is_other(span) && (in_list || self.is_used(span));
        called || (!is_no_field(name) && (self.fields.is_misspelt(name) || is_meant()))
    }

    /// Is it said to be something else than a field?
    fn is_other(&self, span: &Span<'_>) -> bool {
        let (_, before) = self.before(span);
        let after = self.after(span);
        let is_other = |word: Option<&String>| word.is_some_and(|word| is_one_of(word, OTHER_NOUNS));
        is_other(before.last())
            || is_other(after.first())
            || after.first().is_some_and(|word| word == "if" || word == "when")
    }

    /// Does the sentence fill it, or let it speak?
    fn is_used(&self, span: &Span<'_>) -> bool {
        let (sentence, before) = self.before(span);
        let after = self.after(span);
        // A word of another span is no verb of this sentence.
        let follows_code = sentence.trim_end_matches([' ', ',']).ends_with('`');
        let last = before.last().filter(|_| !follows_code).map(String::as_str).unwrap_or_default();
        let next = after.first().map(String::as_str).unwrap_or_default();
        let starts = before.is_empty();
        let has_value = is_one_of(next, IS) && after.get(1).is_some_and(|word| self.fields.is_value(word));
        let strong = has_value
            || (is_one_of(last, FILLS) && !self.of_settings)
            || (matches!(last, "in" | "into" | "under") && puts_here(sentence))
            || (starts && is_one_of(next, SAYS));
        if strong {
            return true;
        }
        let each_of = before.ends_with(&["each".to_owned(), "of".to_owned()]);
        let speaks = sentence.trim_end().ends_with([':', ',']);
        if self.names_field {
            let is = (starts || speaks) && is_one_of(next, IS);
            return is || each_of || is_one_of(last, MAY_FILL) || (speaks && is_one_of(next, SAYS));
        }
        // "Return `confidence_score`" is an order; "functions that return `user_id`" is about code.
        let ordered = before.len() == 1 && is_one_of(last, MAY_FILL);
        (ordered && next == "as")
            || span.name.contains('_') && (ordered || each_of || (speaks && is_one_of(next, SAYS)))
    }

    /// The sentence's text before the span, and its words; articles at its end do not count.
    fn before(&self, span: &Span<'_>) -> (&'p str, Vec<String>) {
        let text = tail(self.text.get(..span.start).unwrap_or_default());
        let start = [". ", ".\n", "! ", "? ", "; "].iter().filter_map(|end| Some(text.rfind(end)? + end.len())).max();
        let sentence = text.get(start.unwrap_or(0)..).unwrap_or_default();
        let sentence = item_text(sentence).unwrap_or(sentence);
        let mut words: Vec<String> = words(sentence).collect();
        while words
            .last()
            .is_some_and(|word| matches!(word.as_str(), "a" | "an" | "its" | "one" | "the" | "their" | "your"))
        {
            words.pop();
        }
        (sentence, words)
    }

    /// The first words behind the span, up to the end of the sentence.
    fn after(&self, span: &Span<'_>) -> Vec<String> {
        let text = head(self.text.get(span.end..).unwrap_or_default());
        // `name`: and what it is for; the check of lists judges those.
        if text.trim_start().starts_with([':', '-', '–', '—', '=']) {
            return Vec::new();
        }
        let end = text.find(['.', ';', ',']).unwrap_or(text.len());
        words(text.get(..end).unwrap_or_default()).take(2).collect()
    }
}

/// Does the sentence put something into the place that it ends with? In "say in `summary` what is in", it is elsewhere.
fn puts_here(sentence: &str) -> bool {
    let since = sentence.rsplit_once('`').map_or("", |(_, since)| since);
    has_word(sentence, PUTS) && !has_word(sentence, FILES) && !has_word(since, CLAUSES)
}

/// `RUST_LOG` and `TODO` are none.
fn is_word(name: &str) -> bool {
    name.contains(|c: char| c.is_ascii_lowercase())
}

fn fault(name: &str, place: Option<String>, known: Vec<String>) -> Fault {
    Fault::field(0, name, Promise::Backticks, place, known)
}

/// `findings[].line`, `findings.line`, `/findings/0/line`: the first step that does not exist.
fn path_fault(text: &str, fields: &Fields<'_>, called: bool, is_used: impl Fn() -> bool) -> Option<Fault> {
    let steps = path_steps(text)?;
    let first = *steps.first()?;
    if fields.is_excused(first) || is_no_field(first) && !fields.has(first) {
        return None;
    }
    let Some(start) = fields.places().iter().find(|place| place.has(first)) else {
        // `main.rs` looks like a path too; brackets or a name for it leave no doubt.
        let place = fields.root().filter(|_| called || text.contains("[]"))?;
        return Some(fault(text, Some(place.path.clone()), place.names()));
    };
    let mut place: Place<'_> = start.clone();
    let (last, parents) = steps.split_last()?;
    for step in parents {
        match place.child(step) {
            Child::Object(inner) => place = inner,
            Child::Open => return None,
            // `file.rs` beside a field `file`; but what is filled is meant as a field.
            Child::Leaf => return is_used().then(|| fault(text, Some(place.join(step)), Vec::new())),
            Child::Missing => break,
        }
    }
    let exists = place.has(last) || place.is_open() || last.is_empty();
    (!exists).then(|| fault(text, Some(place.path.clone()), place.names()))
}

fn path_steps(text: &str) -> Option<Vec<&str>> {
    let separator = if text.starts_with('/') { '/' } else { '.' };
    let steps: Vec<&str> = text
        .trim_start_matches('/')
        .split(separator)
        .map(|step| step.split('[').next().unwrap_or_default())
        .filter(|step| !step.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*'))
        .collect();
    (text.contains(['.', '[', '/']) && steps.iter().all(|step| is_name(step))).then_some(steps)
}

/// Paragraphs, headings and single list items, with their offsets.
pub(super) fn paragraphs<'a>(block: &Block<'a>) -> Vec<(usize, &'a str)> {
    let mut paragraphs = Vec::new();
    let mut start = 0;
    for line in block.lines() {
        if line.text.trim().is_empty() || item_text(line.text).is_some() || line.text.starts_with('#') {
            paragraphs.push((start, line.offset));
            start = line.offset;
        }
    }
    paragraphs.push((start, block.text.len()));
    paragraphs.into_iter().filter_map(|(from, to)| Some((from, block.text.get(from..to)?))).collect()
}

/// The spans of backticks; those that hold no name or path stay, as they may stand in a list.
pub(super) fn spans(text: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find('`')).map(|found| at + found) {
        let rest = text.get(start..).unwrap_or_default();
        let inner = rest.trim_start_matches('`');
        let ticks = rest.get(..rest.len() - inner.len()).unwrap_or_default();
        let Some(length) = inner.find(ticks) else { break };
        let end = start + 2 * ticks.len() + length;
        spans.push(Span { start, end, name: named(inner.get(..length).unwrap_or_default()) });
        at = end;
    }
    spans
}

/// `"verdict"`, `verdict:` and `verdict: approve` name `verdict`; anything else names what it says.
fn named(content: &str) -> &str {
    let content = content.trim();
    let name = match content.split_once(':') {
        Some((name, value)) if value.is_empty() || value.starts_with(' ') => name.trim_end(),
        _ => content,
    };
    let unquoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    unquoted.unwrap_or(name)
}
