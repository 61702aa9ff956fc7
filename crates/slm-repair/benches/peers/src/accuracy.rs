//! How often a repair is right, beside the peers, on the public cases of broken JSON.
//!
//! Each case is a process of its own: a peer may panic, overflow its stack, or not come back.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use slm_repair::{Options, repair_with};
use slm_schema::Contract;

/// The argument of such a process; the next names the contestant, and the case comes on standard input.
pub(crate) const CHILD: &str = "--answer";
const PATIENCE: Duration = Duration::from_secs(10);
/// The second is given what the peers are given: the text, and neither the schema nor the finish reason of a case.
const CONTESTANTS: [&str; 4] = ["slm-repair", "slm-repair, text alone", "jsonrepair", "llm_json"];

/// What a contestant made of a case.
enum Answer {
    Value(Value),
    Refused,
    Crashed,
    Hung,
}

/// How a contestant did.
#[derive(Default)]
struct Score {
    right: usize,
    wrong: usize,
    refused: usize,
    /// Values where there should be none, or none but the preferred one.
    truncated: usize,
    no_json: usize,
    ambiguous: usize,
    crashed: usize,
    hung: usize,
}

/// Asks all contestants, and prints their table.
pub(crate) fn print(data: &Path) {
    let path = data.join("repair/suite.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a case is JSON")).collect();
    let count = |verdict: &str| cases.iter().filter(|case| case["verdict"] == verdict).count();
    println!(
        "| on {} cases | repaired exactly, of {} | wrong value | refused | cut off, yet a value, of {} | no document, yet a value, of {} | two readings, and a third value, of {} | crashed | hung |",
        cases.len(),
        count("repairable"),
        count("truncated"),
        count("no_json"),
        count("ambiguous")
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for contestant in CONTESTANTS {
        let mut score = Score::default();
        for case in &cases {
            score.add(case, &ask(contestant, case));
        }
        let Score { right, wrong, refused, truncated, no_json, ambiguous, crashed, hung } = score;
        println!(
            "| {contestant} | {right} | {wrong} | {refused} | {truncated} | {no_json} | {ambiguous} | {crashed} | {hung} |"
        );
    }
}

impl Score {
    fn add(&mut self, case: &Value, answer: &Answer) {
        let verdict = case["verdict"].as_str().unwrap_or_default();
        let field = match (verdict, answer) {
            (_, Answer::Crashed) => &mut self.crashed,
            (_, Answer::Hung) => &mut self.hung,
            ("repairable", Answer::Refused) => &mut self.refused,
            ("repairable", Answer::Value(value)) if same(value, &case["expected"]) => &mut self.right,
            ("repairable", Answer::Value(_)) => &mut self.wrong,
            ("truncated", Answer::Value(_)) => &mut self.truncated,
            ("no_json", Answer::Value(_)) => &mut self.no_json,
            ("ambiguous", Answer::Value(value)) if !same(value, &case["expected"]) => &mut self.ambiguous,
            _ => return,
        };
        *field += 1;
    }
}

fn ask(contestant: &str, case: &Value) -> Answer {
    let program = std::env::current_exe().expect("this program has a place");
    let mut child = Command::new(program)
        .args([CHILD, contestant])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this program can be run");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(case.to_string().as_bytes()).expect("the child reads");
    drop(input);
    // Answers are shorter than what a pipe holds.
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is a child") {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("it is a child");
            child.wait().expect("it is a child");
            return Answer::Hung;
        }
        std::thread::sleep(Duration::from_micros(200));
    };
    let mut answer = String::new();
    let mut output = child.stdout.take().expect("it is piped");
    output.read_to_string(&mut answer).expect("it is text");
    match serde_json::from_str(&answer) {
        _ if !status.success() => Answer::Crashed,
        Ok(value) => Answer::Value(value),
        Err(_) => Answer::Refused,
    }
}

/// The part of the child: prints the value of the case on standard input, or nothing.
pub(crate) fn answer() {
    let contestant = std::env::args().nth(2).unwrap_or_default();
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("a case is text");
    let case: Value = serde_json::from_str(&input).expect("a case is JSON");
    let text = case["input"].as_str().unwrap_or_default();
    let value = match contestant.as_str() {
        "slm-repair" => ours(text, &case),
        "jsonrepair" => jsonrepair::loads(text, &jsonrepair::Options::default()).ok(),
        "llm_json" => llm_json::loads(text, &llm_json::RepairOptions::default()).ok(),
        _ => slm_repair::repair(text).ok().map(|repaired| repaired.value),
    };
    if let Some(value) = value {
        println!("{value}");
    }
}

/// With the schema and the finish reason that a case may have; a value that breaks the schema is refused by the validator.
fn ours(text: &str, case: &Value) -> Option<Value> {
    let contract = match case.get("schema") {
        Some(schema) => Some(Contract::from_json("case", &schema.to_string()).ok()?),
        None => None,
    };
    let schema = contract.as_ref().map(Contract::schema);
    let options = Options { schema, cut: case["finish_reason"] == "length" };
    let value = repair_with(text, &options).ok()?.value;
    schema.is_none_or(|schema| schema.conforms(&value)).then_some(value)
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
