//! Faults that the check must find, and the line and place it must say.

use slm_agents::{Promise, check_prompt};

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
