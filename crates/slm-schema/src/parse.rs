//! JSON text to [`Schema`]: the portable profile.
//!
//! Everything a registered contract may say is read here, and whatever else stands in the text is an error that names its
//! place: a keyword that were skipped silently would be a rule that nobody enforces.

use std::collections::HashSet;

use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::pointer::Pointer;
use crate::schema::{ArrayShape, EnumValue, ObjectShape, Property, Range, Schema, Shape, Size};

/// Keywords that say nothing about validity.
const ANNOTATIONS: [&str; 7] = ["$schema", "$id", "$comment", "title", "description", "examples", "default"];

/// The profile's assertions, for the error text.
const ASSERTIONS: &str = "type, properties, required, items, enum, additionalProperties, minItems, maxItems, minLength, \
                          maxLength, minimum, maximum";

/// Is `keyword` an annotation?
pub(crate) fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword)
}

/// Reads a schema node and everything below it. Recursion is bounded: serde_json refuses a text nested deeper than 128.
pub(crate) fn parse(json: &Json, pointer: &Pointer) -> Result<Schema, Error> {
    let Json::Object(members) = json else {
        let message = "a schema is an object here; write {\"type\": …} instead of a boolean or another value";
        return Err(Error::new(ErrorKind::InvalidKeyword, message).at(pointer.as_str()));
    };
    let node = Node { members, pointer };
    let shape = if json.get("enum").is_some() { node.enumeration()? } else { node.typed()? };
    Ok(Schema { title: node.annotation("title")?, description: node.annotation("description")?, shape })
}

/// A schema object being read, with its place for error messages.
struct Node<'a> {
    members: &'a [(String, Json)],
    pointer: &'a Pointer,
}

