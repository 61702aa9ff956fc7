//! Agents from YAML files, and what is said of those that are not sound.

use std::path::Path;

use slm_agents::{AgentSpec, ErrorKind, Gravity, Loaded, Loader, ProblemKind, load_dir, load_file};
use slm_schema::Registry;

use crate::folder::Folder;

/// Reads one file, `a.yaml`, of this text.
fn read(text: &str) -> Loaded {
    let folder = Folder::with(&[("a.yaml", text)]);
    Loader::new(Registry::builtin()).read(folder.path())
}

/// What is wrong, as `FILE:LINE:COLUMN KIND NEAREST`.
fn problems(loaded: &Loaded) -> Vec<String> {
    let short = |problem: &slm_agents::Problem| {
        let file = problem.file.file_name().unwrap_or_default().to_string_lossy();
        let number = |number: Option<usize>| number.map_or("-".to_owned(), |number| number.to_string());
        let near = problem.nearest.as_deref().map(|near| format!(" {near}")).unwrap_or_default();
        format!("{file}:{}:{} {}{near}", number(problem.line), number(problem.column), problem.kind.name())
    };
    loaded.problems.iter().map(short).collect()
}

#[track_caller]
fn finds(text: &str, expected: &[&str]) {
    assert_eq!(problems(&read(text)), expected, "{text}");
}

/// The only agent of a text in which nothing is wrong.
#[track_caller]
fn only(text: &str) -> AgentSpec {
    let loaded = read(text);
    assert_eq!(problems(&loaded), Vec::<String>::new(), "{text}");
    let mut agents = loaded.agents;
    assert_eq!(agents.len(), 1);
    agents.remove(0)
}

#[test]
fn a_built_in_role_needs_nothing_but_its_id() {
    let agent = only("id: go-worker\n");
    assert_eq!(agent.role.decoding.contract.as_deref(), Some("worker"));
    assert!(agent.role.decoding.json_only);
    assert_eq!((agent.line, agent.description.as_str()), (1, ""));
    let text = agent.system_prompt(Registry::builtin()).unwrap();
    assert!(text.contains("You carry out one coding task") && text.contains("files: ["), "{text}");
}

#[test]
fn the_contract_may_be_named() {
    let agent = only("id: triage\nschema_role: scope_judge\ntools: [read, grep]\n");
    assert_eq!(agent.contract(Registry::builtin()).unwrap().unwrap().name(), "scope_judge");
    assert!(agent.role.decoding.serial_tools && !agent.role.decoding.json_only);
    assert_eq!(agent.role.tools, ["read", "grep"]);
    assert!(agent.prompt.template().contains("You judge the size"));
}

#[test]
fn a_contract_may_be_brought_along() {
    let label = r#"{"type": "object", "properties": {"label": {"type": "string", "maxLength": 9}}, "required": ["label"], "additionalProperties": false}"#;
    let folder = Folder::with(&[
        ("a.yaml", "id: sorter\nschema: schemas/label.json\nprompt: Give the `label`.\n"),
        ("b/c.yml", "- id: other\n  schema: ../schemas/label.json\n  prompt_file: ../p.md\n"),
        ("schemas/label.json", label),
        ("p.md", "Give the `label`.\n"),
    ]);
    let agents = load_dir(folder.path()).unwrap();
    let ids: Vec<&str> = agents.iter().map(|agent| agent.role.id.as_str()).collect();
    assert_eq!(ids, ["sorter", "other"]);
    for agent in &agents {
        assert_eq!(agent.contract(Registry::builtin()).unwrap().unwrap().name(), "label");
        assert!(agent.role.decoding.json_only);
        assert!(agent.system_prompt(Registry::builtin()).unwrap().contains("label: str"));
    }
    assert_eq!(load_file(&folder.path().join("a.yaml")).unwrap().len(), 1);
}

