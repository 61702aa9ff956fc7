//! What moves on a terminal while something takes long: on standard error, never beside `--json`, never in a file.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use indicatif::ProgressBar;

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
