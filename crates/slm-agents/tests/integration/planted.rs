//! Faults that the check must find, and the line and place it must say.

use slm_agents::{ProblemKind, Promise, check_prompt, unmentioned_fields};

use crate::{contract, findings};

#[track_caller]
fn finds(name: &str, prompt: &str, expected: &[&str]) {
    assert_eq!(findings(name, prompt), expected, "{prompt}");
}

#[test]
fn names_in_backticks() {
    let cases = [
        ("Put your reasons in `rationale`.", "1 rationale"),
        ("Explain the decision in the field `rationale`.", "1 rationale"),
        ("The `rationale` field says why.", "1 rationale"),
        ("Fill the keys `summary`, `rationale` and `verdict`.", "1 rationale"),
        ("Give `summary`, then `score`.", "1 score"),
        ("Return `confidence_score` for each problem.", "1 confidence_score"),
        ("Set `blocking` to true if the build breaks.", "1 blocking"),
        ("Leave `rationale` empty if nothing is wrong.", "1 rationale"),
        ("`rationale` says why you decided.", "1 rationale"),
        ("State the risk in your `risk_level`.", "1 risk_level"),
        ("Decide.\n\nThe `verdict` comes last. Before it, write\n`rationale` in one sentence.", "4 rationale"),
        ("The property `\"rationale\"` is required.", "1 rationale"),
        ("Set `verdicts` to approve.", "1 verdicts"),
        ("The fields `summary` and `docs` are required.", "1 docs"),
        ("Write the reason into `Rationale`.", "1 Rationale"),
        ("Put it in `needsFix`; the `verdict` follows.", "1 needsFix"),
        ("Decide last. The `decision` is `approve` or `reject`.", "1 decision"),
        ("- Be brief.\n- Put the reason in `rationale`.", "2 rationale"),
    ];
    for (prompt, expected) in cases {
        finds("review", prompt, &[expected]);
    }
}

#[test]
fn paths_in_backticks() {
    finds("review", "`findings[].column` is optional.", &["1 findings[].column in findings[]"]);
    finds("review", "Give `findings.column` where you know it.", &["1 findings.column in findings[]"]);
    finds("review", "See `/findings/0/column`.", &["1 /findings/0/column in findings[]"]);
    finds("review", "Each of `issues[].line` counts.", &["1 issues[].line in root"]);
}

#[test]
fn keys_of_json_examples() {
    let fenced = "Reply like this:\n\n```json\n{\n  \"findings\": [\n    {\"severity\": \"major\", \"path\": \"a.rs\"}\n  ],\n  \"score\": 3\n}\n```\n";
    finds("review", fenced, &["6 path in findings[]", "8 score in root"]);
    finds("review", "Answer: {\"summary\": \"ok\", \"decision\": \"approve\"}", &["1 decision in root"]);
    finds("review", "Answer with `{\"rationale\": \"…\"}`.", &["1 rationale in root"]);
    finds("review", "```\n{\"summary\": string, // why\n \"score\"?: 0..10}\n```", &["3 score in root"]);
    finds("review", "```json\n{summary: \"…\", score: 1}\n```", &["2 score in root"]);
    finds("review", "```json\n{\"summary\": {\"text\": \"…\"}}\n```", &["2 text in summary"]);
    // A field of a finding shown at the root, and the reverse.
    finds("review", "```json\n{\"summary\": \"…\", \"severity\": \"minor\"}\n```", &["2 severity in root"]);
    finds("review", "Answer: {\"findings\": [{\"verdict\": \"approve\"}]}", &["1 verdict in findings[]"]);
    // Part of a document.
    finds("review", "A finding is `{\"file\": \"a\", \"line\": 1, \"column\": 2}`.", &["1 column in findings[]"]);
    // Cut off, with an ellipsis.
    finds("review", "```json\n{\"findings\": [ … ],\n \"verdict\": \"approve\", \"why\": …\n```", &["3 why in root"]);
}