#[test]
fn an_agent_without_a_contract_answers_freely() {
    let agent = only("id: chatter\nprompt: Talk.\ndescription: ' Talks. '\n");
    assert!(agent.contract(Registry::builtin()).unwrap().is_none() && !agent.role.decoding.json_only);
    assert_eq!(agent.description, "Talks.");
    assert_eq!(agent.system_prompt(Registry::builtin()).unwrap(), "Talk.");
    assert!(only("id: memory\n").prompt.template().contains("summary"));
}

#[test]
fn overrides_change_the_decoding() {
    let agent = only(
        "id: explore\noverrides:\n  json_only: false\n  serial_tools: true\n  stop: [\"END\"]\n  max_tokens: 300\n  temperature: 0.5\n",
    );
    let decoding = &agent.role.decoding;
    assert!(!decoding.json_only && decoding.serial_tools);
    assert_eq!((decoding.stop.as_slice(), decoding.max_tokens), (&["END".to_owned()][..], Some(300)));
    assert_eq!(decoding.temperature, Some(0.5));
    assert_eq!(agent.role.clone().normalize(), agent.role);
    assert!(only("id: plan\noverrides: {stop: []}\n").role.decoding.stop.is_empty());
}

#[test]
fn overrides_that_contradict_the_agent_are_refused() {
    finds("id: plan\ntools: [read]\noverrides:\n  json_only: true\n", &["a.yaml:4:14 invalid_value"]);
    finds("id: chat\nprompt: Talk.\noverrides: {json_only: true}\n", &["a.yaml:3:24 invalid_value"]);
    finds("id: plan\noverrides:\n  stop: [\"END\"]\n", &["a.yaml:3:9 invalid_value"]);
    for stop in ["ok", "\\n", "\\n}", "},\\n", "any \\\"\\n"] {
        finds(&format!("id: plan\noverrides:\n  stop: [\"{stop}\"]\n"), &["a.yaml:3:9 invalid_value"]);
    }
    only("id: plan\noverrides:\n  stop: [\"\\n## \", \"\\nNote:\", \"\\n\\nHuman\"]\n");
    finds("id: plan\noverrides: {temprature: 1}\n", &["a.yaml:2:13 unknown_key temperature"]);
    finds("id: plan\noverrides: {temperature: 3}\n", &["a.yaml:2:26 invalid_value"]);
    finds("id: plan\noverrides: {temperature: .nan}\n", &["a.yaml:2:26 invalid_value"]);
    finds("id: plan\noverrides: {max_tokens: 0}\n", &["a.yaml:2:25 invalid_value"]);
    finds("id: plan\noverrides: {serial_tools: yes}\n", &["a.yaml:2:27 invalid_value"]);
    finds("id: plan\noverrides: [json_only]\n", &["a.yaml:2:12 invalid_value"]);
}

#[test]
fn misspelt_names_are_told_with_the_nearest() {
    finds("id: plan\npromt: x\n", &["a.yaml:2:1 unknown_key prompt"]);
    finds("id: plan\nschema-role: plan\n", &["a.yaml:2:1 unknown_key schema_role"]);
    finds("id: plan\nfoo: 1\n", &["a.yaml:2:1 unknown_key"]);
    finds("id: a\nschema_role: reveiw\nprompt: x\n", &["a.yaml:2:14 unknown_contract review"]);
    finds("id: a\nschema_role: reveiw\noverrides: {json_only: true}\n", &["a.yaml:2:14 unknown_contract review"]);
    finds("id: docs\nschema_role: reveiw\nprompt: Give the `verdict`.\n", &["a.yaml:2:14 unknown_contract review"]);
    finds("id: plan\ntools:\n  - read\n  - grpe\n", &["a.yaml:4:5 unknown_tool grep"]);
    finds("id: plan\ntools: [query_db]\n", &["a.yaml:2:9 unknown_tool"]);
}

