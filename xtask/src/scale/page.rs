//! docs/scaling.md: the figures of one run, and how to go on from there. Pure.

use std::fmt::Write as _;

use super::batch::Run;
use crate::facts::Facts;
use crate::markdown::table;

const INTRODUCTION: &str = "\
# Scaling

One endpoint is an address; behind it may stand one server or many. The client bounds what it has under way at once, retries
what may be retried, and leaves spreading the load to an engine made for that. Measured here: `slmcode batch` over LiteLLM's
router and two llama.cpp servers, one of which is killed in the middle. Made by `cargo xtask scale`.
";

const HOW_TO_READ: &str = "\
*Again*: lines that took more than one request. Each server has a core of its own where the table above says so, and stands for
a machine; client and router share these cores with them, so two servers cannot give quite twice the lines. The mechanism is forced
to `json_schema` in every row, so that all send the same constraint.
";

const HOW_TO_GO_ON: &str = "\
## How to go on from here

* **More of the same server behind a router.** Every replica needs the same build, model and window: a router hides which one
  answers, and what the client learnt from one would be believed of all. With LiteLLM set `num_retries: 0`: retries belong to the
  client, which knows which failures demote nothing and which requests must not be sent again. A replica that fails should be left
  out for a while (`allowed_fails`, `cooldown_time`), or each request has to find out anew.
* **An engine that batches.** llama.cpp's slots share one context and one set of threads. vLLM and SGLang batch continuously and
  share the beginnings of prompts, which here are long and alike: the contract's description comes before the prompt, and is the
  same bytes for each call. Replicas of them stand behind the same kind of router; one that sends like prompts to the same
  replica keeps their caches warm.
* **`max_parallel` follows the slots.** As many as all replicas have together keeps them busy; more only wait in the server's queue,
  where the client's time-out runs.
* **Several files, several machines.** `slmcode batch` works on one file and can `--resume`; split the input, and run one for each
  part. What was learnt about the endpoint is shared through the cache folder, which is written under a lock.

## What the client keeps for each endpoint

| what | where | for how long |
| --- | --- | --- |
| which mechanisms were seen enforced, and demotions by contract | in memory; in `capabilities.json` with a cache folder | until the server's fingerprint changes, or `doctor --refresh` |
| whether it takes streams, a system role, `strict`; whether the model thinks | the same | the same |
| a bound on requests under way | in memory, over all clones of a client | as long as the client |
| open connections | in memory | as long as they are used |

Nothing of a prompt or a reply is kept, and no key.
";

/// The whole page.
pub(crate) fn page(facts: &Facts, runs: &[Run]) -> String {
    let head = [
        "behind the endpoint",
        "lines",
        "lost",
        "repeated",
        "values",
        "again",
        "seconds",
        "values a second",
        "×",
        "reply tokens a second",
    ];
    let first = runs.first().map(Run::rate);
    let rows: Vec<Vec<String>> = runs.iter().map(|run| row(run, first)).collect();
    let mut text =
        format!("{INTRODUCTION}\n## The run\n\n{}\n{}", table(&["", ""], &facts.rows()), table(&head, &rows));
    let _ = write!(text, "\n{HOW_TO_READ}\n");
    for run in runs {
        if let Some(after) = run.killed_after {
            let verdict = if run.is_whole() {
                "nothing was lost: each line came out once, with a value"
            } else {
                "**not each line came out once with a value**"
            };
            let _ = writeln!(text, "The server was killed when {after} of {} lines were out; {verdict}.", run.lines);
        }
        if !run.otherwise.is_empty() {
            let _ = writeln!(text, "Under *{}* these lines ended otherwise: {}.", run.set_up, run.otherwise.join(", "));
        }
    }
    let _ = write!(text, "\n{HOW_TO_GO_ON}");
    text
}

#[expect(clippy::cast_precision_loss, reason = "a run makes some thousands of tokens")]
fn row(run: &Run, first: Option<f64>) -> Vec<String> {
    vec![
        run.set_up.clone(),
        run.lines.to_string(),
        (run.lines - run.answered.min(run.lines)).to_string(),
        run.repeated.to_string(),
        run.values.to_string(),
        run.again.to_string(),
        format!("{:.1}", run.seconds),
        format!("{:.2}", run.rate()),
        first.map_or_else(|| "-".to_owned(), |first| format!("{:.2}", run.rate() / first)),
        format!("{:.1}", run.completion_tokens as f64 / run.seconds),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(set_up: &str, seconds: f64) -> Run {
        Run {
            set_up: set_up.to_owned(),
            lines: 12,
            answered: 12,
            repeated: 0,
            values: 12,
            again: 0,
            otherwise: Vec::new(),
            completion_tokens: 600,
            seconds,
            killed_after: None,
        }
    }

    #[test]
    fn rates_are_held_against_the_first() {
        let page = page(&Facts::now("cargo xtask scale"), &[run("one server", 12.0), run("two", 8.0)]);
        assert!(page.contains("| one server | 12 | 0 | 0 | 12 | 0 | 12.0 | 1.00 | 1.00 | 50.0 |"), "{page}");
        assert!(page.contains("| two | 12 | 0 | 0 | 12 | 0 | 8.0 | 1.50 | 1.50 | 75.0 |"), "{page}");
        assert!(!page.contains("was killed"), "{page}");
    }

    #[test]
    fn a_lost_line_is_said_to_be_lost() {
        let killed = Run { killed_after: Some(4), ..run("two", 8.0) };
        let facts = Facts::now("cargo xtask scale");
        assert!(page(&facts, std::slice::from_ref(&killed)).contains("when 4 of 12 lines were out; nothing was lost"));
        let lost = Run { answered: 11, values: 10, otherwise: vec!["error".to_owned()], ..killed };
        let page = page(&facts, &[lost]);
        assert!(page.contains("**not each line came out once with a value**"), "{page}");
        assert!(page.contains("these lines ended otherwise: error."), "{page}");
    }
}
