//! Lists of fields: `- name: what it is for`, with `name` bare, in backticks, in quotes or in bold; the same without a bullet
//! where the name is marked, and a table whose rows begin with a name in backticks.
//!
//! Not every list with colons is one of fields ("- Note: be brief"). A list counts if at least half of its names are
//! fields, or if the line before it says that fields follow. An indented list belongs to the field of the item above it.

use super::example::{anchor, leads_to_answer};
use super::fields::{Child, Fields, Place};
use super::text::{Block, Line, has_word, is_name, is_one_of, words};
use super::{Fault, Promise};

/// Words of a line that leads to a list of fields.
const FIELDS: &str = "\
    field fields json key keys object properties property";

/// Words of a line that leads to a list of something else.
const NO_FIELDS: &str = "\
    command commands either folder folders option options role roles rule rules step steps tool tools value \
    values variable variables";

/// Bare words before a colon that are remarks.
const REMARKS: &str = "\
    also caution example examples finally first hint important note otherwise reminder second then tip warning";

/// An item of a list.
struct Item<'a> {
    indent: usize,
    line: usize,
    /// The text after the marker.
    text: &'a str,
    /// The name before its colon, if it begins with one.
    name: Option<Name<'a>>,
}

#[derive(Clone, Copy)]
struct Name<'a> {
    text: &'a str,
    /// In backticks or quotes: no ordinary word.
    marked: bool,
}

/// The lists of a block; `intro` is the line before the block.
pub(super) fn check(block: &Block<'_>, intro: &str, fields: &Fields<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut list: Vec<Item<'_>> = Vec::new();
    let mut lead = intro;
    for line in block.lines() {
        if let Some(item) = Item::read(&line) {
            list.push(item);
        } else if !line.text.trim().is_empty() {
            let continues = list.last().is_some_and(|item| indent(line.text) > item.indent);
            if !continues {
                check_list(&list, lead, None, fields, &mut faults);
                list.clear();
                lead = line.text;
            }
        }
    }
    check_list(&list, lead, None, fields, &mut faults);
    faults
}

