//! One run of `slmcode batch`, and what its lines say.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Outcome, files};

/// What a run needs.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    pub(crate) slmcode: &'a Path,
    pub(crate) folder: &'a Path,
    pub(crate) contract: &'a str,
    pub(crate) model: &'a str,
    pub(crate) parallel: usize,
    pub(crate) prompts: &'a [String],
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// What stood behind the endpoint.
    pub(crate) set_up: String,
    /// Lines that went in.
    pub(crate) lines: usize,
    /// Different ids that came out.
    pub(crate) answered: usize,
    /// Lines that came out more than once.
    pub(crate) repeated: usize,
    /// Lines with a value.
    pub(crate) values: usize,
    /// Lines that took more than one request.
    pub(crate) again: usize,
    /// Of those that are no values, how they ended.
    pub(crate) otherwise: Vec<String>,
    /// Tokens of all replies.
    pub(crate) completion_tokens: u64,
    /// From the start of the command to its end.
    pub(crate) seconds: f64,
    /// Lines that were out when a server was killed.
    pub(crate) killed_after: Option<usize>,
}

impl Run {
    /// Did each line come out once, with a value?
    pub(crate) fn is_whole(&self) -> bool {
        self.answered == self.lines && self.repeated == 0 && self.values == self.lines
    }

    /// Lines a second.
    #[expect(clippy::cast_precision_loss, reason = "a run has some dozens of lines")]
    pub(crate) fn rate(&self) -> f64 {
        self.values as f64 / self.seconds
    }
}

impl Batch<'_> {
    /// Runs it against `url`. `kill` is called once a third of the lines is out.
    pub(crate) fn run(&self, set_up: &str, url: &str, kill: Option<&mut dyn FnMut()>) -> Outcome<Run> {
        let (input, out) = (self.folder.join("in.jsonl"), self.folder.join("out.jsonl"));
        let lines = self.prompts.iter().enumerate();
        let text: String =
            lines.map(|(id, prompt)| serde_json::json!({"id": id + 1, "prompt": prompt}).to_string() + "\n").collect();
        files::write(&input, &text)?;
        if out.exists() {
            fs::remove_file(&out).map_err(|error| format!("cannot remove {}: {error}", files::shown(&out)))?;
        }
        let begun = Instant::now();
        let killed_after = self.work(url, &input, &out, kill)?;
        let seconds = begun.elapsed().as_secs_f64();
        let text = fs::read_to_string(&out).map_err(|error| format!("cannot read {}: {error}", files::shown(&out)))?;
        Ok(Run { killed_after, ..read(set_up, self.prompts.len(), &text, seconds)? })
    }

    fn work(
        &self,
        url: &str,
        input: &PathBuf,
        out: &PathBuf,
        mut kill: Option<&mut dyn FnMut()>,
    ) -> Outcome<Option<usize>> {
        let failed = |error: &dyn std::fmt::Display| format!("slmcode batch cannot be run: {error}");
        let mut child = Command::new(self.slmcode)
            .args(["batch", self.contract])
            .args([input, out])
            // Forced, so that each set-up sends the same constraint, and no line pays for probes.
            .args(["--endpoint", url, "--model", self.model, "--mechanism", "json_schema", "--temperature", "0"])
            .args(["--as-finished", "--max-parallel", &self.parallel.to_string()])
            .env("SLMCODE_CACHE_DIR", self.folder.join("cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(&error))?;
        let mut killed_after = None;
        loop {
            let done = fs::read_to_string(out).map_or(0, |text| text.lines().count());
            if done * 3 >= self.prompts.len()
                && let Some(kill) = kill.take()
            {
                kill();
                killed_after = Some(done);
            }
            match child.try_wait().map_err(|error| failed(&error))?.map(|status| status.code()) {
                // 6: it ran to its end, and some lines are no values; the lines say which.
                Some(Some(0 | 6)) => return Ok(killed_after),
                Some(code) => return Err(failed(&format!("it ended with {code:?}"))),
                None => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }
}

/// What the lines of a run say. Pure.
fn read(set_up: &str, lines: usize, text: &str, seconds: f64) -> Outcome<Run> {
    let documents: Vec<Value> = text
        .lines()
        .map(|line| {
            serde_json::from_str(line).map_err(|error| format!("slmcode batch wrote no JSON ({error}): {line}"))
        })
        .collect::<Outcome<_>>()?;
    let ids: BTreeSet<String> = documents.iter().filter_map(|line| line.get("id")).map(Value::to_string).collect();
    let outcome = |line: &Value| line.get("outcome").and_then(Value::as_str).unwrap_or("none").to_owned();
    let otherwise: Vec<String> = documents.iter().map(outcome).filter(|outcome| outcome != "value").collect();
    let requests = |line: &Value| line.get("attempts").and_then(Value::as_array).map_or(0, Vec::len);
    let tokens = |line: &Value| line.pointer("/usage/completion_tokens").and_then(Value::as_u64).unwrap_or(0);
    Ok(Run {
        set_up: set_up.to_owned(),
        lines,
        answered: ids.len(),
        repeated: documents.len() - ids.len(),
        values: documents.len() - otherwise.len(),
        again: documents.iter().filter(|line| requests(line) > 1).count(),
        otherwise,
        completion_tokens: documents.iter().map(tokens).sum(),
        seconds,
        killed_after: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_repeated_and_failed_lines_are_seen() {
        let value = |id: u32, attempts: &str| {
            format!(
                "{{\"id\":{id},\"outcome\":\"value\",\"attempts\":{attempts},\"usage\":{{\"completion_tokens\":9}}}}\n"
            )
        };
        let whole = read("one", 2, &(value(1, "[{}]") + &value(2, "[{},{}]")), 4.0).unwrap();
        assert!(whole.is_whole());
        assert_eq!((whole.again, whole.completion_tokens), (1, 18));
        assert!((whole.rate() - 0.5).abs() < 1e-9);
        assert!(!read("one", 2, &value(1, "[]"), 1.0).unwrap().is_whole(), "a line is lost");
        let twice = value(1, "[]") + &value(1, "[]") + &value(2, "[]");
        assert!(!read("one", 2, &twice, 1.0).unwrap().is_whole(), "a line came twice");
        let failed = value(1, "[]") + "{\"id\":2,\"outcome\":\"error\"}\n";
        let failed = read("one", 2, &failed, 1.0).unwrap();
        assert!(!failed.is_whole());
        assert_eq!(failed.otherwise, ["error"]);
        assert!(read("one", 1, "{\"id\":", 1.0).is_err());
    }
}
