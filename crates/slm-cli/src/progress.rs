//! What moves on a terminal while something takes long: on standard error, never beside `--json`, never in a file.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// What is over sooner needs no sign of life.
const SHORT: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// Awaits the work; where it takes long, with a spinner.
pub(crate) async fn waiting<T>(what: &'static str, json: bool, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    if json {
        return work.await;
    }
    if let Ok(done) = tokio::time::timeout(SHORT, &mut work).await {
        return done;
    }
    // Hidden by itself where standard error is no terminal.
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(TICK);
    let done = work.await;
    spinner.finish_and_clear();
    done
}

/// A bar over `total` steps, or without an end where that is unknown; `done` were done before. Hidden where `json` is asked
/// for or standard error is no terminal.
pub(crate) fn bar(total: Option<u64>, done: u64, json: bool) -> ProgressBar {
    if json {
        return ProgressBar::hidden();
    }
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{bar:30} {pos}/{len} · {per_sec} · {eta} left · {msg}"),
        None => (ProgressBar::no_length(), "{spinner} {pos} · {per_sec} · {msg}"),
    };
    // The templates are ours; a bar in the default style would do as well.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_position(done)
}
