//! Agents for small language models, declared by what they are and the tools they use.
//!
//! A [`RoleSpec`] names a role and its tools. Normalising it fills in the rest: the contract the role emits, and how its
//! answers are decoded. A language in the id is no role of its own, so a `go-worker` emits the contract of a `worker`.
//!
//! ```
//! use slm_agents::{RoleSpec, check_prompt, prompt_for};
//! use slm_schema::Registry;
//!
//! // With tools, nothing constrains the decoding: a grammar would forbid the tool call.
//! let worker = RoleSpec::new("go-worker").tools(["read", "edit"]).normalize();
//! assert_eq!(worker.decoding.contract.as_deref(), Some("worker"));
//! assert!(worker.decoding.serial_tools && !worker.decoding.json_only);
//!
//! // Without tools, the answer is the contract and nothing else.
//! let review = RoleSpec::new("review").normalize();
//! assert!(review.decoding.json_only);
//!
//! // The built-in prompt shows the contract, and promises no field that the contract lacks.
//! let contract = Registry::builtin().get("review")?;
//! let prompt = prompt_for("review")?;
//! assert!(prompt.render(contract).contains("\"verdict\""));
//! assert!(check_prompt(prompt.template(), contract).is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`check_prompt`] is for prompts of your own: it finds the fields that a prompt promises and its contract does not
//! have, which a constrained model cannot write and an unconstrained one writes in vain, and examples that the contract
//! refuses. [`unmentioned_fields`] finds what the contract requires and the prompt never speaks of.
//!
//! `load_dir` reads agents from YAML files and refuses what is not sound, with its place (feature `yaml`, on by default);
//! `Loader` tells everything that is wrong at once.
//!
//! This crate talks to no endpoint: it says what to ask for, not how to send it.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

#[cfg(feature = "yaml")]
mod agent;
mod consistency;
mod error;
mod id;
mod language;
#[cfg(feature = "yaml")]
mod load;
mod nearest;
mod normalize;
mod problem;
mod prompt;
mod role;
mod roles;
#[cfg(feature = "yaml")]
mod tool;
#[cfg(feature = "yaml")]
mod yaml;

#[cfg(feature = "yaml")]
pub use agent::AgentSpec;
pub use consistency::{Finding, Promise, check_agent, check_prompt, unmentioned_fields};
pub use error::{Error, ErrorKind};
pub use id::{base_role, emits_contract, is_free_text};
#[cfg(feature = "yaml")]
pub use load::{Loaded, Loader, load_dir, load_file};
pub use normalize::{STOP_SEQUENCES, normalize_decoding};
pub use problem::{Gravity, Problem, ProblemKind};
pub use prompt::{CONTRACT_PLACEHOLDER, Prompt, prompt_for};
pub use role::{Decoding, Overrides, RoleSpec};
pub use roles::built_in_roles;

#[cfg(all(doctest, feature = "yaml"))]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