#[test]
fn bullet_lists() {
    finds(
        "review",
        "Reply with:\n- findings: the problems\n- rationale: why\n- verdict: the decision",
        &["3 rationale in root"],
    );
    finds(
        "review",
        "Return JSON with these fields:\n\n* `rationale`: why\n* `score` (integer): how good",
        &["3 rationale in root", "4 score in root"],
    );
    finds("review", "1. **summary**: what it does\n2. **score**: how good", &["2 score in root"]);
    finds("review", "- `summary` - what it does\n- `score` - how good", &["2 score in root"]);
    let nested = "- findings: the problems\n  - severity: how bad\n  - column: where\n- verdict: last";
    finds("review", nested, &["3 column in findings[]"]);
    let headed = "Each finding has:\n- file: its path\n- column: where";
    finds("review", headed, &["3 column in findings[]"]);
    finds("tasks", "- `title`: short\n- `owner`: who does it\n- `files`: its paths", &["2 owner in tasks[]"]);
}

#[test]
fn a_finding_says_what_there_is_instead() {
    let found =
        check_prompt("Intro.\n\n- lesson: what to do\n- scope: how far\n- why: the cause\n", contract("lessons"));
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((finding.line, finding.promise), (5, Promise::Bullet));
    assert_eq!(finding.known, ["trigger", "lesson", "scope", "confidence"]);
    let text = "line 5: the prompt promises `why` in `lessons[]`, but contract \"lessons\" has only: \
                trigger, lesson, scope, confidence";
    assert_eq!(finding.to_string(), text);
}

#[test]
fn findings_come_in_the_order_of_their_lines_and_once_each() {
    let prompt = "Put why in `rationale`, yes, in `rationale`.\n\n```json\n{\"summary\": 1, \"score\": 2}\n```\n\nSet `score` to 1.";
    finds("review", prompt, &["1 rationale", "4 score in root", "7 score"]);
}

#[test]
fn misspelt_and_misplaced_names_in_backticks() {
    let cases = [
        ("review", "The `verdit` comes last.", "1 verdit"),
        ("review", "Be careful with the `sumary`.", "1 sumary"),
        ("clarify", "The `needsClarification` flag decides.", "1 needsClarification"),
        ("tasks", "Do not forget `acceptence`.", "1 acceptence"),
        ("review", "For each finding, include `severity`, `file`, and `col`.", "1 col in findings[]"),
        ("review", "Each finding has a `severity`, a `file` and a `column`.", "1 column in findings[]"),
        ("review", "Each finding has a `severity` and a `verdict`.", "1 verdict in findings[]"),
        ("plan", "Every step needs `action` and `risks`.", "1 risks in steps[]"),
        ("tester", "Each failure contains `test`, `message` and `exit_code`.", "1 exit_code in failures[]"),
        ("review", "Put why in `verdict.reason`.", "1 verdict.reason in verdict"),
        ("worker", "Write what you did in `summary`; `status` comes last.", "1 summary"),
        ("docs", "List `files`, each with `path` and `body`.", "1 body"),
        ("escalate", "`severity` says how bad it is.", "1 severity"),
        ("worker", "Return `files`. Each has a `path`, an `action` and a `diff`.", "1 diff"),
        ("tester", "Include `coverage` as a percentage.", "1 coverage"),
        ("placeholder", "Your reply must include `status`.", "1 status in root"),
        ("placeholder", "The answer contains `summary` and `ok`, and optionally `details`.", "1 details in root"),
        ("review", "Each finding has a `column`.", "1 column in findings[]"),
        ("review", "For every finding, set `column`.", "1 column"),
        ("architect", "List `options` with `name` and `pros`.", "1 pros"),
        ("lessons", "The field `confidence_level` goes from 0 to 100.", "1 confidence_level"),
    ];
    for (name, prompt, expected) in cases {
        finds(name, prompt, &[expected]);
    }
}

#[test]
fn lists_of_other_forms() {
    finds("review", "`summary`: what it does\n`score`: how good\n`verdict`: the decision", &["2 score in root"]);
    finds("review", "**summary**: what it does\n**score**: how good", &["2 score in root"]);
    finds("review", "Fields:\n- summary\n- score\n- verdict", &["3 score in root"]);
    finds("review", "Return JSON with these keys:\n- `summary`\n- `score`\n", &["3 score in root"]);
    finds("review", "- `summary`, in one sentence\n- `score`, from 1 to 5", &["2 score in root"]);
    finds("review", "- `summary` is what it does\n- `score` is how good it is", &["2 score in root"]);
    finds("review", "- `summary` (string)\n- `score` (integer)", &["2 score in root"]);
    finds("review", "• summary: what it does\n• score: how good", &["2 score in root"]);
    let table = "| field | type | meaning |\n| --- | --- | --- |\n| `summary` | string | what it does |\n| `score` | integer | how good |\n";
    finds("review", table, &["4 score in root"]);
    let deep = "- tasks: the list\n  - id: short\n    - sub: no\n  - owner: who\n  - verdict: no\n";
    finds("tasks", deep, &["4 owner in tasks[]", "5 verdict in tasks[]"]);
    let wrong_level = "- `findings`: the problems\n  - `file`: where\n  - `summary`: what\n- `verdict`: last";
    finds("review", wrong_level, &["3 summary in findings[]"]);
    finds("plan", "Each step has:\n- `action`: what\n- `risks`: what could break", &["3 risks in steps[]"]);
}

