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
//! * Text that is JSON costs one parse, and comes back as it is. Other text is read once by a tolerant reader, which leaves
//!   each kind of damage to the rung whose business it is; all that took part are reported in the order of [`Rung`], and
//!   each change with its place ([`Repaired::changes`]), so that a caller can refuse.
//! * Nothing is guessed. Where two readings are equally plausible the answer is [`ErrorKind::Ambiguous`].
//! * Reading takes time linear in the text, and does not recurse by its depth: hostile text is an error, not an abort.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod change;
mod choose;
mod coerce;
mod documents;
mod draft;
mod edit;
mod error;
mod escaped;
mod ladder;
mod mend;
mod parse;
mod quote;
mod reader;
mod reasoning;
mod repaired;
mod rung;
mod scan;
mod stack;
mod stats;
mod stream;
mod string;
mod tree;
mod wrapper;

pub use change::{Change, What};
pub use coerce::Coercion;
pub use error::{Error, ErrorKind, Open, Partial, Phase};
pub use ladder::{Options, repair, repair_as, repair_to_depth, repair_with};
pub use repaired::Repaired;
pub use rung::Rung;
pub use stats::{Action, Fingerprint, RepairCounts, RepairStats};
pub use stream::{StreamScanner, StreamStatus};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
