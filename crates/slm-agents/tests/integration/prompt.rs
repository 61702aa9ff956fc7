//! Templates and what becomes of them.

use slm_agents::{CONTRACT_PLACEHOLDER, ErrorKind, Prompt, prompt_for};

use crate::contract;

#[test]
fn the_contract_stands_where_the_template_wants_it() {
    let contract = contract("placeholder");
    let text = Prompt::new("Before.\n\n{{contract}}\n\nAfter.\n").render(contract);
    assert_eq!(text, format!("Before.\n\n{}\n\nAfter.", contract.describe()));
}

#[test]
fn a_template_without_a_place_gets_the_contract_at_its_end() {
    let contract = contract("placeholder");
    let text = Prompt::new(String::from("Answer.\n")).render(contract);
    assert_eq!(text, format!("Answer.\n\n{}", contract.describe()));
}

#[test]
fn specialised_ids_have_the_prompt_of_their_role() {
    assert_eq!(prompt_for("go-worker").unwrap(), prompt_for("worker").unwrap());
    assert_eq!(prompt_for("scope-judge").unwrap(), prompt_for("scope_judge").unwrap());
}

#[test]
fn ids_without_a_prompt_say_why() {
    let unknown = prompt_for("co-worker").unwrap_err();
    assert_eq!((unknown.kind(), unknown.role()), (ErrorKind::UnknownRole, "co-worker"));
    let text = unknown.to_string();
    assert!(text.contains("\"co-worker\"") && text.contains("worker, explore"), "{text}");
}

#[test]
fn the_placeholder_is_what_the_documentation_says() {
    assert_eq!(CONTRACT_PLACEHOLDER, "{{contract}}");
}
