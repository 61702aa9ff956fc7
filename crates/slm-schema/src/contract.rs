//! A contract: a named, parsed output schema. It is what everyone passes around.

use std::fmt;
use std::sync::OnceLock;

use serde_json::Value;

use crate::bound::Bound;
use crate::describe;
use crate::error::{Error, ErrorKind};
use crate::grammar::{self, Grammar, Spacing};
use crate::json::Json;
use crate::lower::{self, Dialect, Lowered};
use crate::pointer::Pointer;
use crate::portable;
use crate::read::{self, Document, Draft};
use crate::resources;
use crate::sample;
use crate::schema::{Schema, Shape};

/// Random documents that are tried for one that satisfies every rule.
const SAMPLE_ATTEMPTS: u64 = 64;
/// The longest name that OpenAI takes for a schema.
const LONGEST_NAME: usize = 64;

/// A named output schema, read and checked once.
pub struct Contract {
    name: String,
    source: Json,
    /// The source with references by place, where it has others.
    placed: Option<Json>,
    document: Document,
    /// Why it is not in the portable profile.
    not_portable: Option<Error>,
    example: Option<String>,
    /// What each dialect is sent, in the order of [`Dialect::ALL`], once it was asked for.
    lowered: [OnceLock<Lowered>; Dialect::ALL.len()],
    #[cfg(feature = "validate")]
    validator: crate::validate::Validator,
}

impl Contract {
    /// Reads a contract from the text of a JSON Schema, drafts 4 to 2020-12.
    ///
    /// # Errors
    ///
    /// The text is no JSON; no draft knows a keyword (the error names pointer and keyword); a `$ref` leads nowhere, or out
    /// of the text; no document can satisfy the schema; the name is not 1 to 64 of `A-Z a-z 0-9 _ -`, which is what
    /// endpoints take.
    ///
    /// ```
    /// use slm_schema::Contract;
    ///
    /// let text = r#"{"type": "object", "properties": {"name": {"type": "string", "maxLenght": 5}}}"#;
    /// let error = Contract::from_json("person", text).unwrap_err();
    /// assert_eq!(error.pointer(), Some("/properties/name"));
    /// assert_eq!(error.keyword(), Some("maxLenght"));
    /// assert!(error.to_string().contains("did you mean `maxLength`?"));
    /// ```
    pub fn from_json(name: &str, text: &str) -> Result<Self, Error> {
        check_name(name)?;
        let source: Json = serde_json::from_str(text)
            .map_err(|error| Error::new(ErrorKind::Syntax, format!("the schema is no JSON document: {error}")))?;
        let placed = resources::by_place(&source, Draft::of(&source)?);
        let document = read::read(placed.as_ref().unwrap_or(&source))?;
        let example = match source.get("examples") {
            Some(Json::Array(examples)) => examples.first().and_then(|json| describe::respell(json, &document.root)),
            _ => None,
        };
        Ok(Self {
            name: name.to_owned(),
            #[cfg(feature = "validate")]
            validator: crate::validate::Validator::new(crate::nullable::spelled_out(&source), document.draft)?,
            not_portable: portable::check(&source, &Pointer::root()).err(),
            source,
            placed,
            document,
            example,
            lowered: Default::default(),
        })
    }

    /// The contract of a Rust type: its properties in the order of its fields.
    ///
    /// # Errors
    ///
    /// As [`Contract::from_json`], for a type whose schema a grammar cannot be made of: one without a value that ends.
    #[cfg(feature = "schemars")]
    pub fn of<T: schemars::JsonSchema>(name: &str) -> Result<Self, Error> {
        let schema = schemars::SchemaGenerator::default().into_root_schema_for::<T>();
        let text = serde_json::to_string(&schema)
            .map_err(|error| Error::new(ErrorKind::Syntax, format!("the type's schema cannot be written: {error}")))?;
        Self::from_json(name, &text)
    }

    /// Is every rule in the portable profile, which a registered contract must keep to?
    ///
    /// # Errors
    ///
    /// The first rule that is not, with its place and the way out.
    pub fn check_portable(&self) -> Result<(), Error> {
        self.not_portable.clone().map_or(Ok(()), Err)
    }

    /// The contract's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The typed tree.
    pub fn schema(&self) -> &Schema {
        &self.document.root
    }

    /// The schema's text as it was written, minified; keys keep their order.
    pub fn to_json(&self) -> String {
        self.source.compact()
    }

    /// The grammar whose texts are this contract's valid documents.
    pub fn grammar(&self) -> Grammar {
        self.grammar_spaced(Spacing::Compact)
    }

    /// The same with white space in the documents.
    pub fn grammar_spaced(&self, spacing: Spacing) -> Grammar {
        grammar::compile(&self.document.root, spacing)
    }

    /// What an endpoint of this dialect is sent, and what that makes sure of; made when it is first asked for, and kept.
    pub fn lower(&self, dialect: Dialect) -> Lowered {
        let make = || self.lowered_anew(dialect, &[]);
        let place = Dialect::ALL.iter().position(|known| *known == dialect);
        let kept = place.and_then(|place| self.lowered.get(place));
        kept.map_or_else(make, |kept| kept.get_or_init(make).clone())
    }

