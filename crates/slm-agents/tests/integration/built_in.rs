//! The built-in roles and their prompts hold together.

use slm_agents::{
    CONTRACT_PLACEHOLDER, Finding, built_in_roles, check_prompt, emits_contract, is_free_text, prompt_for,
};
use slm_schema::{Registry, Shape};

use crate::contract;

/// Longest prompt before the contract, in words: a small model follows one page, not three.
const LONGEST: usize = 120;

#[test]
fn the_roles_that_emit_are_the_contracts() {
    let roles = built_in_roles();
    let emitting: Vec<&str> =
        roles.iter().filter(|role| emits_contract(&role.id)).map(|role| role.id.as_str()).collect();
    let mut contracts: Vec<&str> = Registry::builtin().names().collect();
    let mut sorted = emitting.clone();
    sorted.sort_unstable();
    contracts.sort_unstable();
    assert_eq!(sorted, contracts);
    let rest: Vec<&str> = roles.iter().filter(|role| is_free_text(&role.id)).map(|role| role.id.as_str()).collect();
    assert_eq!(rest, ["context", "memory", "describer"]);
    assert_eq!(emitting.len() + rest.len(), roles.len());
}

#[test]
fn a_role_has_a_prompt_if_and_only_if_it_emits_a_contract() {
    for role in built_in_roles() {
        assert_eq!(prompt_for(&role.id).is_ok(), role.decoding.contract.is_some(), "{}", role.id);
    }
}

#[test]
fn no_prompt_promises_a_field_that_its_contract_does_not_have() {
    for name in Registry::builtin().names() {
        let prompt = prompt_for(name).unwrap();
        for text in [prompt.template().to_owned(), prompt.render(contract(name))] {
            let findings: Vec<String> = check_prompt(&text, contract(name)).iter().map(Finding::to_string).collect();
            assert!(findings.is_empty(), "prompts/{name}.md: {}", findings.join("\n"));
        }
    }
}

/// The check must be able to fail on these very prompts: each one, judged by the contract of another role, is found out.
#[test]
fn every_prompt_is_found_out_under_another_contract() {
    for name in Registry::builtin().names() {
        let other = if name == "placeholder" { "lessons" } else { "placeholder" };
        let text = prompt_for(name).unwrap().render(contract(name));
        assert!(!check_prompt(&text, contract(other)).is_empty(), "prompts/{name}.md passes as {other}");
    }
}

/// Renaming a field in a prompt alone is found, wherever it stands.
#[test]
fn a_renamed_field_is_found_in_every_prompt() {
    for name in Registry::builtin().names() {
        let template = prompt_for(name).unwrap().template().to_owned();
        let Shape::Object(root) = &contract(name).schema().shape else { panic!("{name} is no object") };
        for property in &root.properties {
            let renamed = template.replace(&format!("`{}`", property.name), &format!("`{}_x`", property.name));
            let found = check_prompt(&renamed, contract(name));
            let wanted = format!("{}_x", property.name);
            assert!(found.iter().any(|finding| finding.name == wanted), "prompts/{name}.md: {wanted} is not found");
        }
    }
}

#[test]
fn every_prompt_names_each_field_at_the_root_and_shows_the_contract_last() {
    for name in Registry::builtin().names() {
        let prompt = prompt_for(name).unwrap();
        let template = prompt.template();
        assert!(template.trim_end().ends_with(CONTRACT_PLACEHOLDER), "prompts/{name}.md");
        let Shape::Object(root) = &contract(name).schema().shape else { panic!("{name} is no object") };
        for property in &root.properties {
            assert!(
                template.contains(&format!("`{}`", property.name)),
                "prompts/{name}.md leaves out {}",
                property.name
            );
        }
    }
}

#[test]
fn prompts_are_short() {
    for name in Registry::builtin().names() {
        let words = prompt_for(name).unwrap().template().split_whitespace().count();
        assert!(words <= LONGEST + 20, "prompts/{name}.md has {words} words");
        let rendered = prompt_for(name).unwrap().render(contract(name));
        assert!(rendered.len() <= 3_000, "prompts/{name}.md renders to {} bytes", rendered.len());
    }
}
