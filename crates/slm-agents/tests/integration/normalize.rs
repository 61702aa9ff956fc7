//! From id and tools to decoding.

use slm_agents::{ErrorKind, RoleSpec, STOP_SEQUENCES, base_role, built_in_roles, normalize_decoding};
use slm_schema::{Contract, Registry};

const FREE_TEXT: [&str; 3] = ["context", "memory", "describer"];

/// Checks the decoding; the stop sequences must go with `json_only`.
#[track_caller]
fn check(role: &RoleSpec, contract: Option<&str>, serial_tools: bool, json_only: bool) {
    let found = normalize_decoding(role);
    let stop: &[&str] = if json_only { &STOP_SEQUENCES } else { &[] };
    assert_eq!(found.contract.as_deref(), contract, "{role:?}");
    assert_eq!((found.serial_tools, found.json_only), (serial_tools, json_only), "{role:?}");
    assert_eq!(found.stop, stop, "{role:?}");
}

#[test]
fn a_role_with_a_contract_answers_in_json_only() {
    for id in Registry::builtin().names() {
        check(&RoleSpec::new(id), Some(id), false, true);
    }
}

#[test]
fn tools_take_the_constraint_away_and_keep_the_contract() {
    for id in Registry::builtin().names() {
        check(&RoleSpec::new(id).tools(["read"]), Some(id), true, false);
    }
    check(&RoleSpec::new("nobody").tools(["read"]), None, true, false);
    check(&RoleSpec::new("nobody").tools(["read"]).schema_role("plan"), Some("plan"), true, false);
}

#[test]
fn free_text_has_no_contract_whatever_is_declared() {
    for id in FREE_TEXT {
        check(&RoleSpec::new(id), None, false, false);
        check(&RoleSpec::new(id).schema_role("plan"), None, false, false);
        check(&RoleSpec::new(id).tools(["read"]), None, true, false);
        check(&RoleSpec::new(format!("rust-{id}")), None, false, false);
    }
}

#[test]
fn schema_role_names_the_contract() {
    check(&RoleSpec::new("triage").schema_role("scope_judge"), Some("scope_judge"), false, true);
    check(&RoleSpec::new("go-worker").schema_role("docs"), Some("docs"), false, true);
    check(&RoleSpec::new("triage"), None, false, false);
}

#[test]
fn every_built_in_role_folds_from_a_language() {
    for role in built_in_roles() {
        assert_eq!(base_role(&role.id), Some(role.id.as_str()));
        assert_eq!(base_role(&format!("kotlin-{}", role.id)), Some(role.id.as_str()));
    }
}

#[test]
fn roles_that_share_a_contract_are_decoded_like_its_own() {
    check(&RoleSpec::new("fixer"), Some("worker"), false, true);
    check(&RoleSpec::new("rust-test-writer"), Some("worker"), false, true);
    check(&RoleSpec::new("go_security_review").tools(["read"]), Some("review"), true, false);
    check(&RoleSpec::new("verifier").schema_role("review"), Some("review"), false, true);
}

#[test]
fn normalising_twice_changes_nothing() {
    for role in built_in_roles() {
        assert_eq!(role.clone().normalize(), role);
    }
    let worker = RoleSpec::new("go-worker").tools(["read", "edit"]).normalize();
    assert_eq!(worker.clone().normalize(), worker);
    // Taking the tools away shows in the decoding again.
    assert!(worker.tools(Vec::<String>::new()).normalize().decoding.json_only);
}

#[test]
fn stop_sequences_cannot_occur_inside_a_compact_document() {
    assert!(STOP_SEQUENCES.iter().all(|stop| stop.contains('\n')));
}

#[test]
fn the_contract_comes_from_the_registry_that_is_given() {
    let builtin = Registry::builtin();
    assert_eq!(RoleSpec::new("go-worker").contract(builtin).unwrap().map(Contract::name), Some("worker"));
    assert!(RoleSpec::new("memory").contract(builtin).unwrap().is_none());
    let error = RoleSpec::new("triage").schema_role("scopejudge").contract(builtin).unwrap_err();
    assert_eq!((error.kind(), error.role()), (ErrorKind::UnknownContract, "triage"));
    let text = error.to_string();
    assert!(text.contains("scopejudge") && text.contains("scope_judge") && text.contains("schema_role"), "{text}");
}
