//! The public cases of broken JSON, where they are at hand, with the score that has been reached.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

use serde_json::Value;
use slm_repair::{ErrorKind, Options, repair_with};
use slm_schema::Contract;

/// How a case went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// The expected value, or an error where only an error is right.
    Right,
    /// An error where a value was expected.
    Refused,
    /// Any other value.
    Wrong,
}

#[test]
fn scores_as_well_as_before() {
    let Some(directory) = env::var_os("SLM_TEST_DATA") else {
        println!("skipped: set SLM_TEST_DATA to a directory that holds repair/suite.jsonl");
        return;
    };
    let path = PathBuf::from(directory).join("repair/suite.jsonl");
    let lines = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut scores: BTreeMap<(String, Outcome), usize> = BTreeMap::new();
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let outcome = judge(&case);
        if env::var_os("SLM_TEST_VERBOSE").is_some() && outcome != Outcome::Right {
            report(&case, outcome);
        }
        *scores.entry((text_of(&case, "verdict").to_owned(), outcome)).or_default() += 1;
    }
    let score = |verdict: &str, outcome| scores.get(&(verdict.to_owned(), outcome)).copied().unwrap_or_default();
    for verdict in ["repairable", "ambiguous", "truncated", "no_json"] {
        let [right, refused, wrong] = [Outcome::Right, Outcome::Refused, Outcome::Wrong].map(|o| score(verdict, o));
        println!("{verdict:>10}: {right:>3} right, {refused:>3} refused, {wrong:>3} wrong");
    }
    assert_eq!(score("truncated", Outcome::Wrong), 0, "a cut document became a value");
    assert_eq!(score("no_json", Outcome::Wrong), 0, "a value was made up");
    assert_eq!(score("repairable", Outcome::Wrong), 0, "a repair changed what was said");
    assert!(score("repairable", Outcome::Right) >= 462, "fewer documents are repaired than before");
    assert!(score("ambiguous", Outcome::Wrong) <= 6, "more is guessed than before");
}

fn report(case: &Value, outcome: Outcome) {
    let got = run(case);
    println!(
        "{outcome:?} {} {} {} {} -> {got:?} expected {}",
        case["verdict"], case["category"], case["id"], case["input"], case["expected"]
    );
}

fn text_of<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}

/// The value of a case, or the kind of its error. A value that violates the schema is refused by the validator.
fn run(case: &Value) -> Result<Value, ErrorKind> {
    let contract = match case.get("schema") {
        // A schema outside the portable profile is no contract: there is nothing to repair by.
        Some(schema) => Some(Contract::from_json("case", &schema.to_string()).map_err(|_| ErrorKind::Invalid)?),
        None => None,
    };
    let schema = contract.as_ref().map(Contract::schema);
    let options = Options { schema, cut: text_of(case, "finish_reason") == "length" };
    let repaired = repair_with(text_of(case, "input"), &options).map_err(|error| error.kind())?;
    if schema.is_some_and(|schema| !schema.conforms(&repaired.value)) {
        return Err(ErrorKind::Invalid);
    }
    Ok(repaired.value)
}

fn judge(case: &Value) -> Outcome {
    let expected = &case["expected"];
    match (text_of(case, "verdict"), run(case)) {
        ("truncated" | "no_json", Ok(_)) => Outcome::Wrong,
        ("truncated" | "no_json" | "ambiguous", Err(_)) => Outcome::Right,
        (_, Ok(value)) if same(&value, expected) => Outcome::Right,
        (_, Ok(_)) => Outcome::Wrong,
        (_, Err(_)) => Outcome::Refused,
    }
}

/// Equal as JSON: `2` is `2.0`.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| same(left, right)))
        }
        (left, right) => left == right,
    }
}
