//! How large a valid document can get, and the `max_tokens` that follows from it.

use std::collections::HashMap;

use crate::json::write_string;
use crate::pointer::Pointer;
use crate::schema::{ArrayShape, ObjectShape, Schema, Shape};

/// The longest canonical spelling of a valid document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bound {
    chars: usize,
}

/// Characters to a token, at the least, over a whole document. Tokenizers pack three to four characters of JSON and prose
/// into a token; a text that does worse (rare scripts, digits without end) is cut, and said to be.
const CHARS_PER_TOKEN: usize = 2;
/// Room for the end token and for a fence that some chat templates write around the document.
const TOKENS_AROUND: usize = 16;
/// The longest escape sequence of one character, `\u001f`.
const LONGEST_ESCAPE: usize = 6;
/// Digits, sign and point of the longest number the grammar writes.
const LONGEST_NUMBER: usize = 34;
/// Digits and sign of the longest integer that it writes without a bound.
const LONGEST_INTEGER: usize = 19;

impl Bound {
    /// Its length in characters, each character of a string counted once.
    pub fn chars(self) -> usize {
        self.chars
    }

    /// Its length in bytes where every character of every string takes the longest escape.
    pub fn max_bytes(self) -> usize {
        self.chars.saturating_mul(LONGEST_ESCAPE)
    }

    /// A `max_tokens` that lets a document of this size finish.
    pub fn max_tokens(self) -> usize {
        (self.chars / CHARS_PER_TOKEN).saturating_add(TOKENS_AROUND)
    }
}

impl Schema {
    /// The bound of this schema's documents.
    ///
    /// # Errors
    ///
    /// The place of a string, an array or an object without one, by properties and items: `/steps/items/title`.
    pub fn bound(&self) -> Result<Bound, Pointer> {
        Measure::default().chars(self, &Pointer::root()).map(|chars| Bound { chars })
    }
}

/// Measuring, in progress.
#[derive(Default)]
struct Measure {
    /// What references come to; `None` while one is measured, since what holds itself has no bound.
    references: HashMap<String, Option<usize>>,
}

impl Measure {
    fn chars(&mut self, schema: &Schema, at: &Pointer) -> Result<usize, Pointer> {
        let unbounded = || at.clone();
        match &schema.shape {
            Shape::Any => Err(unbounded()),
            Shape::Object(object) => self.object(object, at),
            Shape::Array(array) => self.array(array, at),
            Shape::String(size) => size.max().map(quoted).ok_or_else(unbounded),
            Shape::Pattern(pattern) => pattern.lengths().1.map(quoted).ok_or_else(unbounded),
            Shape::Integer(range) => Ok(match (range.min(), range.max()) {
                (Some(min), Some(max)) => min.to_string().len().max(max.to_string().len()),
                (bound, other) => bound.or(other).map_or(0, |bound| bound.to_string().len()).max(LONGEST_INTEGER),
            }),
            Shape::Number => Ok(LONGEST_NUMBER),
            Shape::Boolean => Ok("false".len()),
            Shape::Null => Ok("null".len()),
            Shape::Enum(members) => Ok(members.iter().map(|member| member.text.chars().count()).max().unwrap_or(0)),
            Shape::Union(members) => {
                members.iter().try_fold(0, |most: usize, member| Ok(most.max(self.chars(member, at)?)))
            }
            Shape::Reference(reference) => {
                if let Some(known) = self.references.get(reference.name()) {
                    return known.ok_or_else(unbounded);
                }
                self.references.insert(reference.name().to_owned(), None);
                let chars = reference.with(|target| self.chars(target, at)).unwrap_or_else(|| Err(unbounded()))?;
                self.references.insert(reference.name().to_owned(), Some(chars));
                Ok(chars)
            }
        }
    }

    fn array(&mut self, array: &ArrayShape, at: &Pointer) -> Result<usize, Pointer> {
        let most = array.size.max().ok_or_else(|| at.clone())?;
        // Brackets, the items, and a comma with a space between two of them.
        let mut sum = "[]".len();
        for (index, schema) in array.prefix.iter().enumerate().take(most) {
            sum = sum.saturating_add(self.chars(schema, &at.index(index))?).saturating_add(1);
        }
        let more = most.saturating_sub(array.prefix.len());
        if more > 0 {
            let item = self.chars(&array.items, &at.key("items"))?.saturating_add(1);
            sum = sum.saturating_add(more.saturating_mul(item));
        }
        Ok(sum)
    }

    fn object(&mut self, object: &ObjectShape, at: &Pointer) -> Result<usize, Pointer> {
        if object.open || object.additional.is_some() {
            return Err(at.clone());
        }
        object.properties.iter().try_fold("{}".len(), |sum: usize, property| {
            let mut name = String::new();
            write_string(&property.name, &mut name);
            let value = self.chars(&property.schema, &at.key(&property.name))?;
            Ok(sum.saturating_add(name.chars().count() + ":,".len()).saturating_add(value))
        })
    }
}

fn quoted(length: usize) -> usize {
    length.saturating_add("\"\"".len())
}
