//! Contracts for small language models: a JSON Schema that is compiled, explained and enforced.
//!
//! A [`Contract`] is a named output schema. It gives the GBNF [`Grammar`] that lets a decoder write nothing but valid
//! documents, the text that a prompt shows the model, the size a document can reach, and, for each [`Dialect`] of
//! endpoint, what is sent there and which rules that makes sure of.
//!
//! ```
//! use slm_schema::{Contract, Dialect};
//!
//! let text = r#"{
//!     "type": "object",
//!     "properties": {"city": {"type": "string", "maxLength": 40}, "hot": {"type": "boolean"}},
//!     "required": ["city", "hot"],
//!     "additionalProperties": false
//! }"#;
//! let contract = Contract::from_json("weather", text)?;
//! assert!(contract.grammar().as_str().starts_with(r#"root ::= "{\"city\":" string-0-40 ",\"hot\":" boolean "}""#));
//! assert!(contract.lower(Dialect::Gbnf).report.is_fully_enforced());
//! # Ok::<(), slm_schema::Error>(())
//! ```
//!
//! The sixteen contracts of a coding harness are in [`Registry::builtin`]. Schemas are read in the portable profile, a
//! subset of draft-07; whatever lies outside is an [`Error`] that names pointer and keyword.
//!
//! With the feature `validate` (on by default) a contract also judges documents against its original schema.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod bound;
mod circles;
mod conforms;
mod contract;
mod describe;
mod error;
mod grammar;
mod intersect;
mod json;
mod keywords;
mod lower;
#[cfg(feature = "validate")]
mod nullable;
mod pattern;
mod pointer;
mod portable;
mod read;
mod registry;
mod report;
mod resources;
mod sample;
mod schema;
mod size;
mod stop;
#[cfg(feature = "validate")]
mod validate;

pub use bound::Bound;
pub use contract::Contract;
pub use error::{Error, ErrorKind};
pub use grammar::{Grammar, Spacing};
pub use lower::{Constraint, Dialect, Lowered};
pub use pattern::Pattern;
pub use pointer::Pointer;
pub use registry::Registry;
pub use report::{EnforcementReport, Entry, Tier};
pub use schema::{Additional, ArrayShape, EnumValue, ObjectShape, Property, Range, Reference, Schema, Shape, Size};
pub use stop::may_occur_in_json;
#[cfg(feature = "validate")]
pub use validate::Violation;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
