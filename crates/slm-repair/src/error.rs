//! The crate's one error type.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parse;

/// Why there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The document was cut off: whatever value one could make of it would lack data.
    Truncated,
    /// A document is there, and no rung could make JSON of it.
    Invalid,
    /// There is no JSON document in the text.
    NoJson,
    /// The text can be read in more than one way: several documents, or one with two readings.
    Ambiguous,
    /// Containers are nested too deeply to be read safely.
    TooDeep,
}

/// What was open where a document was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Open {
    /// A string value.
    String,
    /// The name of a property.
    Key,
    /// A property without its value: the cut came after a key or a colon.
    Property,
    /// A number: more digits may have followed.
    Number,
    /// `true`, `false`, `null` or another bare word.
    Literal,
    /// An array, right after its opener or a comma.
    Array,
    /// An object, right after its opener or a comma.
    Object,
    /// A comment.
    Comment,
    /// A block of reasoning that never ended: the answer had not begun.
    Reasoning,
    /// A container whose closer is missing, in a reply that is known to have been cut.
    Closer,
    /// Nothing: the value is whole, but the reply is known to have been cut behind it.
    Nothing,
    /// The answer: the reply is known to have been cut, and no document had begun.
    Answer,
}

impl Open {
    fn words(self) -> &'static str {
        match self {
            Self::String => "inside a string",
            Self::Key => "inside a key",
            Self::Property => "before the value of a property",
            Self::Number => "where a number may go on",
            Self::Literal => "inside a literal or word",
            Self::Array => "where an item of an array was due",
            Self::Object => "where a property of an object was due",
            Self::Comment => "inside a comment",
            Self::Reasoning => "inside the reasoning, before any answer",
            Self::Closer => "before the last closing bracket",
            Self::Nothing => "behind a value that is whole",
            Self::Answer => "before any answer",
        }
    }
}

/// Where in a reply the cut fell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Phase {
    /// Behind a root value that had closed by itself.
    AfterValue,
    /// Inside the root value.
    InValue,
    /// Inside reasoning: the answer had not begun.
    InReasoning,
    /// Before the root value, and not in reasoning.
    BeforeValue,
}

/// The part of a document that arrived before it was cut off: what is in it is complete, but it is not the answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Partial {
    /// The complete items and properties. In phase [`Phase::AfterValue`] this is the whole value.
    pub value: Value,
    /// Its JSON text.
    pub text: String,
}

/// Why a text has no value, where, and the way out.
#[derive(Debug, Clone, thiserror::Error)]
pub struct Error {
    repr: Box<Repr>,
}

#[derive(Debug, Clone)]
struct Repr {
    fault: Fault,
    /// Line and column of the fault, both from 1; the column counts characters.
    place: (usize, usize),
    /// The places of the documents that the fault names.
    documents: Vec<(usize, usize)>,
}