#[test]
fn tools_are_those_of_the_folder_or_of_the_caller() {
    let folder = Folder::with(&[("a.yaml", "id: plan\ntools: [read, query_db]\n"), ("tools.yaml", "- query_db\n")]);
    assert_eq!(load_dir(folder.path()).unwrap().len(), 1);
    let own = Loader::new(Registry::builtin()).tools(["read"]).read(folder.path());
    assert_eq!(problems(&own), ["a.yaml:2:15 unknown_tool"]);
    let bad = Folder::with(&[("a.yaml", "id: plan\n"), ("tools.yaml", "query_db: 1\n")]);
    assert_eq!(problems(&Loader::new(Registry::builtin()).read(bad.path())), ["tools.yaml:1:1 invalid_value"]);
}

#[test]
fn ids_are_unique_across_files() {
    let folder = Folder::with(&[("a.yaml", "- id: plan\n- id: docs\n- id: plan\n"), ("b.yaml", "\nid: docs\n")]);
    let loaded = Loader::new(Registry::builtin()).read(folder.path());
    assert_eq!(problems(&loaded), ["a.yaml:3:7 duplicate_id", "b.yaml:2:5 duplicate_id"]);
    assert!(loaded.problems[1].message.contains("a.yaml:2"), "{}", loaded.problems[1]);
    assert_eq!(loaded.agents.len(), 2);
}

#[test]
fn what_is_missing_or_of_the_wrong_type_is_said() {
    finds("description: x\n", &["a.yaml:1:1 missing_key"]);
    finds("id: nobody\n", &["a.yaml:1:1 missing_key"]);
    finds("id: 12\n", &["a.yaml:1:5 invalid_value"]);
    finds("id: ''\n", &["a.yaml:1:5 invalid_value"]);
    finds("id:\n", &["a.yaml:1:3 invalid_value"]);
    finds("id: plan\ntools: read\n", &["a.yaml:2:8 invalid_value"]);
    finds("id: plan\ntools: [1]\n", &["a.yaml:2:9 invalid_value"]);
    finds("id: plan\nprompt: [x]\n", &["a.yaml:2:9 invalid_value"]);
    finds("just text\n", &["a.yaml:1:1 invalid_value"]);
    finds("- id: plan\n- 3\n", &["a.yaml:2:3 invalid_value"]);
    finds("id: memory\nschema_role: plan\n", &["a.yaml:2:14 invalid_value"]);
    finds("id: a\nprompt: x\nprompt_file: y\n", &["a.yaml:3:14 invalid_value"]);
}

#[test]
fn yaml_that_is_none_is_told_with_its_place() {
    finds("", &["a.yaml:-:- syntax"]);
    finds("# nothing\n", &["a.yaml:-:- syntax"]);
    finds("id: [a\n", &["a.yaml:2:1 syntax"]);
    finds("id: a\nid: b\n", &["a.yaml:2:1 syntax"]);
    finds("id: plan\n---\nid: docs\n", &["a.yaml:2:1 syntax"]);
    finds("id: !x plan\n", &["a.yaml:1:5 syntax"]);
    finds("id: *nobody\n", &["a.yaml:1:5 syntax"]);
    finds("? [a]\n: b\n", &["a.yaml:1:3 syntax"]);
    finds("id: plan\nprompt: \"\\q\"\n", &["a.yaml:2:9 syntax"]);
}

#[test]
fn one_mistake_does_not_hide_the_next() {
    let text =
        "- id: plan\n  tols: [read]\n  tools: [grpe]\n- id: x\n  schema_role: docks\n  prompt: |\n    y\n- id: docs\n";
    let loaded = read(text);
    let expected =
        ["a.yaml:2:3 unknown_key tools", "a.yaml:3:11 unknown_tool grep", "a.yaml:5:16 unknown_contract docs"];
    assert_eq!(problems(&loaded), expected);
    let ids: Vec<&str> = loaded.agents.iter().map(|agent| agent.role.id.as_str()).collect();
    assert_eq!(ids, ["docs"]);
}