/// Judges the items of the least indentation, then the lists below each of them.
fn check_list(list: &[Item<'_>], lead: &str, given: Option<&Place<'_>>, fields: &Fields<'_>, faults: &mut Vec<Fault>) {
    let Some(least) = list.iter().map(|item| item.indent).min() else { return };
    let names: Vec<(&Item<'_>, Name<'_>)> =
        list.iter().filter(|item| item.indent == least).filter_map(|item| Some((item, item.name?))).collect();
    let place = match given {
        Some(place) => Some(place.clone()),
        None => list_place(&names, lead, fields).cloned(),
    };
    if let Some(place) = &place {
        faults.extend(names.iter().filter_map(|(item, name)| missing(item, *name, place, fields)));
    }
    let mut rest = list;
    while let Some((head, tail)) = rest.split_first() {
        let below = tail.iter().take_while(|item| item.indent > least).count();
        let (children, next) = tail.split_at_checked(below).unwrap_or((tail, &[]));
        // A list below a plain value lists its values, not fields.
        let child = place.as_ref().zip(head.name).map(|(place, name)| place.child(name.text));
        match child {
            Some(Child::Object(inner)) => check_list(children, head.text, Some(&inner), fields, faults),
            Some(Child::Leaf | Child::Open) => {}
            Some(Child::Missing) | None => check_list(children, head.text, None, fields, faults),
        }
        rest = next;
    }
}

/// The object whose fields the names list, or `None` if they list something else.
fn list_place<'f, 'a>(names: &[(&Item<'_>, Name<'_>)], lead: &str, fields: &'f Fields<'a>) -> Option<&'f Place<'a>> {
    let texts: Vec<&str> =
        names.iter().map(|(_, name)| name.text).filter(|text| !fields.is_value(text) || fields.has(text)).collect();
    if texts.is_empty() {
        return None;
    }
    let says_other = has_word(lead, NO_FIELDS) || lead.contains("one of");
    let says_fields = !says_other && (has_word(lead, FIELDS) || leads_to_answer(lead));
    let hits = |place: &Place<'_>| texts.iter().filter(|text| place.has(text)).count();
    let mentioned = fields.places().iter().filter(|place| !place.path.is_empty() && mentions(lead, place));
    if let Some(place) = mentioned.max_by_key(|place| hits(place)).filter(|place| hits(place) > 0) {
        return Some(place);
    }
    match anchor(&texts, fields) {
        Some(place) => (says_fields || hits(place) * 2 >= texts.len()).then_some(place),
        None => fields.root().filter(|_| says_fields),
    }
}

/// Does the line speak of the place by its name, as in "each finding has"?
fn mentions(lead: &str, place: &Place<'_>) -> bool {
    words(lead).any(|word| place.is_called(&word))
}

fn missing(item: &Item<'_>, name: Name<'_>, place: &Place<'_>, fields: &Fields<'_>) -> Option<Fault> {
    let remark = !name.marked && is_one_of(name.text, REMARKS);
    if remark || place.has(name.text) || place.is_open() || fields.is_value(name.text) {
        return None;
    }
    Some(Fault::field(item.line, name.text, Promise::Bullet, Some(place.path.clone()), place.names()))
}

impl<'a> Item<'a> {
    fn read(line: &Line<'a>) -> Option<Self> {
        let text = item_text(line.text).or_else(|| definition(line.text)).or_else(|| first_cell(line.text))?;
        Some(Self { indent: indent(line.text), line: line.number, text, name: name(text) })
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The text after `-`, `*`, `+`, `1.` or `1)`.
pub(super) fn item_text(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let after_digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if after_digits.len() < line.len() {
        after_digits.strip_prefix(['.', ')'])?
    } else {
        line.strip_prefix(['-', '*', '+', '•'])?
    };
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

/// A line that is an item without a marker: it begins with a name that is no ordinary word, and says what it is for.
fn definition(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let is_marked = line.starts_with(['`', '"']) || line.starts_with("**");
    let after = line.trim_start_matches(['`', '"', '*']);
    let after =
        after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').trim_start_matches(['`', '"', '*']);
    (is_marked && after.trim_start().starts_with([':', '(', '-', '–', '—'])).then_some(line)
}

/// The name in the first cell of a table's row, with what stands behind it.
fn first_cell(line: &str) -> Option<&str> {
    let row = line.trim().strip_prefix('|')?.trim_start();
    row.starts_with('`').then_some(row)
}

/// The name that an item begins with.
fn name(text: &str) -> Option<Name<'_>> {
    let text = text.trim_start_matches('*');
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '"'));
    let (name, after) = match mark {
        Some(mark) => text.strip_prefix(mark)?.split_once(mark)?,
        None => {
            text.split_at_checked(text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len()))?
        }
    };
    let name = name.trim_matches('"');
    // A bare capital begins a sentence, not a field.
    let bare_word = mark.is_none() && !name.starts_with(|c: char| c.is_ascii_lowercase());
    (is_name(name) && !bare_word && introduces(after, mark.is_some()))
        .then_some(Name { text: name, marked: mark.is_some() })
}

/// Does what follows a name turn to what the name is for: `:`, ` (string):`, and for a marked name ` - ` too?
fn introduces(after: &str, marked: bool) -> bool {
    let after = after.trim_start_matches('*').trim_start_matches('?');
    let after = match after.trim_start().strip_prefix(['(', '[']) {
        Some(inner) => inner.split_once([')', ']']).map_or(inner, |(_, outside)| outside),
        None => after,
    };
    let colon = after.trim_start_matches('*').trim_start().starts_with(':') && !after.contains("://");
    let stands_alone = after.trim_end_matches([',', ';', '.']).is_empty();
    let goes_on = [" - ", " – ", " — ", " = ", ", ", " is ", " are ", " |"];
    colon || stands_alone || (marked && goes_on.iter().any(|begin| after.starts_with(begin)))
}