#[test]
fn examples_of_other_forms() {
    finds("review", "Answer: {'summary': 'ok', 'score': 1}", &["1 score in root"]);
    finds("review", "Answer: {“summary”: “ok”, “score”: 1}", &["1 score in root"]);
    let unwrapped = "Do not wrap it in Markdown:\n```json\n{\"verdict\": \"…\", \"score\": 1}\n```";
    finds("review", unwrapped, &["3 score in root"]);
    finds("review", "- Example: {\"verdict\": \"approve\", \"score\": 1}", &["1 score in root"]);
    finds("review", "```\n{\"findings\": [...], \"score\": 1}\n```", &["2 score in root"]);
    finds("review", "~~~json\n{\"verdict\": \"…\", \"score\": 1}\n~~~", &["2 score in root"]);
    finds(
        "review",
        "```json\n{\n  // how good\n  \"score\": 1,\n  \"verdict\": \"approve\"\n}\n```",
        &["4 score in root"],
    );
    finds(
        "tasks",
        "Answer:\n```json\n{\"tasks\": [{\"id\": \"t1\", \"deps\": [], …}, …]}\n```",
        &["3 deps in tasks[]"],
    );
    finds(
        "tasks",
        "Answer: {\"tasks\": [{\"id\": \"t1\", \"title\": {\"text\": \"x\"}}]}",
        &["1 text in tasks[].title"],
    );
    finds(
        "review",
        "Answer like this:\n```json\n{\"rating\": 1, \"comment\": \"x\"}\n```",
        &["3 comment in root", "3 rating in root"],
    );
}

/// Every example must be a document, as far as it goes.
#[test]
fn values_of_examples() {
    let cases = [
        ("review", "{\"findings\": [], \"summary\": \"ok\", \"verdict\": \"aprove\"}", "2 verdict in root"),
        ("review", "{\"findings\": [], \"summary\": \"ok\", \"verdict\": \"LGTM!\"}", "2 verdict in root"),
        ("review", "{\"findings\": [], \"summary\": \"ok\", \"verdict\": \"request changes\"}", "2 verdict in root"),
        ("review", "{\"findings\": [], \"summary\": \"ok\"}", "2  in root"),
        ("review", "{\"findings\": \"none\", \"summary\": \"ok\", \"verdict\": \"approve\"}", "2 findings in root"),
        ("review", "{\"findings\": {\"file\": \"a\"}, \"verdict\": \"approve\", …}", "2 findings in root"),
        ("review", "{\"findings\": [\"a.rs is bad\", 3], \"verdict\": \"approve\", …}", "2 findings in root"),
        ("review", "{\"findings\": [{\"line\": \"42\", \"file\": \"a.rs\", …}]}", "2 line in findings[]"),
        ("review", "{\"findings\": [{\"fix\": null, \"file\": \"a.rs\", …}]}", "2 fix in findings[]"),
        ("review", "{\"findings\": [{\"severity\": \"blocker\", \"file\": \"a.rs\", …}]}", "2 severity in findings[]"),
        ("lessons", "{\"lessons\": [{\"confidence\": 0.8, …}]}", "2 confidence in lessons[]"),
        ("lessons", "{\"lessons\": [{\"confidence\": 120, …}]}", "2 confidence in lessons[]"),
        ("lessons", "{\"lessons\": [{\"confidence\": \"high\", …}]}", "2 confidence in lessons[]"),
        ("placeholder", "{\"summary\": \"Done.\", \"ok\": \"yes\"}", "2 ok in root"),
        ("placeholder", "{\"summary\": 3, \"ok\": true}", "2 summary in root"),
        ("plan", "{\"approach\": \"x\", \"steps\": [[\"a\"]], \"risks\": []}", "2 steps in root"),
        ("plan", "{\"approach\": \"x\", \"steps\": [{\"action\": \"Do it\"}], \"risks\": []}", "2 steps in root"),
        ("tester", "{\"commands\": [{\"command\": \"make\", \"exit_code\": -1}], …}", "2 exit_code in commands[]"),
        (
            "clarify",
            "{\"suggested_answers\": [\"Toml\"], \"questions\": [\"Which?\"], …}",
            "2 suggested_answers in root",
        ),
    ];
    for (name, json, expected) in cases {
        // A sentence of the prompt, so that the words around it lead nowhere.
        let prompt = format!("```json\n{json}\n```");
        finds(name, &prompt, &[expected]);
    }
}

