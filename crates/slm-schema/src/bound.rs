//! How large a valid document can get, and the `max_tokens` that follows from it.

use crate::json::write_string;
use crate::schema::{ObjectShape, Schema, Shape, Size};

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
/// Digits and sign of the longest number the grammar writes.
const LONGEST_NUMBER: usize = 34;
const LONGEST_INTEGER: usize = 20;

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
    /// The bound of this schema's documents, or `None` where a string, an array or an open object has none.
    pub fn bound(&self) -> Option<Bound> {
        chars(self).map(|chars| Bound { chars })
    }
}

fn chars(schema: &Schema) -> Option<usize> {
    match &schema.shape {
        Shape::Object(object) => object_chars(object),
        Shape::Array(array) => {
            let most = array.size.max()?;
            // Brackets, the items, and a comma between two of them.
            Some(most.saturating_mul(chars(&array.items)?.saturating_add(1)).saturating_add(2))
        }
        Shape::String(size) => Size::max(*size).map(|most| most.saturating_add(2)),
        Shape::Integer(range) => Some(match (range.min(), range.max()) {
            (Some(min), Some(max)) => min.to_string().len().max(max.to_string().len()),
            _ => LONGEST_INTEGER,
        }),
        Shape::Number => Some(LONGEST_NUMBER),
        Shape::Boolean => Some("false".len()),
        Shape::Null => Some("null".len()),
        Shape::Enum(members) => members.iter().map(|member| member.text.chars().count()).max(),
    }
}

fn object_chars(object: &ObjectShape) -> Option<usize> {
    if object.open {
        return None;
    }
    object.properties.iter().try_fold("{}".len(), |sum, property| {
        let mut name = String::new();
        write_string(&property.name, &mut name);
        let punctuation = ":,".len();
        Some(sum.saturating_add(name.chars().count() + punctuation).saturating_add(chars(&property.schema)?))
    })
}
