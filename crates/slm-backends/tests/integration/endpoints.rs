//! Addresses and names.

use slm_backends::{Endpoint, ErrorKind, Mechanism, Provider};

#[test]
fn addresses_are_normalised_once() {
    let cases = [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1///", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080//v1", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1/v1", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1/chat/completions", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/chat/completions", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1/chat/completions/models", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1/models", "http://127.0.0.1:8080/v1"),
        ("HTTP://LocalHost:8080", "http://localhost:8080/v1"),
        (" https://api.groq.com/openai/v1 ", "https://api.groq.com/openai/v1"),
        ("https://api.deepseek.com:443", "https://api.deepseek.com/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
        ("http://[::1]", "http://[::1]/v1"),
        ("https://host/v1?api-version=1#top", "https://host/v1"),
        ("https://host/v1beta/openai", "https://host/v1beta/openai"),
    ];
    for (given, expected) in cases {
        let endpoint = Endpoint::parse(given).unwrap();
        assert_eq!(endpoint.url(), expected, "{given}");
        assert_eq!(endpoint.to_string(), expected);
        assert_eq!(Endpoint::parse(endpoint.url()).unwrap(), Endpoint::parse(expected).unwrap());
    }
}

#[test]
fn bad_addresses_are_refused_with_the_way_out() {
    for given in [
        "",
        "  ",
        "ftp://host",
        "http://",
        "http:///v1",
        "http://host:99999",
        "http://host:x",
        "http://host:+80",
        "http://[::1",
        "http://[::1:x:80",
        "http://[::1]x:8080",
        "http://[host]",
        "http://ho]st",
        "http://host\\x",
        "http://a b",
        "file:///etc/passwd",
    ] {
        let error = Endpoint::parse(given).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Config, "{given}");
        assert!(!error.to_string().contains('\n'));
    }
    let error = Endpoint::parse("localhost:8080").unwrap_err();
    assert_eq!(error.hint(), Some("did you mean http://localhost:8080?"));
}

#[test]
fn secrets_in_an_address_are_neither_taken_nor_shown() {
    for given in ["https://user:hunter2@host/v1", "https://hunter2@host", "user:hunter2@host"] {
        let error = Endpoint::parse(given).unwrap_err();
        let shown = format!("{error} {error:?} {:?}", error.hint());
        assert!(!shown.contains("hunter2"), "{shown}");
    }
    let endpoint = Endpoint::parse("https://host/v1?key=hunter2").unwrap();
    assert!(!format!("{endpoint} {endpoint:?} {}", endpoint.url()).contains("hunter2"));
}

#[test]
fn names_are_read_back_and_bad_ones_listed() {
    for provider in Provider::ALL {
        assert_eq!(provider.as_str().parse::<Provider>().unwrap(), provider);
    }
    assert_eq!("llama.cpp".parse::<Provider>().unwrap(), Provider::LlamaCpp);
    assert_eq!("LM Studio".parse::<Provider>().unwrap(), Provider::LmStudio);
    assert!("bard".parse::<Provider>().unwrap_err().to_string().contains("llama_cpp, vllm"));
    for mechanism in Mechanism::ALL {
        assert_eq!(mechanism.as_str().parse::<Mechanism>().unwrap(), mechanism);
    }
    let error = "json".parse::<Mechanism>().unwrap_err();
    assert!(error.to_string().contains("json_schema, guided_json, gbnf_grammar, json_object, prompt_only"), "{error}");
    assert_eq!(Mechanism::default(), Mechanism::PromptOnly);
    let mut sorted = Mechanism::ALL;
    sorted.sort();
    assert_eq!(sorted.map(Mechanism::rank), [1, 2, 3, 4, 5]);
}
