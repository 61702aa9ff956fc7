//! The sixteen built-in contracts: all there, bounded, useful in a prompt; and their snapshots mean what they say.

use std::fs;
use std::path::{Path, PathBuf};

use slm_schema::{Contract, Error, ErrorKind, Registry, Schema, Shape};

use crate::engine::Engine;

const NAMES: [&str; 16] = [
    "plan",
    "tasks",
    "review",
    "tester",
    "clarify",
    "escalate",
    "composition",
    "scope_judge",
    "worker",
    "explore",
    "docs",
    "architect",
    "coordinator",
    "orchestrator",
    "placeholder",
    "lessons",
];

/// Those in which a property may be left out.
const NOT_STRICT: [&str; 4] = ["review", "clarify", "worker", "orchestrator"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/contracts")
}

fn documents(contract: &Contract, verdict: &str) -> Vec<(PathBuf, String)> {
    let folder = fixtures().join(contract.name()).join(verdict);
    let mut found: Vec<(PathBuf, String)> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect();
    found.sort();
    assert!(found.len() >= 3, "{} needs at least three documents", folder.display());
    found
}

#[test]
fn all_sixteen_are_registered() {
    assert_eq!(Registry::builtin().names().collect::<Vec<_>>(), NAMES);
}

#[test]
fn strictness_is_computed() {
    let not_strict: Vec<&str> =
        Registry::builtin().iter().filter(|contract| !contract.is_strict()).map(Contract::name).collect();
    assert_eq!(not_strict, NOT_STRICT);
}

#[test]
fn grammar_validator_and_structural_check_agree_on_every_document() {
    for contract in Registry::builtin().iter() {
        let mut engine = Engine::new(contract.grammar().as_str());
        for (path, text) in documents(contract, "accept") {
            let value = serde_json::from_str(&text).unwrap();
            assert!(engine.accepts(&text), "the grammar must accept {}", path.display());
            assert_eq!(contract.validate(&value), [], "{}", path.display());
            assert!(contract.schema().conforms(&value), "{}", path.display());
        }
        for (path, text) in documents(contract, "reject") {
            assert!(!engine.accepts(&text), "the grammar must refuse {}", path.display());
            if let Ok(value) = serde_json::from_str(&text) {
                assert_ne!(contract.validate(&value), [], "{}", path.display());
                assert!(!contract.schema().conforms(&value), "{}", path.display());
            }
        }
    }
}

#[test]
fn everything_a_model_can_write_is_bounded() {
    for contract in Registry::builtin().iter() {
        let bound = contract.bound().unwrap_or_else(|| panic!("{} has no bound", contract.name()));
        for (path, text) in documents(contract, "accept") {
            assert!(text.chars().count() <= bound.max_bytes(), "{}", path.display());
        }
        assert!(bound.chars() <= 6000, "{}: {}", contract.name(), bound.chars());
    }
}

#[test]
fn every_property_is_described() {
    fn undescribed(schema: &Schema, place: &str, found: &mut Vec<String>) {
        match &schema.shape {
            Shape::Object(object) => {
                for property in &object.properties {
                    let place = format!("{place}/{}", property.name);
                    if property.schema.description.is_none() && !matches!(property.schema.shape, Shape::Enum(_)) {
                        found.push(place.clone());
                    }
                    undescribed(&property.schema, &place, found);
                }
            }
            Shape::Array(array) => undescribed(&array.items, place, found),
            Shape::String(_) | Shape::Integer(_) | Shape::Boolean | Shape::Enum(_) => {}
            Shape::Number | Shape::Null | _ => panic!("{place}: a shape that no built-in contract uses"),
        }
    }
    let mut found = Vec::new();
    for contract in Registry::builtin().iter() {
        assert!(contract.schema().title.is_some() && contract.schema().description.is_some(), "{}", contract.name());
        undescribed(contract.schema(), contract.name(), &mut found);
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn descriptions_are_short_and_show_a_valid_example() {
    for contract in Registry::builtin().iter() {
        let example = contract.example().unwrap_or_else(|| panic!("{} has no valid example", contract.name()));
        assert!(Engine::new(contract.grammar().as_str()).accepts(example), "{}: {example}", contract.name());
        let (described, schema) = (contract.describe(), contract.to_json());
        assert!(described.ends_with(example), "{described}");
        let (length, limit) = (described.chars().count(), schema.chars().count() / 2);
        assert!(length <= limit, "{}: {length} of {limit}\n{described}", contract.name());
    }
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let error: Error = Registry::builtin().get("reveiw").expect_err("unknown");
    assert_eq!(error.kind(), ErrorKind::UnknownContract);
    for name in NAMES {
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn a_name_is_registered_once() {
    let contract = || Contract::from_json("mine", r#"{"type": "null"}"#).unwrap();
    let mut registry = Registry::new();
    registry.register(contract()).unwrap();
    assert_eq!(registry.register(contract()).expect_err("twice").kind(), ErrorKind::DuplicateContract);
    assert_eq!(registry.get("mine").unwrap().name(), "mine");
}
