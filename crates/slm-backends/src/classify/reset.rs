//! When a rate limit is lifted, in the headers that servers send beside `Retry-After` or in its place.

use std::time::{Duration, SystemTime};

/// Larger numbers are points in time, not spans: in milliseconds, or in seconds, since 1970.
const EPOCH_MILLISECONDS: f64 = 1e11;
const EPOCH_SECONDS: f64 = 1e9;

/// How long until the limit that was hit is lifted.
pub(super) fn wait<'h>(header: impl Fn(&str) -> Option<&'h str>, now: SystemTime) -> Option<Duration> {
    let span = |kind: &str| span(header(&format!("x-ratelimit-reset-{kind}"))?);
    let spans = exhausted(&header, "x-ratelimit-remaining-").filter_map(span).max();
    let instant = |kind: &str| Some(until(rfc3339(header(&format!("anthropic-ratelimit-{kind}-reset"))?)?, now));
    let instants = || ["requests", "tokens", "input-tokens", "output-tokens"].into_iter().filter_map(instant).max();
    let plain = || header("x-ratelimit-reset").and_then(|text| number_or_span(text, now));
    spans.or_else(instants).or_else(plain)
}

/// The kinds of which nothing remains; where no header tells, all of them may be.
fn exhausted<'h>(header: impl Fn(&str) -> Option<&'h str>, prefix: &str) -> impl Iterator<Item = &'static str> {
    const KINDS: [&str; 2] = ["requests", "tokens"];
    let remains = KINDS.map(|kind| header(&format!("{prefix}{kind}")).and_then(|text| text.trim().parse::<i64>().ok()));
    let told = remains.iter().flatten().any(|count| *count <= 0);
    KINDS
        .into_iter()
        .zip(remains)
        .filter(move |(_, count)| !told || count.is_some_and(|count| count <= 0))
        .map(|(kind, _)| kind)
}

/// `1s`, `6m0s`, `172ms`, `1h2m3.5s`; a bare number is seconds.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    if let Ok(seconds) = rest.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let mut sum = Duration::ZERO;
    while !rest.is_empty() {
        let (number, behind) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.')?);
        let (unit, behind) = behind.split_at(behind.find(|c: char| c.is_ascii_digit()).unwrap_or(behind.len()));
        let seconds = match unit.trim() {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        let part = Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()?;
        sum = sum.checked_add(part)?;
        rest = behind;
    }
    Some(sum)
}

fn number_or_span(text: &str, now: SystemTime) -> Option<Duration> {
    match text.trim().parse::<f64>() {
        Ok(number) if number >= EPOCH_MILLISECONDS => Some(until(since_epoch(number / 1000.0)?, now)),
        Ok(number) if number >= EPOCH_SECONDS => Some(until(since_epoch(number)?, now)),
        _ => span(text),
    }
}

fn since_epoch(seconds: f64) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(seconds).ok()?)
}

/// `1994-11-06T08:49:37Z`, with or without fractions, in UTC.
fn rfc3339(text: &str) -> Option<SystemTime> {
    let (date, time) = text.trim().split_once('T')?;
    let time = time.trim_end_matches('Z').trim_end_matches("+00:00");
    let mut date = date.split('-').map(str::parse::<u64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let mut clock = time.split(':').map(str::parse::<f64>);
    let (hour, minute, second) = (clock.next()?.ok()?, clock.next()?.ok()?, clock.next()?.ok()?);
    let is_date = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let days = is_date.then(|| super::calendar::days_before(year, month, day))?;
    let midnight = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(days * 86_400))?;
    midnight.checked_add(Duration::try_from_secs_f64(hour * 3600.0 + minute * 60.0 + second).ok()?)
}

fn until(instant: SystemTime, now: SystemTime) -> Duration {
    instant.duration_since(now).unwrap_or_default()
}
