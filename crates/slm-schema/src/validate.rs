//! The judge: the original schema, by the crate `jsonschema`. Nothing is retrieved: no file, no network.

mod branching;

use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::keywords::{self, Kind};
use crate::read::Draft;

/// How much of a value a message quotes; a reply may hold megabytes.
const LONGEST_MESSAGE: usize = 200;

/// Steps back that a regular expression may take on one text, so that none takes exponential time.
const BACKTRACK_LIMIT: usize = 100_000;
/// The memory of one compiled regular expression.
const REGEX_BYTES: usize = 4 << 20;

/// Encodings that the judge would decode for `contentEncoding`.
const ENCODINGS: [&str; 5] = ["base64", "base64url", "base32", "base32hex", "base16"];

/// How many times a part of a document may be judged to tell its faults apart. Unions of definitions that come back to
/// themselves double that, or worse, at each level of a document.
const MOST_JUDGEMENTS: u64 = 1 << 20;

/// One place where a document breaks the schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Violation {
    /// JSON pointer into the document.
    pub pointer: String,
    /// JSON pointer into the schema, to the keyword.
    pub schema_pointer: String,
    /// The keyword that is broken.
    pub keyword: String,
    /// What is wrong, in words that a model can act on.
    pub message: String,
}

#[derive(Debug)]
pub(crate) struct Validator {
    schema: Json,
    judge: jsonschema::Validator,
}

impl Validator {
    pub(crate) fn new(schema: Json, draft: Draft) -> Result<Self, Error> {
        let draft = match draft {
            Draft::Draft4 => jsonschema::Draft::Draft4,
            Draft::Draft6 => jsonschema::Draft::Draft6,
            Draft::Draft7 => jsonschema::Draft::Draft7,
            Draft::Draft201909 => jsonschema::Draft::Draft201909,
            Draft::Draft202012 => jsonschema::Draft::Draft202012,
        };
        // Drafts differ in whether a format binds; whoever writes one means it.
        let patterns =
            jsonschema::PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT).size_limit(REGEX_BYTES);
        let options =
            jsonschema::options().with_draft(draft).should_validate_formats(true).with_pattern_options(patterns);
        // What a string holds is a note since 2019-09; older drafts leave it open whether it binds.
        let options = ENCODINGS
            .into_iter()
            .fold(options, jsonschema::ValidationOptions::without_content_encoding_support)
            .without_content_media_type_support("application/json");
        let built = options.build(&schema.to_value()).map_err(|error| {
            Error::new(ErrorKind::InvalidKeyword, format!("the validator refuses the schema: {error}"))
                .at(error.instance_path().as_str())
        })?;
        Ok(Self { schema, judge: built })
    }

    pub(crate) fn violations(&self, value: &Value) -> Vec<Violation> {
        // Whether it is valid is found out in linear time, whatever the schema; why not, is not.
        if self.judge.is_valid(value) {
            return Vec::new();
        }
        if branching::judgements(&self.schema, value) > MOST_JUDGEMENTS {
            return vec![Violation {
                pointer: String::new(),
                schema_pointer: String::new(),
                keyword: "$ref".to_owned(),
                message: "does not fit the schema, and is nested too deep to say where; nest it less".to_owned(),
            }];
        }
        self.judge
            .iter_errors(value)
            .map(|error| {
                let schema_pointer = error.schema_path().to_string();
                let keyword = keyword(&self.schema, &schema_pointer).unwrap_or_default().to_owned();
                let pointer = error.instance_path().to_string();
                Violation { pointer, keyword, message: shortened(&error.to_string()), schema_pointer }
            })
            .collect()
    }
}

/// The keyword at the end of a schema pointer, or the one that holds what the pointer ends at: a schema that is `false`
/// refuses a value without a keyword of its own.
fn keyword<'p>(schema: &Json, pointer: &'p str) -> Option<&'p str> {
    let mut place = Some(schema);
    let mut tokens = pointer.split('/').skip(1);
    let mut last = None;
    while let Some(keyword) = tokens.next() {
        last = Some(keyword);
        if keywords::kind(keyword) == Kind::Assertion && !keywords::is_reference(keyword) {
            break;
        }
        place = place.and_then(|schema| schema.get(keyword));
        let holds_several = match (keywords::kind(keyword), place) {
            (Kind::Map | Kind::Definitions | Kind::List, _) | (Kind::SchemaOrList, Some(Json::Array(_))) => true,
            (Kind::Annotation | Kind::Assertion | Kind::Schema | Kind::SchemaOrList, _) => false,
        };
        if holds_several && let Some(token) = tokens.next() {
            place = place.and_then(|several| several.at(&format!("/{token}")));
        }
    }
    last
}

fn shortened(message: &str) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        // The head quotes the value; what it breaks stands at the end.
        Some((cut, _)) => {
            let tail_start = message.char_indices().rev().nth(LONGEST_MESSAGE / 2).map_or(cut, |(start, _)| start);
            let head_end = message.char_indices().nth(LONGEST_MESSAGE / 2).map_or(cut, |(end, _)| end);
            let head = message.get(..head_end).unwrap_or_default();
            format!("{head} … {}", message.get(tail_start.max(head_end)..).unwrap_or_default())
        }
        None => message.to_owned(),
    }
}