    /// The same, lowered further: these keywords, for which an endpoint refused the schema, are left to the validator
    /// wherever they stand. What gives a document its shape (types, properties, items, references) stays all the same, and
    /// so does a grammar.
    ///
    /// ```
    /// use slm_schema::{Contract, Dialect, Tier};
    ///
    /// let contract = Contract::from_json("code", r#"{"type": "string", "pattern": "^(?!x)y$"}"#)?;
    /// let lowered = contract.lower_without(Dialect::Openai, &["pattern".to_owned()]);
    /// assert!(lowered.report.exceptions().any(|entry| entry.keyword == "pattern" && entry.tier == Tier::Validator));
    /// # Ok::<(), slm_schema::Error>(())
    /// ```
    pub fn lower_without(&self, dialect: Dialect, keywords: &[String]) -> Lowered {
        if keywords.is_empty() { self.lower(dialect) } else { self.lowered_anew(dialect, keywords) }
    }

    fn lowered_anew(&self, dialect: Dialect, keywords: &[String]) -> Lowered {
        let source = self.placed.as_ref().unwrap_or(&self.source);
        lower::lower(source, &self.document.root, &self.document.report, dialect, keywords)
    }

    /// The schema as a model should read it, with the schema's first example if it is a valid one.
    pub fn describe(&self) -> String {
        describe::describe(&self.document, self.example.as_deref())
    }

    /// The schema's first example, spelled as the grammar spells it.
    pub fn example(&self) -> Option<&str> {
        self.example.as_deref()
    }

    /// A random document in canonical spelling; the same seed gives the same one.
    ///
    /// It satisfies every rule that the grammar holds. Where rules are left to the validator and the feature `validate` is
    /// on, some documents are tried; `None` where none of them satisfied all rules.
    pub fn sample(&self, seed: u64) -> Option<String> {
        // Seeds of neighbouring calls do not meet.
        (0..SAMPLE_ATTEMPTS).find_map(|attempt| {
            let text = sample::sample(&self.document, Some(seed.wrapping_mul(SAMPLE_ATTEMPTS).wrapping_add(attempt)));
            self.is_valid_text(&text).then_some(text)
        })
    }

    /// The smallest document that is easily found, or `None` where it breaks a rule that is left to the validator.
    pub fn minimal(&self) -> Option<String> {
        Some(sample::sample(&self.document, None)).filter(|text| self.is_valid_text(text))
    }

    fn is_valid_text(&self, text: &str) -> bool {
        serde_json::from_str::<Value>(text).is_ok_and(|value| {
            #[cfg(feature = "validate")]
            let is_valid = self.validate(&value).is_empty();
            #[cfg(not(feature = "validate"))]
            let is_valid = self.document.root.conforms(&value);
            is_valid
        })
    }

    /// A document spelled as the grammar spells it: compact, declared properties in schema order. `None` where the text is
    /// no JSON, or does not fit the schema.
    pub fn respell(&self, text: &str) -> Option<String> {
        let json: Json = serde_json::from_str(text).ok()?;
        describe::respell(&json, &self.document.root)
    }

    /// The size of the largest valid document, or `None` where something in it has no bound; [`Schema::bound`] says what.
    pub fn bound(&self) -> Option<Bound> {
        self.document.root.bound().ok()
    }

    /// Is every property required and every object closed, with nothing free-form inside?
    pub fn is_strict(&self) -> bool {
        is_strict(&self.document.root) && self.document.targets().all(is_strict)
    }

    /// Everything in `value` that breaks the original schema; empty where it is valid.
    #[cfg(feature = "validate")]
    pub fn validate(&self, value: &Value) -> Vec<crate::Violation> {
        self.validator.violations(value)
    }

    /// The original schema as a `serde_json` value.
    pub fn to_value(&self) -> Value {
        self.source.to_value()
    }
}

impl fmt::Debug for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contract")
            .field("name", &self.name)
            .field("schema", &self.document.root)
            .finish_non_exhaustive()
    }
}

fn check_name(name: &str) -> Result<(), Error> {
    let fits = (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if fits {
        return Ok(());
    }
    let message = format!("\"{}\" is no contract name; use 1 to 64 of A-Z a-z 0-9 _ -", name.escape_debug());
    Err(Error::new(ErrorKind::InvalidName, message))
}

fn is_strict(schema: &Schema) -> bool {
    match &schema.shape {
        Shape::Any => false,
        Shape::Object(object) => {
            let closed = !object.open && object.additional.is_none();
            closed && object.properties.iter().all(|property| property.required && is_strict(&property.schema))
        }
        Shape::Array(array) => array.prefix.iter().all(is_strict) && is_strict(&array.items),
        Shape::Union(members) => members.iter().all(is_strict),
        Shape::String(_)
        | Shape::Pattern(_)
        | Shape::Integer(_)
        | Shape::Number
        | Shape::Boolean
        | Shape::Null
        | Shape::Enum(_)
        // What is referred to is looked at by itself.
        | Shape::Reference(_) => true,
    }
}