impl Error {
    pub(crate) fn new(text: &str, fault: Fault) -> Self {
        let place = place_of(text, fault.offset);
        let documents = fault.details.documents.iter().take(SHOWN).map(|range| place_of(text, range.start)).collect();
        Self { repr: Box::new(Repr { fault, place, documents }) }
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> ErrorKind {
        self.repr.fault.kind
    }

    /// Byte offset into the input: for a truncation where the open piece began, else where reading failed.
    pub fn offset(&self) -> usize {
        self.repr.fault.offset
    }

    /// Line and column of [`offset`](Self::offset), both from 1; the column counts characters.
    pub fn line_column(&self) -> (usize, usize) {
        self.repr.place
    }

    /// What was open at the cut; `None` for every kind but [`ErrorKind::Truncated`].
    pub fn open(&self) -> Option<Open> {
        self.repr.fault.open
    }

    /// Where in the reply the cut fell; `None` for every kind but [`ErrorKind::Truncated`].
    pub fn phase(&self) -> Option<Phase> {
        Some(match self.repr.fault.open? {
            Open::Reasoning => Phase::InReasoning,
            Open::Answer => Phase::BeforeValue,
            Open::Nothing => Phase::AfterValue,
            Open::String
            | Open::Key
            | Open::Property
            | Open::Number
            | Open::Literal
            | Open::Array
            | Open::Object
            | Open::Comment
            | Open::Closer => Phase::InValue,
        })
    }

    /// JSON pointer to the value in which the document was cut off; `None` for every kind but [`ErrorKind::Truncated`], and
    /// where the cut fell outside the document.
    pub fn path(&self) -> Option<&str> {
        self.repr.fault.details.path.as_deref()
    }

    /// What arrived before the cut, where that is anything: named partial, because it is not the answer.
    pub fn partial(&self) -> Option<Partial> {
        let text = self.repr.fault.details.partial.clone()?;
        let value = parse::value(&text).ok()?;
        Some(Partial { value, text })
    }

    /// The readings between which it cannot be decided, as JSON texts ([`ErrorKind::Ambiguous`]); else empty.
    ///
    /// Several documents are not listed here but in [`documents`](Self::documents).
    pub fn readings(&self) -> &[String] {
        &self.repr.fault.details.readings
    }

    /// The byte ranges of the documents found, where there are several ([`ErrorKind::Ambiguous`]); else empty.
    pub fn documents(&self) -> &[Range<usize>] {
        &self.repr.fault.details.documents
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Repr { fault, place: (line, column), documents } = &*self.repr;
        write!(f, "line {line}, column {column}: ")?;
        match (fault.kind, fault.open) {
            (ErrorKind::Truncated, Some(open)) => {
                write!(f, "the document was cut off {}; ask for it again with more room", open.words())
            }
            (ErrorKind::Ambiguous, _) if !documents.is_empty() => {
                write!(f, "there are {} documents, at ", fault.details.documents.len())?;
                for (i, (line, column)) in documents.iter().enumerate() {
                    write!(f, "{}{line}:{column}", if i > 0 { ", " } else { "" })?;
                }
                let more = if fault.details.documents.len() > documents.len() { ", …" } else { "" };
                write!(f, "{more}; ask for one, or give the schema it must satisfy")
            }
            _ => f.write_str(&fault.message),
        }?;
        for (i, reading) in fault.details.readings.iter().enumerate() {
            let short: String = reading.chars().take(WIDTH).collect();
            let more = if short.len() < reading.len() { "…" } else { "" };
            write!(f, "{} {short}{more}", if i == 0 { "; it may be" } else { ", or" })?;
        }
        Ok(())
    }
}

/// So many characters of a reading are shown in a message.
const WIDTH: usize = 80;

/// So many documents are named in a message.
const SHOWN: usize = 4;

/// What a pass found wrong, by offsets into the text it was given.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    pub(crate) offset: usize,
    pub(crate) open: Option<Open>,
    pub(crate) message: String,
    pub(crate) details: Box<Details>,
}

/// What only some faults tell.
#[derive(Debug, Clone, Default)]
pub(crate) struct Details {
    pub(crate) documents: Vec<Range<usize>>,
    /// JSON pointer to what was cut off.
    pub(crate) path: Option<String>,
    /// JSON text of what arrived before the cut.
    pub(crate) partial: Option<String>,
    /// JSON texts between which it cannot be decided.
    pub(crate) readings: Vec<String>,
}

impl Fault {
    pub(crate) fn new(kind: ErrorKind, offset: usize, message: impl Into<String>) -> Self {
        Self { kind, offset, open: None, message: message.into(), details: Box::default() }
    }

    pub(crate) fn truncated(offset: usize, open: Open) -> Self {
        Self { open: Some(open), ..Self::new(ErrorKind::Truncated, offset, "") }
    }

    pub(crate) fn several(documents: Vec<Range<usize>>) -> Self {
        let offset = documents.first().map_or(0, |range| range.start);
        Self {
            details: Box::new(Details { documents, ..Details::default() }),
            ..Self::new(ErrorKind::Ambiguous, offset, "")
        }
    }

    /// All its offsets.
    pub(crate) fn offsets(&mut self) -> impl Iterator<Item = &mut usize> {
        let documents = self.details.documents.iter_mut().flat_map(|range| [&mut range.start, &mut range.end]);
        documents.chain([&mut self.offset])
    }
}

fn place_of(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
    (line, column)
}