#[test]
fn a_prompt_at_odds_with_its_contract_is_told_at_its_line() {
    let literal = "id: review\nprompt: |\n\n  Decide.\n\n  Put why in `rationale`; `findings`: `severity`, `file`, `line`, `message`. `summary`, `verdict`.\n";
    finds(literal, &["a.yaml:6:15 unknown_field"]);
    let folded = "id: placeholder\nprompt: >\n  Set `ok`.\n  Then give the\n  `sumary` field.\n";
    let loaded = read(folded);
    assert_eq!(problems(&loaded), ["a.yaml:3:- unmentioned_field", "a.yaml:5:4 unknown_field summary"]);
    assert!(loaded.has(Gravity::Mismatch) && !loaded.has(Gravity::Configuration));
    assert_eq!(
        loaded.problems[0].message,
        "the prompt never speaks of `summary`, which contract \"placeholder\" requires"
    );
    let quoted = "id: placeholder\nprompt: \"Set `ok`,\\nfill `sumary`.\"\n";
    finds(quoted, &["a.yaml:2:- unmentioned_field", "a.yaml:2:27 unknown_field summary"]);
}

#[test]
fn a_built_in_prompt_under_another_contract_is_found_out() {
    let loaded =
        read("id: a\nschema_role: docs\nprompt: |\n  Say in `summary` what `files` hold: `path`, `content`.\n");
    assert_eq!(problems(&loaded), Vec::<String>::new());
    // Without a prompt of its own it gets that of the contract.
    assert!(only("id: worker\nschema_role: docs\n").prompt.template().contains("You write documentation"));
}

#[test]
fn a_prompt_file_has_lines_of_its_own() {
    let folder = Folder::with(&[
        ("a.yaml", "id: placeholder\nprompt_file: p.md\n"),
        ("p.md", "Give `summary` and `ok`.\n\n```json\n{\"summary\": \"x\",\n \"ok\": \"yes\"}\n```\n"),
    ]);
    let loaded = Loader::new(Registry::builtin()).read(folder.path());
    assert_eq!(problems(&loaded), ["p.md:5:3 invalid_example"]);
    assert_eq!(loaded.problems[0].agent.as_deref(), Some("placeholder"));
}

