//! What an error answer comes to: by status, headers, and each of the shapes of body.

use serde_json::{Value, json};
use slm_backends::{ApiKey, Config, Error, ErrorClass, ErrorKind, Mechanism};

use crate::server::{Reaction, Server};
use crate::{city, client, forced};

/// The error of a forced call that is answered so.
async fn error(reaction: Reaction) -> Error {
    let server = Server::start(move |_| reaction.clone()).await;
    client(&server, forced(Mechanism::JsonSchema)).structured(&city(), "Lyon?").await.unwrap_err()
}

async fn class(status: u16, body: Value) -> ErrorClass {
    error(Reaction::status(status, &body)).await.class()
}

#[expect(clippy::too_many_lines, reason = "a table: one wording a row")]
#[tokio::test]
async fn overflows_are_known_by_each_servers_words() {
    type Numbers = (Option<u64>, Option<u64>);
    let message = |text: &str| json!({"error": {"message": text, "type": "invalid_request_error"}});
    let cases: Vec<(u16, Value, Numbers)> = vec![
        (400, json!({"error": {"message": "too much", "code": "context_length_exceeded"}}), (None, None)),
        (
            400,
            message(
                "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8500 in the messages, 500 in the completion).",
            ),
            (Some(8500), Some(8192)),
        ),
        (
            400,
            message("This endpoint's maximum context length is 4096 tokens. However, you requested about 5000 tokens"),
            (Some(5000), Some(4096)),
        ),
        (
            400,
            message(
                "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300001 tokens.",
            ),
            (Some(300_001), Some(272_000)),
        ),
        (400, message("Please reduce the length of the messages or completion."), (None, None)),
        (
            400,
            message(
                "You passed 600 input tokens and requested 10 output tokens. However, the model's context length is only 512 tokens",
            ),
            (Some(600), Some(512)),
        ),
        (
            400,
            message(
                "This model's maximum context length is 512 tokens. However, your prompt contains at least 513 input tokens, ...",
            ),
            (Some(513), Some(512)),
        ),
        (
            400,
            message("The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
            (Some(5000), Some(4096)),
        ),
        (
            400,
            json!({"object": "error", "message": "The input (61709 tokens) is longer than the model's context length (40960 tokens).", "type": "BadRequestError", "param": null, "code": 400}),
            (Some(61_709), Some(40_960)),
        ),
        (
            400,
            message("Requested token count exceeds the model's maximum context length of 4096 tokens."),
            (None, Some(4096)),
        ),
        (
            400,
            message("Input length (7000 tokens) exceeds the maximum allowed length (4090 tokens)."),
            (Some(7000), Some(4090)),
        ),
        (
            400,
            json!({"error": {"code": 400, "message": "request (5031 tokens) exceeds the available context size (2048 tokens), try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 5031, "n_ctx": 2048}}),
            (Some(5031), Some(2048)),
        ),
        (400, message("the request exceeds the available context size"), (None, None)),
        (400, message("the prompt is longer than the context length currently available to the model"), (None, None)),
        (400, message("prompt too long; exceeded max context length by 12 tokens"), (None, None)),
        (
            400,
            json!({"error": "{\"error\":{\"code\":400,\"message\":\"request (9 tokens) exceeds\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":9,\"n_ctx\":8}}"}),
            (Some(9), Some(8)),
        ),
        (
            400,
            json!({"error": "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5000 >= n_ctx: 4096)"}),
            (Some(5000), Some(4096)),
        ),
        (400, json!({"error": "Trying to keep the first 5000 tokens when context the overflows"}), (Some(5000), None)),
        (
            422,
            json!({"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2100 `inputs` tokens and 20", "error_type": "validation"}),
            (Some(2100), Some(2048)),
        ),
        (422, json!({"error": "`inputs` must have less than 1024 tokens. Given: 1500"}), (Some(1500), Some(1024))),
        (
            400,
            json!({"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
            (Some(210_000), Some(200_000)),
        ),
        (
            400,
            message("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
            (Some(190_000), Some(200_000)),
        ),
        (
            413,
            json!({"type": "error", "error": {"type": "request_too_large", "message": "Request exceeds the maximum size"}}),
            (None, None),
        ),
        (
            400,
            json!([{"error": {"code": 400, "message": "The input token count (1,200,000) exceeds the maximum number of tokens allowed (1048576).", "status": "INVALID_ARGUMENT"}}]),
            (Some(1_200_000), Some(1_048_576)),
        ),
        (
            400,
            json!({"object": "error", "message": {"detail": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"}, "code": 3051}),
            (Some(40_000), Some(32_768)),
        ),
        (
            400,
            message("This model's maximum prompt length is 131072 but the request contains 140000 tokens."),
            (Some(140_000), Some(131_072)),
        ),
        (400, message("prompt token count of 70000 exceeds the limit of 64000"), (Some(70_000), Some(64_000))),
        (400, message("Current length is 9000 while limit is 8192"), (Some(9000), Some(8192))),
        (400, message("Range of input length should be [1, 30720]"), (None, Some(30_720))),
        (400, message("Invalid request: Your request exceeded model token limit: 8192"), (None, Some(8192))),
        (400, message("litellm.ContextWindowExceededError: ..."), (None, None)),
        (500, json!({"error": {"message": "x", "type": "exceed_context_size_error"}}), (None, None)),
    ];
    for (status, body, (prompt, limit)) in cases {
        let error = error(Reaction::status(status, &body)).await;
        assert_eq!(error.class(), ErrorClass::ContextOverflow, "{body}");
        assert_eq!((error.prompt_tokens(), error.limit()), (prompt, limit), "{body}");
        assert_eq!(error.attempts().len(), 1);
        assert!(error.hint().unwrap().contains("shorten the prompt"));
    }
}

#[tokio::test]
async fn what_only_sounds_like_an_overflow_is_none() {
    use ErrorClass::{Permanent, RateLimited, Transient};
    let cases = [
        (
            400,
            json!({"error": {"message": "Invalid 'user': string too long. Expected a string with maximum length 64", "code": "string_above_max_length"}}),
            Permanent,
        ),
        (
            400,
            json!({"error": {"message": "max_tokens is too large: 90000. This model supports at most 16384 completion tokens"}}),
            Permanent,
        ),
        (
            400,
            json!({"error": {"message": "max_tokens: 90000 > 8192, which is the maximum allowed number of output tokens"}}),
            Permanent,
        ),
        (
            400,
            json!({"error": {"message": "max_tokens=5000 cannot be greater than max_model_len=512.", "param": "max_tokens"}}),
            Permanent,
        ),
        (429, json!({"error": {"message": "Rate limit reached for tokens per min (TPM): Limit 10000"}}), RateLimited),
        (
            429,
            json!({"error": {"message": "Throttling error: too many tokens, please wait before trying again."}}),
            RateLimited,
        ),
        (503, json!({"error": {"message": "Service unavailable: too many tokens"}}), Transient),
        (500, json!({"error": {"message": "the request exceeds the available context size"}}), Transient),
        // The message quotes the prompt; the type says what is wrong.
        (
            400,
            json!({"error": {"message": "no such field", "type": "bad_field", "input": "prompt is too long: 9 tokens > 8 maximum"}}),
            Permanent,
        ),
        (413, json!("<html>413 Request Entity Too Large</html>"), Permanent),
    ];
    for (status, body, expected) in cases {
        assert_eq!(class(status, body.clone()).await, expected, "{body}");
    }
}

#[tokio::test]
async fn statuses_have_their_classes() {
    use ErrorClass::{Permanent, RateLimited, Transient, Unknown};
    for (statuses, expected) in [
        (&[400, 401, 402, 403, 404, 405, 411, 413, 415, 422][..], Permanent),
        (&[408, 409, 424, 425, 498, 500, 502, 503, 504, 520, 529][..], Transient),
        (&[429][..], RateLimited),
    ] {
        for status in statuses {
            assert_eq!(class(*status, json!({"error": "no"})).await, expected, "{status}");
        }
    }
    for status in [503, 402, 408] {
        let waits = Reaction::status(status, &json!({"error": "later"})).with_header("retry-after", "1");
        assert_eq!(error(waits).await.class(), RateLimited, "{status}");
    }
    // A 5xx that names the constraint, or the request, is not the server's own.
    for words in
        ["failed to parse grammar", "Cannot use both json_schema and grammar", "Failed to parse tools: no name"]
    {
        assert_eq!(class(500, json!({"error": {"message": words}})).await, Permanent, "{words}");
    }
    for words in ["the database schema is locked", "output that does not match the expected peg-native grammar"] {
        assert_eq!(class(500, json!({"error": {"message": words}})).await, Transient, "{words}");
    }
    let stop = Reaction::status(503, &json!({"error": "no"})).with_header("x-should-retry", "false");
    assert_eq!(error(stop).await.class(), Permanent);
    let html = Reaction::raw(200, "text/html", "<!DOCTYPE html><title>Sign in</title>");
    assert_eq!(error(html).await.class(), Unknown);
}

#[tokio::test]
async fn quotas_that_are_used_up_are_not_waited_for() {
    let day = json!([{"error": {"code": 429, "message": "You exceeded your current quota", "status": "RESOURCE_EXHAUSTED", "details": [{"violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]}, {"retryDelay": "34s"}]}}]);
    let spend = json!({"type": "error", "error": {"type": "rate_limit_error", "message": "spend", "details": {"error_code": "enforced_spend_limit_reached"}}});
    for body in [
        json!({"error": {"message": "You exceeded your current quota", "type": "insufficient_quota", "code": "insufficient_quota"}}),
        day,
        spend,
        json!({"error": {"message": "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000", "type": "tokens", "code": "rate_limit_exceeded"}}),
    ] {
        let error = error(Reaction::status(429, &body)).await;
        assert_eq!((error.class(), error.attempts().len()), (ErrorClass::Permanent, 1), "{body}");
    }
    let minute = json!([{"error": {"code": 429, "message": "You exceeded your current quota", "status": "RESOURCE_EXHAUSTED", "details": [{"violations": [{"quotaId": "GenerateRequestsPerMinute"}]}, {"retryDelay": "2s"}]}}]);
    assert_eq!(class(429, minute).await, ErrorClass::RateLimited);
}

#[tokio::test]
async fn each_shape_of_body_gives_its_message_and_code() {
    let cases = [
        (json!({"error": {"message": "no", "type": "t", "param": null, "code": "c"}}), "no", Some("c")),
        (json!({"object": "error", "message": "no", "type": "BadRequestError", "code": 400}), "no", Some("400")),
        (json!({"error": "no", "error_type": "validation"}), "no", Some("validation")),
        (
            json!({"type": "error", "error": {"type": "not_found_error", "message": "no"}, "request_id": "r"}),
            "no",
            Some("not_found_error"),
        ),
        (json!([{"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT"}}]), "no", Some("400")),
        (json!({"detail": "no"}), "no", None),
        (
            json!({"detail": [{"loc": ["body", "seed"], "msg": "extra", "type": "extra_forbidden"}]}),
            "body.seed: extra (extra_forbidden)",
            None,
        ),
        (
            json!({"error": {"message": "{\"error\":{\"message\":\"no\",\"code\":\"c\"}}", "code": 400}}),
            "no",
            Some("c"),
        ),
        (
            json!({"error": {"message": "outer", "code": 400, "metadata": {"raw": "{\"error\":{\"message\":\"inner\"}}"}}}),
            "outer: inner",
            Some("400"),
        ),
        (json!("Not Found"), "Not Found", None),
    ];
    for (body, message, code) in cases {
        let text = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
        let error = error(Reaction::raw(400, "application/json", &text)).await;
        assert!(error.to_string().ends_with(&format!("/v1: answered 400: {message}")), "{error}");
        assert_eq!(error.code(), code, "{body}");
        assert_eq!(error.status(), Some(400));
    }
    assert!(error(Reaction::raw(400, "text/plain", "")).await.to_string().ends_with("answered 400"));
}

#[tokio::test]
async fn an_error_inside_a_200_is_an_error() {
    let limited = json!({"error": {"message": "Provider returned error", "code": 429, "metadata": {"raw": "{\"error\":{\"message\":\"wait 2s\",\"code\":429}}"}}, "choices": null});
    let error = error(Reaction::ok(&limited)).await;
    assert_eq!((error.kind(), error.class(), error.status()), (ErrorKind::Http, ErrorClass::RateLimited, Some(429)));
    assert_eq!(error.attempts().len(), 3);
    for body in [
        json!({"error": "Unexpected endpoint or method. (POST /chat/completions)"}),
        json!([{"error": {"message": "no", "type": "invalid_request_error"}}]),
        json!({"object": "error", "message": "no", "type": "invalid_request_error"}),
    ] {
        let error = self::error(Reaction::ok(&body)).await;
        assert_eq!((error.kind(), error.class()), (ErrorKind::Http, ErrorClass::Permanent), "{body}");
    }
}

#[tokio::test]
async fn what_is_no_api_reply_is_told_by_its_type() {
    for (content_type, body) in [
        ("text/html; charset=utf-8", "<!DOCTYPE html>\n<p>{\"population\":1,\"city\":\"x\"}</p>"),
        ("application/json", "{\"choices\": [{\"mess"),
        ("application/json", ""),
        ("application/json", "{\"ok\": true}"),
    ] {
        let error = error(Reaction::raw(200, content_type, body)).await;
        assert_eq!((error.kind(), error.attempts().len()), (ErrorKind::Protocol, 1), "{body}");
        assert!(error.hint().unwrap().contains("/v1"));
        if body != "{\"ok\": true}" {
            assert!(error.to_string().contains(&format!("expected JSON, got {content_type} (HTTP 200)")), "{error}");
        }
    }
}

#[tokio::test]
async fn redirects_are_told_and_not_followed() {
    let moved = Reaction::raw(302, "text/html", "").with_header("location", "https://elsewhere.test/v1?token=abc");
    let server = Server::start(move |_| moved.clone()).await;
    let error = client(&server, forced(Mechanism::PromptOnly)).structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert!(error.to_string().contains("https://elsewhere.test/v1") && !error.to_string().contains("abc"), "{error}");
    assert_eq!(server.chats().len(), 1);
}

#[tokio::test]
async fn messages_are_one_plain_short_line_and_hold_no_key() {
    let nasty = format!("\u{1b}[31mred\u{7}\r\nnext \u{202e}line {}", "x".repeat(5000));
    let server = Server::start(move |_| Reaction::status(401, &json!({"error": nasty}))).await;
    let config = Config { api_key: Some(ApiKey::new("sk-hunter2")), ..forced(Mechanism::PromptOnly) };
    let client = client(&server, config);
    let error = client.structured(&city(), "Lyon?").await.unwrap_err();
    let text = error.to_string();
    assert!(text.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{text:?}");
    assert!(text.chars().count() < 400, "{}", text.len());
    assert!(text.contains("[31mred next line x"), "{text}");
    assert!(error.hint().unwrap().contains("SLMCODE_API_KEY"));
    assert!(!format!("{error:?} {client:?}").contains("hunter2"));
}

#[tokio::test]
async fn hints_fit_the_failure() {
    for (status, body, hint) in [
        (400, json!({"error": "'response_format.type' must be 'json_schema' or 'text'"}), "json_schema_supported"),
        (404, json!({"error": {"message": "The model `x` does not exist"}}), "slmcode doctor"),
        (404, json!({"detail": "Not Found"}), "check its path"),
        (402, json!({"error": "pay"}), "no credit"),
        (429, json!({"error": "slow"}), "--max-parallel"),
    ] {
        let error = error(Reaction::status(status, &body)).await;
        assert!(error.hint().unwrap().contains(hint), "{:?}", error.hint());
    }
}

#[tokio::test]
async fn unusable_keys_and_headers_are_refused_without_being_shown() {
    let server = Server::start(|_| Reaction::Reset).await;
    let endpoint = || slm_backends::Endpoint::parse(&server.url()).unwrap();
    let key = Config { api_key: Some(ApiKey::new("sk-\nhunter2")), ..Config::default() };
    let header = Config { headers: vec![("x-key".to_owned(), "a\r\nhunter2: b".to_owned())], ..Config::default() };
    for config in [key, header] {
        let error = slm_backends::Client::with_config(endpoint(), config).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Config);
        assert!(!format!("{error:?}").contains("hunter2"));
    }
}
