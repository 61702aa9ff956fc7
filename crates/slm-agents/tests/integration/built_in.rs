//! The built-in roles and their prompts hold together.

use slm_agents::{
    CONTRACT_PLACEHOLDER, Finding, RoleSpec, built_in_roles, check_prompt, emits_contract, is_free_text, prompt_for,
};
use slm_schema::{Contract, Registry, Shape};

/// Longest prompt before the contract, in words: a small model follows one page, not three.
const LONGEST: usize = 160;

/// The built-in roles that emit a contract, each with it.
fn emitting() -> Vec<(String, &'static Contract)> {
    let roles = built_in_roles().into_iter();
    roles.filter_map(|role| Some((role.id.clone(), role.contract(Registry::builtin()).ok()??))).collect()
}

#[test]
fn each_contract_has_the_role_of_its_name_and_some_have_more() {
    for name in Registry::builtin().names() {
        let role = RoleSpec::new(name).normalize();
        assert!(emits_contract(name) && role.decoding.json_only, "{name}");
        assert_eq!(role.decoding.contract.as_deref(), Some(name));
    }
    let shared: Vec<String> = emitting()
        .iter()
        .filter(|(id, contract)| id != contract.name())
        .map(|(id, contract)| format!("{id} {}", contract.name()))
        .collect();
    let expected =
        ["fixer worker", "refactorer worker", "test_writer worker", "security_review review", "verifier tester"];
    assert_eq!(shared, expected);
}

#[test]
fn three_roles_answer_in_free_text() {
    let roles = built_in_roles();
    let free: Vec<&str> = roles.iter().filter(|role| is_free_text(&role.id)).map(|role| role.id.as_str()).collect();
    assert_eq!(free, ["context", "memory", "describer"]);
    assert_eq!(free.len() + emitting().len(), roles.len());
}

#[test]
fn every_role_has_a_prompt_and_those_of_free_text_speak_of_no_json() {
    for role in built_in_roles() {
        let prompt = prompt_for(&role.id).unwrap();
        assert_eq!(prompt.template().contains(CONTRACT_PLACEHOLDER), emits_contract(&role.id), "{}", role.id);
        assert_eq!(prompt.template().contains("JSON"), emits_contract(&role.id), "{}", role.id);
    }
}

#[test]
fn every_rendered_prompt_shows_the_description_and_an_example_spelled_as_the_grammar_spells_it() {
    for (id, contract) in emitting() {
        let text = prompt_for(&id).unwrap().render(contract);
        assert!(text.contains(&contract.describe()), "prompts/{id}.md");
        let example = text.lines().find_map(|line| line.strip_prefix("Another reply: ")).unwrap();
        assert_eq!(contract.respell(example).as_deref(), Some(example), "prompts/{id}.md");
    }
}

#[test]
fn no_prompt_promises_a_field_that_its_contract_does_not_have() {
    for (name, contract) in emitting() {
        let prompt = prompt_for(&name).unwrap();
        for text in [prompt.template().to_owned(), prompt.render(contract)] {
            let findings: Vec<String> = check_prompt(&text, contract).iter().map(Finding::to_string).collect();
            assert!(findings.is_empty(), "prompts/{name}.md: {}", findings.join("\n"));
        }
    }
}

/// The check must be able to fail on these very prompts: each one, judged by the contract of another role, is found out.
#[test]
fn every_prompt_is_found_out_under_another_contract() {
    for (name, contract) in emitting() {
        let other = if name == "placeholder" { "lessons" } else { "placeholder" };
        let text = prompt_for(&name).unwrap().render(contract);
        assert!(!check_prompt(&text, crate::contract(other)).is_empty(), "prompts/{name}.md passes as {other}");
    }
}

/// Renaming a field in a prompt alone is found, wherever it stands.
#[test]
fn a_renamed_field_is_found_in_every_prompt() {
    for (name, contract) in emitting() {
        let template = prompt_for(&name).unwrap().template().to_owned();
        let Shape::Object(root) = &contract.schema().shape else { panic!("{name} is no object") };
        for property in &root.properties {
            let renamed = template.replace(&format!("`{}`", property.name), &format!("`{}_x`", property.name));
            let found = check_prompt(&renamed, contract);
            let wanted = format!("{}_x", property.name);
            assert!(found.iter().any(|finding| finding.name == wanted), "prompts/{name}.md: {wanted} is not found");
        }
    }
}

#[test]
fn every_prompt_names_each_field_at_the_root_and_shows_the_contract_last() {
    for (name, contract) in emitting() {
        let prompt = prompt_for(&name).unwrap();
        let template = prompt.template();
        assert!(template.trim_end().ends_with(CONTRACT_PLACEHOLDER), "prompts/{name}.md");
        let Shape::Object(root) = &contract.schema().shape else { panic!("{name} is no object") };
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
    for role in built_in_roles() {
        let words = prompt_for(&role.id).unwrap().template().split_whitespace().count();
        assert!(words <= LONGEST, "prompts/{}.md has {words} words", role.id);
    }
    for (name, contract) in emitting() {
        let rendered = prompt_for(&name).unwrap().render(contract);
        assert!(rendered.len() <= 3_000, "prompts/{name}.md renders to {} bytes", rendered.len());
    }
}
