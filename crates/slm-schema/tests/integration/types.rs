//! Contracts of Rust types, as schemars describes them.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use slm_schema::{Contract, Dialect, Tier};

use crate::engine::Engine;

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Review {
    /// What is wrong.
    findings: Vec<Finding>,
    scores: BTreeMap<String, u8>,
    verdict: Verdict,
    note: Option<String>,
    pair: (bool, char),
    parent: Option<Box<Self>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Finding {
    line: u32,
    message: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Approve,
    Reject { reason: String },
    Ask(Vec<String>),
}

fn contract_of<T: JsonSchema>() -> Contract {
    let schema = schemars::SchemaGenerator::default().into_root_schema_for::<T>();
    Contract::from_json("t", &serde_json::to_string(&schema).unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn samples_of_a_rust_type_are_values_of_it() {
    let contract = contract_of::<Review>();
    let mut engine = Engine::new(contract.grammar().as_str());
    for seed in 0..100 {
        let text = contract.sample(seed).unwrap();
        let review: Review = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(engine.accepts(&text), "{text}");
        let again = serde_json::to_string(&review).unwrap();
        assert_eq!(contract.validate(&serde_json::from_str(&again).unwrap()), [], "{again}");
    }
}

#[cfg(feature = "schemars")]
#[test]
fn a_contract_is_made_of_a_type_in_the_order_of_its_fields() {
    let contract = Contract::of::<Finding>("finding").unwrap();
    assert!(contract.grammar().as_str().starts_with(r#"root ::= "{\"line\":""#), "{}", contract.grammar());
}

/// The ways in which serde writes an enum with data.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Enums {
    outside: Shape,
    inside: Tagged,
    beside: Adjacent,
    bare: Untagged,
    maybe: Option<Shape>,
    nested: Vec<Option<Tagged>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
enum Shape {
    Point,
    Circle(u32),
    Line((i8, i8), bool),
    Box { width: u16, height: Option<u16> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Tagged {
    Nothing,
    HasName { name: String },
    Whole(Finding),
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Empty,
    One(String),
    Two(u8, String),
    Named { a: bool },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Text(String),
    List(Vec<bool>),
    Finding(Finding),
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Containers {
    fixed: [u8; 3],
    set: BTreeSet<Letter>,
    map: BTreeMap<String, Option<Finding>>,
    unit: (),
    boxed: Box<Letter>,
    wrapped: Wrapped,
    not_zero: std::num::NonZeroU8,
    large: (i64, u64),
    small: f32,
    #[serde(default)]
    count: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[schemars(range(min = 1, max = 5), extend("examples" = [3]))]
    stars: u8,
    #[schemars(length(min = 2, max = 4))]
    code: String,
    #[schemars(regex(pattern = "^[a-z]+(-[a-z]+)*$"))]
    slug: String,
    expression: Expression,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
enum Letter {
    /// The first.
    A,
    B,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Wrapped(#[schemars(length(max = 3))] String);

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", deny_unknown_fields)]
enum Expression {
    Leaf { value: i64 },
    Not { inner: Box<Self> },
    All { parts: Vec<Self> },
}

/// Samples are read as values of the type, and what the type writes is valid; the keywords that are left to the validator.
#[track_caller]
fn left_over<T: JsonSchema + Serialize + DeserializeOwned>() -> BTreeSet<String> {
    let contract = contract_of::<T>();
    let mut engine = Engine::new(contract.grammar().as_str());
    for seed in 0..50 {
        let text = contract.sample(seed).unwrap_or_else(|| panic!("no sample of {}", contract.to_json()));
        assert!(engine.accepts(&text), "{text}");
        let value: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let again = serde_json::to_value(&value).unwrap();
        assert_eq!(contract.validate(&again), [], "{again}");
    }
    let report = contract.lower(Dialect::Gbnf).report;
    report.exceptions().filter(|entry| entry.tier == Tier::Validator).map(|entry| entry.keyword.clone()).collect()
}

#[test]
fn enums_with_data_compile_in_every_representation() {
    assert_eq!(left_over::<Enums>(), BTreeSet::new());
}

#[test]
fn containers_and_attributes_compile() {
    assert_eq!(left_over::<Containers>(), BTreeSet::from(["uniqueItems".to_owned()]));
}
