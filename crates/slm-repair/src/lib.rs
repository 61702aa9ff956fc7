//! Turns what a language model said into the JSON value it meant, or says why not.
//!
//! Models wrap documents in prose and fences, forget closers, write Python instead of JSON, and are cut off. What is
//! damaged in form only is repaired, by named rungs, so that a caller can count and refuse them. What lost data is an
//! error, never a value: a document cut off inside a string is [`ErrorKind::Truncated`], not a shorter document.
//!
//! ```
//! use slm_repair::{ErrorKind, Open, Rung, repair};
//!
//! let repaired = repair("Sure! ```json\n{'city': 'Oslo', 'warm': False,}\n``` Anything else?")?;
//! assert_eq!(repaired.value, serde_json::json!({"city": "Oslo", "warm": false}));
//! assert_eq!(repaired.rung, Rung::PythonBools);
//! assert_eq!(repaired.rungs, [Rung::Fence, Rung::TrailingComma, Rung::Quotes, Rung::PythonBools]);
//!
//! let error = repair(r#"{"city": "Os"#).unwrap_err();
//! assert_eq!((error.kind(), error.open()), (ErrorKind::Truncated, Some(Open::String)));
//! # Ok::<(), slm_repair::Error>(())
//! ```
//!
//! With a schema, [`repair_as`] chooses between several documents, and coerces values where nothing is lost:
//!
//! ```
//! let text = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
//! let contract = slm_schema::Contract::from_json("count", text)?;
//! let repaired = slm_repair::repair_as(r#"{"n": "3"}"#, contract.schema())?;
//! assert_eq!(repaired.text, r#"{"n": 3}"#);
//! assert_eq!(repaired.coercions[0].pointer, "/n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules
//!
//! * The rungs are tried in the order of [`Rung`], with a parse after each that changed something. Text that is JSON costs
//!   one parse.
//! * Nothing is guessed. Where two readings are equally plausible the answer is [`ErrorKind::Ambiguous`].
//! * Every rung takes time linear in the text, and none recurses by its depth: hostile text is an error, not an abort.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod coerce;
mod documents;
mod edit;
mod error;
mod ladder;
mod reasoning;
mod rung;
mod scan;
mod stream;
mod tree;
mod truncation;
mod walk;

pub use coerce::Coercion;
pub use error::{Error, ErrorKind, Open};
pub use ladder::{Options, Repaired, repair, repair_as, repair_with};
pub use rung::Rung;
pub use stream::{StreamScanner, StreamStatus};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
