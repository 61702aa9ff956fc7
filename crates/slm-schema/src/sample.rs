//! Documents of a schema: random ones, and the smallest.

mod random;
mod rank;

use random::Random;
use rank::Ranks;

use crate::json::write_string;
use crate::pattern::Regex;
use crate::read::Document;
use crate::schema::{Additional, ArrayShape, ObjectShape, Schema, Shape, Size};

/// From this depth on the smallest way out is taken.
const DEEP: usize = 5;
/// So many more than the least: characters, items, properties.
const MORE: usize = 6;

/// A random document in canonical spelling; without a seed the smallest that is easily found.
pub(crate) fn sample(document: &Document, seed: Option<u64>) -> String {
    let ranks = Ranks::of(document);
    let mut sampler = Sampler { ranks, random: seed.map(Random::new), out: String::new() };
    sampler.value(&document.root, 0);
    sampler.out
}

struct Sampler {
    ranks: Ranks,
    random: Option<Random>,
    out: String,
}

impl Sampler {
    /// A number below `count`; 0 where the smallest is wanted.
    fn below(&mut self, count: usize) -> usize {
        self.random.as_mut().map_or(0, |random| random.below(count))
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// A length within `size`, not much above the least.
    fn length(&mut self, size: Size, depth: usize) -> usize {
        let most = size.max().unwrap_or(usize::MAX).min(size.min().saturating_add(MORE));
        let room = if depth >= DEEP { 0 } else { most - size.min() };
        size.min() + self.below(room + 1)
    }

    fn value(&mut self, schema: &Schema, depth: usize) {
        match &schema.shape {
            Shape::Any => self.one_of(&["null", "true", "0", "\"any\"", "[]", "{}", "[1,\"two\"]"]),
            Shape::Object(object) => self.object(object, depth),
            Shape::Array(array) => self.array(array, depth),
            Shape::String(size) => {
                let length = self.length(*size, 0);
                let text: String = (0..length).map(|_| self.char()).collect();
                write_string(&text, &mut self.out);
            }
            Shape::Pattern(pattern) => {
                let mut text = String::new();
                self.regular(&pattern.regex, &mut text);
                write_string(&text, &mut self.out);
            }
            Shape::Integer(range) => {
                let number = self.integer(range.min(), range.max());
                self.out.push_str(&number.to_string());
            }
            Shape::Number => {
                // Of each size some: bounds of numbers are left to the validator.
                let limit = [1, 2, 101, 2001].get(self.below(4)).copied().unwrap_or(1);
                let (whole, tenths) = (self.below(limit), if self.flip() { 0 } else { self.below(10) });
                let number = if tenths == 0 { whole.to_string() } else { format!("{whole}.{tenths}") };
                self.out.push_str(&number);
            }
            Shape::Boolean => self.one_of(&["false", "true"]),
            Shape::Null => self.out.push_str("null"),
            Shape::Enum(members) => {
                let member = members.get(self.below(members.len()));
                self.out.push_str(member.map_or("null", |member| &member.text));
            }
            Shape::Union(members) => self.member(members, depth),
            Shape::Reference(reference) => {
                reference.with(|target| self.value(target, depth + 1));
            }
        }
    }

    fn one_of(&mut self, words: &[&str]) {
        let word = words.get(self.below(words.len())).copied().unwrap_or("null");
        self.out.push_str(word);
    }

    fn member(&mut self, members: &[Schema], depth: usize) {
        let chosen = if depth >= DEEP || self.random.is_none() {
            members.iter().min_by_key(|member| self.ranks.rank(member))
        } else {
            members.get(self.below(members.len()))
        };
        if let Some(member) = chosen {
            self.value(member, depth + 1);
        }
    }

    fn object(&mut self, object: &ObjectShape, depth: usize) {
        self.out.push('{');
        let mut count = 0;
        for property in &object.properties {
            if property.required || (depth < DEEP && self.flip()) {
                self.separate(count);
                write_string(&property.name, &mut self.out);
                self.out.push(':');
                self.value(&property.schema, depth + 1);
                count += 1;
            }
        }
        if let Some(rest) = &object.additional {
            self.undeclared(rest, object, count, depth);
        }
        self.out.push('}');
    }

    /// Properties that are not declared, none of a name that stands there already.
    fn undeclared(&mut self, rest: &Additional, object: &ObjectShape, before: usize, depth: usize) {
        let least = object.count.min().saturating_sub(before);
        let most = object.count.max().map(|max| max.saturating_sub(before).max(least));
        let wanted = self.length(Size::new(least, most).unwrap_or(Size::ANY), depth + 3);
        let mut names: Vec<String> = Vec::new();
        // Names by chance may be there already; a few more tries than names are enough.
        for _ in 0..wanted.saturating_mul(8) {
            if names.len() == wanted {
                break;
            }
            let name = self.aside(&rest.name);
            let declared = || {
                serde_json::from_str::<String>(&name)
                    .is_ok_and(|name| object.property(&name).is_some() || object.refused.contains(&name))
            };
            if names.contains(&name) || declared() {
                continue;
            }
            self.separate(before + names.len());
            self.out.push_str(&name);
            self.out.push(':');
            self.value(&rest.value, depth + 1);
            names.push(name);
        }
    }

    fn separate(&mut self, before: usize) {
        self.out.push_str(if before > 0 { "," } else { "" });
    }

    /// A value by itself: the name of a property.
    fn aside(&mut self, schema: &Schema) -> String {
        let before = std::mem::take(&mut self.out);
        self.value(schema, DEEP);
        std::mem::replace(&mut self.out, before)
    }

    fn array(&mut self, array: &ArrayShape, depth: usize) {
        let length = self.length(array.size, depth + 2);
        self.out.push('[');
        for index in 0..length {
            self.separate(index);
            self.value(array.prefix.get(index).unwrap_or(&array.items), depth + 1);
        }
        self.out.push(']');
    }

    fn char(&mut self) -> char {
        const ODD: [char; 12] = ['"', '\\', '\n', '\t', '/', '\u{1}', 'é', 'ß', '漢', '😀', '\u{2028}', ' '];
        match self.below(4) {
            0 if self.random.is_some() => ODD.get(self.below(ODD.len())).copied().unwrap_or('a'),
            _ => char::from(b'a' + u8::try_from(self.below(26)).unwrap_or(0)),
        }
    }

    fn regular(&mut self, regex: &Regex, out: &mut String) {
        match regex {
            Regex::Class(ranges) => {
                let range = ranges.get(self.below(ranges.len())).copied().unwrap_or(('a', 'a'));
                let (from, to) = (u32::from(range.0), u32::from(range.1));
                // A printable one where there is any, near the beginning of the range.
                let from = if from < 0x20 && to >= 0x20 { 0x20 } else { from };
                let offset = u32::try_from(self.below(95)).unwrap_or(0).min(to - from);
                out.push(char::from_u32(from + offset).unwrap_or(range.0));
            }
            Regex::Sequence(parts) => parts.iter().for_each(|part| self.regular(part, out)),
            Regex::Choice(options) => {
                if let Some(option) = options.get(self.below(options.len())) {
                    self.regular(option, out);
                }
            }
            Regex::Repeat(unit, min, max) => {
                let size = Size::new(*min, *max).unwrap_or(Size::ANY);
                for _ in 0..self.length(size, 0) {
                    self.regular(unit, out);
                }
            }
        }
    }

    fn integer(&mut self, min: Option<i128>, max: Option<i128>) -> i128 {
        let (low, high) = match (min, max) {
            (Some(min), Some(max)) => (min, max),
            (Some(min), None) => (min, min.saturating_add(1000)),
            (None, Some(max)) => (max.saturating_sub(1000), max),
            (None, None) => (-1000, 1000),
        };
        let width = high.saturating_sub(low).saturating_add(1).unsigned_abs();
        let offset = self.random.as_mut().map_or(0, |random| random.wide() % width);
        low.saturating_add(i128::try_from(offset).unwrap_or(0))
    }
}
