//! How long an endpoint asks us to wait.

use std::time::{Duration, SystemTime};

use super::calendar::days_before;
use crate::wire::error_body::ErrorBody;

/// The hint of an error answer: the most precise header first, the body last. Where a limit was hit, headers that tell
/// when it is lifted count too. `now` is for dates, where the answer has no date of its own.
pub(crate) fn retry_after<'h>(
    header: impl Fn(&str) -> Option<&'h str>,
    body: &ErrorBody,
    is_limited: bool,
    now: SystemTime,
) -> Option<Duration> {
    let milliseconds = ["retry-after-ms", "x-ms-retry-after-ms"]
        .iter()
        .find_map(|name| number(header(name)?))
        .map(|milliseconds| milliseconds / 1000.0);
    if let Some(wait) = milliseconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
        return Some(wait);
    }
    // LiteLLM renames what its upstream said.
    let text = header("retry-after").or_else(|| header("llm_provider-retry-after"));
    let waited = text.and_then(|text| {
        if let Some(seconds) = number(text) {
            Duration::try_from_secs_f64(seconds).ok()
        } else {
            let until = http_date(text)?;
            let from = header("date").and_then(http_date).unwrap_or(now);
            Some(until.duration_since(from).unwrap_or_default())
        }
    });
    // Some servers send them with every answer.
    let reset = || is_limited.then(|| super::reset::wait(&header, now)).flatten();
    waited.or(body.retry_after).or_else(reset)
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`: the only form that HTTP still lets servers write.
fn http_date(text: &str) -> Option<SystemTime> {
    let (_, rest) = text.trim().split_once(", ")?;
    let mut parts = rest.split(' ');
    let day: u64 = parts.next()?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let month = parts.next()?;
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = u64::try_from(months.iter().position(|known| *known == month)?).ok()? + 1;
    let year: u64 = parts.next()?.parse().ok().filter(|year| (1970..10_000).contains(year))?;
    let mut clock = parts.next()?.split(':').map(|part| part.parse::<u64>().ok().filter(|part| *part < 61));
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let seconds = days_before(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}