#[test]
fn nothing_outside_of_the_folder_is_read() {
    let outer = Folder::with(&[
        ("secret.md", "Give `summary` and `ok`."),
        ("agents/a.yaml", "id: placeholder\nprompt_file: ../secret.md\n"),
        ("agents/b.yaml", "id: x\nprompt: y\nschema: ../secret.md\n"),
    ]);
    let agents = outer.path().join("agents");
    let expected = ["a.yaml:2:14 outside_folder", "b.yaml:3:9 outside_folder"];
    assert_eq!(problems(&Loader::new(Registry::builtin()).read(&agents)), expected);
    let absolute = format!("id: placeholder\nprompt_file: {}\n", agents.join("a.yaml").display());
    let folder = Folder::with(&[("a.yaml", &absolute)]);
    assert_eq!(problems(&Loader::new(Registry::builtin()).read(folder.path())), ["a.yaml:2:14 outside_folder"]);
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_else_either() {
    let outer = Folder::with(&[("secret.md", "Give `summary`."), ("agents/a.yaml", "id: docs\nprompt_file: p.md\n")]);
    let agents = outer.path().join("agents");
    std::os::unix::fs::symlink(outer.path().join("secret.md"), agents.join("p.md")).unwrap();
    // A circle of folders ends, since linked folders are not entered.
    std::os::unix::fs::symlink(&agents, agents.join("again")).unwrap();
    assert_eq!(problems(&Loader::new(Registry::builtin()).read(&agents)), ["a.yaml:2:14 outside_folder"]);
}

#[test]
fn files_that_are_none_or_too_large_are_refused() {
    let folder = Folder::with(&[
        ("a.yaml", "id: docs\nprompt_file: gone.md\n"),
        ("b.yaml", "id: x\nprompt_file: d\n"),
        ("d/e", ""),
    ]);
    let expected = ["a.yaml:2:14 unreadable", "d:-:- unreadable"];
    assert_eq!(problems(&Loader::new(Registry::builtin()).read(folder.path())), expected);
    let large = format!("id: plan\n# {}\n", "x".repeat(300 << 10));
    finds(&large, &["a.yaml:-:- unreadable"]);
    let folder = Folder::with(&[]);
    assert_eq!(problems(&Loader::new(Registry::builtin()).read(folder.path())).len(), 1);
    std::fs::write(folder.path().join("a.yaml"), b"id: plan\ndescription: \xff\n").unwrap();
    assert_eq!(problems(&Loader::new(Registry::builtin()).read(folder.path())), ["a.yaml:2:- unreadable"]);
    assert_eq!(problems(&Loader::new(Registry::builtin()).read(Path::new("no/such"))), ["such:-:- unreadable"]);
}

#[test]
fn schemas_that_are_none_are_refused() {
    let agent = "id: x\nprompt: y\nschema: s/NAME\n";
    let cases = [
        ("typo.json", "{\"type\": \"object\",\n\"propertys\": {}}", "typo.json:2:- invalid_schema"),
        ("text.json", "not json", "text.json:-:- invalid_schema"),
        ("review.json", "{}", "a.yaml:3:9 invalid_schema"),
        ("no name.json", "{}", "no name.json:-:- invalid_schema"),
    ];
    for (name, schema, expected) in cases {
        let folder = Folder::with(&[("a.yaml", &agent.replace("NAME", name)), (&format!("s/{name}"), schema)]);
        assert_eq!(problems(&Loader::new(Registry::builtin()).read(folder.path())), [expected], "{name}");
    }
    let both = "id: x\nprompt: y\nschema_role: plan\nschema: s.json\n";
    let folder = Folder::with(&[("a.yaml", both), ("s.json", "{}")]);
    assert_eq!(problems(&Loader::new(Registry::builtin()).read(folder.path())), ["a.yaml:4:9 invalid_value"]);
}

#[test]
fn aliases_are_copied_but_not_without_end() {
    let agents = read("- id: plan\n  tools: &tools [read, grep]\n- id: docs\n  tools: *tools\n").agents;
    assert_eq!(agents[1].role.tools, ["read", "grep"]);
    let mut laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..12 {
        let row = vec![format!("*a{}", level - 1); 9].join(", ");
        laughs.extend([format!("a{level}: &a{level} [{row}]\n")]);
    }
    let loaded = read(&laughs);
    assert_eq!(loaded.problems[0].kind, ProblemKind::Syntax);
    assert!(loaded.problems[0].message.contains("aliases"), "{}", loaded.problems[0]);
    let wide = format!("big: &b {}\nall: [{}]\n", "x".repeat(100_000), vec!["*b"; 20_000].join(", "));
    assert_eq!(read(&wide).problems[0].kind, ProblemKind::Syntax);
    finds("a: &a [*a]\n", &["a.yaml:1:8 syntax"]);
}

#[test]
fn hostile_nesting_ends() {
    for text in ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(50_000), "? ".repeat(50_000)] {
        let loaded = read(&text);
        assert_eq!(loaded.problems[0].kind, ProblemKind::Syntax, "{}", loaded.problems[0]);
    }
}

#[test]
fn the_error_speaks_for_all_and_holds_all() {
    let folder = Folder::with(&[("a.yaml", "id: plan\npromt: x\ntols: y\n")]);
    let error = load_dir(folder.path()).unwrap_err();
    assert_eq!((error.kind(), error.problems().len()), (ErrorKind::UnsoundAgents, 2));
    let text = error.to_string();
    assert!(
        text.contains("a.yaml:2:1: no agent has a key `promt`") && text.contains("did you mean `prompt`?"),
        "{text}"
    );
    assert!(text.ends_with("(and 1 more)"), "{text}");
}

#[test]
fn the_agents_that_come_with_the_crate_are_sound() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
    let loaded = Loader::new(Registry::builtin()).read(&folder);
    assert_eq!(problems(&loaded), Vec::<String>::new());
    assert_eq!(loaded.agents.len(), 3);
}
