//! A contract: a named, parsed output schema. It is what everyone passes around.

use std::fmt;

use serde_json::Value;

use crate::bound::Bound;
use crate::describe;
use crate::error::{Error, ErrorKind};
use crate::grammar::{self, Grammar};
use crate::json::Json;
use crate::lower::{self, Dialect, Lowered};
use crate::parse;
use crate::pointer::Pointer;
use crate::schema::{Schema, Shape};

/// The longest name that OpenAI takes for a schema.
const LONGEST_NAME: usize = 64;

/// A named output schema, read and checked once.
pub struct Contract {
    name: String,
    source: Json,
    schema: Schema,
    example: Option<String>,
    #[cfg(feature = "validate")]
    validator: crate::validate::Validator,
}

impl Contract {
    /// Reads a contract from the text of a JSON Schema.
    ///
    /// # Errors
    ///
    /// The text is no JSON; a keyword lies outside the portable profile (the error names pointer and keyword); no document
    /// can satisfy the schema; the name is not 1 to 64 of `A-Z a-z 0-9 _ -`, which is what endpoints take.
    ///
    /// ```
    /// use slm_schema::Contract;
    ///
    /// let text = r#"{"type": "object", "properties": {"age": {"type": "integer", "multipleOf": 5}}}"#;
    /// let error = Contract::from_json("person", text).unwrap_err();
    /// assert_eq!(error.pointer(), Some("/properties/age"));
    /// assert_eq!(error.keyword(), Some("multipleOf"));
    /// ```
    pub fn from_json(name: &str, text: &str) -> Result<Self, Error> {
        check_name(name)?;
        let source: Json = serde_json::from_str(text)
            .map_err(|error| Error::new(ErrorKind::Syntax, format!("the schema is no JSON document: {error}")))?;
        let schema = parse::parse(&source, &Pointer::root())?;
        let example = match source.get("examples") {
            Some(Json::Array(examples)) => examples.first().and_then(|json| describe::respell(json, &schema)),
            _ => None,
        };
        Ok(Self {
            name: name.to_owned(),
            #[cfg(feature = "validate")]
            validator: crate::validate::Validator::new(&source.to_value())?,
            source,
            schema,
            example,
        })
    }

    /// The contract's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The typed tree.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The schema's text as it was written, minified; keys keep their order.
    pub fn to_json(&self) -> String {
        self.source.compact()
    }

    /// The grammar whose texts are this contract's valid documents.
    pub fn grammar(&self) -> Grammar {
        grammar::compile(&self.schema)
    }

    /// What an endpoint of this dialect is sent, and what that makes sure of.
    pub fn lower(&self, dialect: Dialect) -> Lowered {
        lower::lower(&self.source, &self.schema, dialect)
    }

    /// The schema as a model should read it, with the schema's first example if it is a valid one.
    pub fn describe(&self) -> String {
        describe::describe(&self.schema, self.example.as_deref())
    }

    /// The schema's first example, spelled as the grammar spells it.
    pub fn example(&self) -> Option<&str> {
        self.example.as_deref()
    }

    /// The size of the largest valid document, or `None` where something in it has no bound.
    pub fn bound(&self) -> Option<Bound> {
        self.schema.bound()
    }

    /// Is every property required and every object closed, with nothing free-form inside?
    pub fn is_strict(&self) -> bool {
        is_strict(&self.schema)
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
        f.debug_struct("Contract").field("name", &self.name).field("schema", &self.schema).finish_non_exhaustive()
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
        Shape::Object(object) => {
            !object.open && object.properties.iter().all(|property| property.required && is_strict(&property.schema))
        }
        Shape::Array(array) => is_strict(&array.items),
        Shape::String(_) | Shape::Integer(_) | Shape::Number | Shape::Boolean | Shape::Null | Shape::Enum(_) => true,
    }
}