#[test]
fn values_that_a_field_is_said_to_have() {
    let cases = [
        ("worker", "Set `status` to `finished`.", "1 finished in root"),
        ("worker", "Set status to `finished` when you are through.", "1 finished in root"),
        ("worker", "Then set the status to `finished` or `blocked`.", "1 finished in root"),
        ("worker", "`status` is `done`, `partial` or `stuck`.", "1 stuck in root"),
        ("worker", "`status` must be one of `done`, `partial`, `failed`.", "1 failed in root"),
        ("worker", "Mark the `status` as `complete`.", "1 complete in root"),
        ("worker", "For a new file, `action` is `add`.", "1 add in files[]"),
        ("review", "The `verdict` is `approve` | `reject` | `comment`.", "1 comment in root"),
        ("review", "Be brief. Set `verdict` to `approved` if all is well.", "1 approved in root"),
        ("review", "Set `severity` to `approve`.", "1 approve in findings[]"),
        ("scope_judge", "`size`: `tiny`, `medium` or `large`", "1 tiny in root"),
    ];
    for (name, prompt, expected) in cases {
        finds(name, prompt, &[expected]);
    }
    let found = check_prompt("Set `verdict` to `approved`.", contract("review"));
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((finding.kind, finding.promise), (ProblemKind::InvalidExample, Promise::Backticks));
    assert_eq!(finding.nearest.as_deref(), Some("approve"));
    let text = "line 1: the prompt names the value `approved`, which must be one of: approve, request_changes, reject, \
                by contract \"review\"";
    assert_eq!(finding.to_string(), text);
}

#[test]
fn a_wrong_example_says_what_would_be_right() {
    let prompt = "Answer like this:\n\n```json\n{\"findings\": [], \"summary\": \"ok\", \"verdict\": \"aprove\"}\n```";
    let found = check_prompt(prompt, contract("review"));
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((finding.kind, finding.line), (ProblemKind::InvalidExample, 4));
    assert_eq!(finding.nearest.as_deref(), Some("approve"));
    let text = "line 4: the example's `verdict` is \"aprove\", which must be one of: approve, request_changes, reject, \
                by contract \"review\"";
    assert_eq!(finding.to_string(), text);
}

#[test]
fn a_finding_names_the_nearest_field() {
    let nearest = |prompt: &str| check_prompt(prompt, contract("review"))[0].nearest.clone();
    assert_eq!(nearest("Fill `sumary`.").as_deref(), Some("summary"));
    assert_eq!(nearest("Answer: {\"summary\": \"\", \"severity\": \"\"}").as_deref(), Some("findings[].severity"));
    assert_eq!(nearest("Give the reason in `rationale`."), None);
}

#[test]
fn required_fields_that_are_never_mentioned() {
    let unmentioned = |name: &str, prompt: &str| unmentioned_fields(prompt, contract(name));
    assert_eq!(unmentioned("placeholder", "Do it."), ["summary", "ok"]);
    assert_eq!(unmentioned("placeholder", "Give a summary. OK?"), Vec::<String>::new());
    assert_eq!(unmentioned("scope_judge", "Give the reason and the size. Is it in scope?"), Vec::<String>::new());
    assert_eq!(unmentioned("plan", "Approach, steps with their actions, one file each."), ["risks"]);
    // `fix` is not required.
    let some = "The verdict follows from the findings: severity, file and line. End with a summary.";
    assert_eq!(unmentioned("review", some), ["findings[].message"]);
}
