//! Sent again, exactly as often and as late as the policy says.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use slm_backends::{ErrorClass, ErrorKind, Mechanism, RetryPolicy};

use crate::clock::TestClock;
use crate::server::{Reaction, Server};
use crate::{city, client, client_with_clock, forced, said};

const VALID: &str = r#"{"population": 1, "city": "Lyon"}"#;

/// A server that fails so many times and then answers.
async fn failing(times: usize, failure: Reaction) -> Server {
    let seen = AtomicUsize::new(0);
    Server::start(move |_| {
        let is_over = seen.fetch_add(1, Ordering::SeqCst) >= times;
        if is_over { Reaction::ok(&said(VALID)) } else { failure.clone() }
    })
    .await
}

#[test]
fn jitter_fills_the_exponential_wait() {
    let policy = RetryPolicy::default();
    let delay = |failed, random| policy.delay(failed, ErrorClass::Transient, None, random);
    assert_eq!(delay(1, 0.0), Some(Duration::ZERO));
    assert_eq!(delay(1, 1.0), Some(Duration::from_millis(500)));
    assert_eq!(delay(1, 0.5), Some(Duration::from_millis(250)));
    assert_eq!(delay(2, 1.0), Some(Duration::from_secs(1)));
    assert_eq!(delay(3, 1.0), None);
    let patient = RetryPolicy { attempts: 100, ..policy };
    assert_eq!(patient.delay(40, ErrorClass::Transient, None, 1.0), Some(Duration::from_secs(20)));
}

#[test]
fn a_hint_wins_up_to_the_ceiling() {
    let policy = RetryPolicy::default();
    let delay = |hint| policy.delay(1, ErrorClass::RateLimited, Some(hint), 0.0);
    assert_eq!(delay(Duration::from_secs(7)), Some(Duration::from_secs(7)));
    assert_eq!(delay(Duration::ZERO), Some(Duration::ZERO));
    assert_eq!(delay(Duration::from_hours(1)), Some(Duration::from_secs(20)));
}

#[test]
fn only_what_may_pass_is_retried() {
    let retried = [
        (ErrorClass::Transient, true),
        (ErrorClass::RateLimited, true),
        (ErrorClass::Permanent, false),
        (ErrorClass::ContextOverflow, false),
        (ErrorClass::Canceled, false),
        (ErrorClass::Unknown, false),
    ];
    for (class, is_retried) in retried {
        assert_eq!(RetryPolicy::default().delay(1, class, None, 1.0).is_some(), is_retried, "{class}");
    }
}

#[tokio::test]
async fn a_storm_of_refusals_is_met_by_every_spelling_of_a_hint() {
    let cases = [
        ("retry-after", "7", 7000),
        ("retry-after", "1.5", 1500),
        ("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT", 10_000),
        ("retry-after", "Sun, 06 Nov 1994 08:49:07 GMT", 0),
        ("retry-after", "3600", 20_000),
        ("retry-after-ms", "1250", 1250),
        ("llm_provider-retry-after", "3", 3000),
        ("x-ratelimit-reset-requests", "2s", 2000),
        ("x-ratelimit-reset-tokens", "1m0.5s", 20_000),
        ("x-ratelimit-reset-tokens", "172ms", 172),
        ("x-ratelimit-reset", "784111779000", 2000),
        ("anthropic-ratelimit-requests-reset", "1994-11-06T08:49:38.5Z", 1500),
    ];
    let storm = async |name, value| {
        let limited = Reaction::status(429, &json!({"error": {"message": "slow down"}})).with_header(name, value);
        let (server, clock) = (failing(99, limited).await, TestClock::default());
        let client = client_with_clock(&server, forced(Mechanism::PromptOnly), clock.clone());
        let error = client.structured(&city(), "Lyon?").await.unwrap_err();
        assert_eq!((error.class(), server.chats().len()), (ErrorClass::RateLimited, 3), "{name}: {value}");
        clock.waits()
    };
    for (name, value, milliseconds) in cases {
        assert_eq!(storm(name, value).await, [Duration::from_millis(milliseconds); 2], "{name}: {value}");
    }
    // What cannot be read is no hint: the policy's own waits, at full jitter.
    for value in ["soon", "-4"] {
        assert_eq!(storm("retry-after", value).await, [500, 1000].map(Duration::from_millis), "{value}");
    }
}

#[tokio::test]
async fn of_two_limits_the_one_that_was_hit_counts() {
    let limited = Reaction::status(429, &json!({}))
        .with_header("x-ratelimit-remaining-requests", "10")
        .with_header("x-ratelimit-reset-requests", "9s")
        .with_header("x-ratelimit-remaining-tokens", "0")
        .with_header("x-ratelimit-reset-tokens", "3s");
    let clock = TestClock::default();
    let server = failing(1, limited).await;
    let client = client_with_clock(&server, forced(Mechanism::PromptOnly), clock.clone());
    client.structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(clock.waits(), [Duration::from_secs(3)]);
    // They come with every answer: a server that failed is not waited for so long.
    let failed = Reaction::status(500, &json!({})).with_header("x-ratelimit-reset-requests", "9s");
    let clock = TestClock::default();
    let server = failing(1, failed).await;
    let client = client_with_clock(&server, forced(Mechanism::PromptOnly), clock.clone());
    client.structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(clock.waits(), [Duration::from_millis(500)]);
}

#[tokio::test]
async fn a_date_is_compared_with_the_servers_own() {
    let limited = Reaction::status(429, &json!({}))
        .with_header("retry-after", "Mon, 01 Jan 2024 00:00:09 GMT")
        .with_header("date", "Mon, 01 Jan 2024 00:00:00 GMT");
    let server = failing(1, limited).await;
    let clock = TestClock::default();
    client_with_clock(&server, forced(Mechanism::PromptOnly), clock.clone())
        .structured(&city(), "Lyon?")
        .await
        .unwrap();
    assert_eq!(clock.waits(), [Duration::from_secs(9)]);
}

#[tokio::test]
async fn a_server_that_recovers_is_forgiven() {
    let loading = Reaction::status(503, &json!({"error": {"message": "Loading model", "code": 503}}));
    for failure in [loading, Reaction::raw(502, "text/html", "<html>bad gateway"), Reaction::Reset] {
        let server = failing(2, failure.clone()).await;
        let clock = TestClock::with_random(0.5);
        let client = client_with_clock(&server, forced(Mechanism::PromptOnly), clock.clone());
        let outcome = client.structured(&city(), "Lyon?").await.unwrap();
        assert!(outcome.value().is_some());
        assert_eq!(outcome.attempts().len(), 3, "{failure:?}");
        assert_eq!(clock.waits(), [Duration::from_millis(250), Duration::from_millis(500)]);
    }
}

#[tokio::test]
async fn three_attempts_and_no_more() {
    let server = failing(99, Reaction::Reset).await;
    let error = client(&server, forced(Mechanism::PromptOnly)).structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!((error.kind(), error.class()), (ErrorKind::Transport, ErrorClass::Transient));
    assert_eq!(server.chats().len(), 3);
    assert_eq!(error.attempts().len(), 3);
}