impl<'a> Node<'a> {
    fn get(&self, keyword: &str) -> Option<&'a Json> {
        self.members.iter().find(|(name, _)| name == keyword).map(|(_, value)| value)
    }

    fn error(&self, kind: ErrorKind, keyword: &str, message: impl Into<String>) -> Error {
        Error::new(kind, message).at(self.pointer.as_str()).keyword_named(keyword)
    }

    fn invalid(&self, keyword: &str, message: impl Into<String>) -> Error {
        self.error(ErrorKind::InvalidKeyword, keyword, message)
    }

    fn annotation(&self, keyword: &str) -> Result<Option<String>, Error> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.invalid(keyword, "must be a string")),
        }
    }

    /// Refuses every keyword that is neither an annotation nor in `allowed`.
    fn only(&self, allowed: &[&str], context: &str) -> Result<(), Error> {
        let stranger = self
            .members
            .iter()
            .map(|(name, _)| name.as_str())
            .find(|name| !is_annotation(name) && *name != "type" && !allowed.contains(name));
        match stranger {
            None => Ok(()),
            Some(name) if ASSERTIONS.split(", ").any(|known| known == name) => Err(self.error(
                ErrorKind::UnsupportedKeyword,
                name,
                format!("has no meaning beside {context}; remove it"),
            )),
            Some(name) => {
                let message = format!(
                    "is not in the portable profile; remove it and check the rule after the reply, or say it with: {ASSERTIONS}"
                );
                Err(self.error(ErrorKind::UnsupportedKeyword, name, message))
            }
        }
    }

    fn typed(&self) -> Result<Shape, Error> {
        let name = match self.get("type") {
            Some(Json::String(name)) => name.as_str(),
            Some(Json::Array(_)) => {
                let message = "a list of types is not in the portable profile; choose one type";
                return Err(self.error(ErrorKind::UnsupportedKeyword, "type", message));
            }
            Some(_) => return Err(self.invalid("type", "must be the name of a type, as a string")),
            None => {
                self.only(&ASSERTIONS.split(", ").collect::<Vec<_>>(), "")?;
                return Err(self.invalid("type", "is missing; say the type, or list the values with `enum`"));
            }
        };
        let context = format!("`type: {name}`");
        match name {
            "object" => {
                self.only(&["properties", "required", "additionalProperties"], &context)?;
                self.object()
            }
            "array" => {
                self.only(&["items", "minItems", "maxItems"], &context)?;
                self.array()
            }
            "string" => {
                self.only(&["minLength", "maxLength"], &context)?;
                Ok(Shape::String(self.size("minLength", "maxLength")?))
            }
            "integer" => {
                self.only(&["minimum", "maximum"], &context)?;
                self.integer()
            }
            "number" => self.only(&[], &context).map(|()| Shape::Number),
            "boolean" => self.only(&[], &context).map(|()| Shape::Boolean),
            "null" => self.only(&[], &context).map(|()| Shape::Null),
            other => {
                let message = format!(
                    "unknown type \"{other}\"; the types are object, array, string, integer, number, boolean, null"
                );
                Err(self.invalid("type", message))
            }
        }
    }

    fn object(&self) -> Result<Shape, Error> {
        let declared: &[(String, Json)] = match self.get("properties") {
            None => &[],
            Some(Json::Object(members)) => members,
            Some(_) => return Err(self.invalid("properties", "must be an object of schemas")),
        };
        let required = self.required(declared)?;
        let below = self.pointer.key("properties");
        let properties = declared
            .iter()
            .map(|(name, json)| {
                let schema = parse(json, &below.key(name))?;
                Ok(Property { name: name.clone(), required: required.contains(name.as_str()), schema })
            })
            .collect::<Result<_, Error>>()?;
        let open = match self.get("additionalProperties") {
            None | Some(Json::Bool(true)) => true,
            Some(Json::Bool(false)) => false,
            Some(_) => {
                let message = "a schema is not in the portable profile; use false, and declare each property";
                return Err(self.error(ErrorKind::UnsupportedKeyword, "additionalProperties", message));
            }
        };
        Ok(Shape::Object(ObjectShape { properties, open }))
    }

    fn required(&self, declared: &[(String, Json)]) -> Result<HashSet<&'a str>, Error> {
        let names = match self.get("required") {
            None => return Ok(HashSet::new()),
            Some(Json::Array(names)) => names,
            Some(_) => return Err(self.invalid("required", "must be an array of property names")),
        };
        let known: HashSet<&str> = declared.iter().map(|(name, _)| name.as_str()).collect();
        let mut required = HashSet::new();
        for name in names {
            let Json::String(name) = name else {
                return Err(self.invalid("required", "must be an array of property names"));
            };
            if !known.contains(name.as_str()) {
                let message = format!("names \"{name}\", which `properties` does not declare; declare it there");
                return Err(self.error(ErrorKind::UnsupportedKeyword, "required", message));
            }
            if !required.insert(name.as_str()) {
                return Err(self.invalid("required", format!("names \"{name}\" twice")));
            }
        }
        Ok(required)
    }

    fn array(&self) -> Result<Shape, Error> {
        let below = self.pointer.key("items");
        let items = match self.get("items") {
            Some(json @ Json::Object(_)) => parse(json, &below)?,
            Some(_) => {
                let message = "must be one schema here; tuples and booleans are not in the portable profile";
                return Err(self.error(ErrorKind::UnsupportedKeyword, "items", message));
            }
            None => return Err(self.invalid("items", "is missing; say what each item looks like")),
        };
        Ok(Shape::Array(ArrayShape { items: Box::new(items), size: self.size("minItems", "maxItems")? }))
    }

    fn size(&self, min: &str, max: &str) -> Result<Size, Error> {
        let least = self.count(min)?.unwrap_or(0);
        let most = self.count(max)?;
        Size::new(least, most).ok_or_else(|| {
            self.error(ErrorKind::Unsatisfiable, min, format!("is {least}, which is more than `{max}` allows"))
        })
    }

    fn count(&self, keyword: &str) -> Result<Option<usize>, Error> {
        let Some(json) = self.get(keyword) else { return Ok(None) };
        let number = self.whole(keyword, json)?;
        usize::try_from(number).map(Some).map_err(|_| self.invalid(keyword, "must be a whole number from 0 up"))
    }

    fn integer(&self) -> Result<Shape, Error> {
        let bound = |keyword: &str| self.get(keyword).map(|json| self.whole(keyword, json)).transpose();
        let (min, max) = (bound("minimum")?, bound("maximum")?);
        let range = Range::new(min, max)
            .ok_or_else(|| self.error(ErrorKind::Unsatisfiable, "minimum", "is greater than `maximum`"))?;
        Ok(Shape::Integer(range))
    }

    /// A keyword's value as a whole number; the draft counts `5.0` as one.
    fn whole(&self, keyword: &str, json: &Json) -> Result<i64, Error> {
        let Json::Number(number) = json else {
            return Err(self.invalid(keyword, "must be a whole number"));
        };
        if let Some(whole) = number.as_i64() {
            return Ok(whole);
        }
        match number.as_f64() {
            // Above 2^53 a double no longer says which integer was meant.
            Some(float) if float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0 => {
                #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53, as just checked")]
                let whole = float as i64;
                Ok(whole)
            }
            _ => Err(self.invalid(keyword, format!("must be a whole number of at most 64 bits, not {number}"))),
        }
    }

    fn enumeration(&self) -> Result<Shape, Error> {
        self.only(&["enum"], "`enum`")?;
        let values = match self.get("enum") {
            Some(Json::Array(values)) if !values.is_empty() => values,
            Some(Json::Array(_)) => {
                return Err(self.error(ErrorKind::Unsatisfiable, "enum", "is empty, so no value is valid"));
            }
            _ => return Err(self.invalid("enum", "must be an array of values")),
        };
        let mut seen = HashSet::new();
        let mut members = Vec::with_capacity(values.len());
        for json in values {
            let member = EnumValue { value: json.to_value(), text: json.compact() };
            self.check_member_type(json, &member.text)?;
            if !seen.insert(member.text.clone()) {
                return Err(self.invalid("enum", format!("lists {} twice", member.text)));
            }
            members.push(member);
        }
        Ok(Shape::Enum(members))
    }

    /// `type` beside `enum` must agree with every member; one that does not could never be written.
    fn check_member_type(&self, json: &Json, text: &str) -> Result<(), Error> {
        let name = match self.get("type") {
            None => return Ok(()),
            Some(Json::String(name)) => name.as_str(),
            Some(_) => return Err(self.invalid("type", "must be the name of one type beside `enum`")),
        };
        let agrees = match json {
            Json::Null => name == "null",
            Json::Bool(_) => name == "boolean",
            Json::Number(number) => name == "number" || (name == "integer" && !number.is_f64()),
            Json::String(_) => name == "string",
            Json::Array(_) => name == "array",
            Json::Object(_) => name == "object",
        };
        if agrees { Ok(()) } else { Err(self.invalid("enum", format!("lists {text}, which is no {name}"))) }
    }
}
