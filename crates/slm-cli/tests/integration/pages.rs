//! What the command tells about itself: versions, help, completions, man pages, and errors.

use crate::command::slmcode;

const COMMANDS: [&str; 16] = [
    "ask",
    "batch",
    "doctor",
    "readiness",
    "status",
    "config",
    "repair",
    "validate",
    "grammar",
    "explain",
    "sample",
    "completions",
    "man",
    "config set",
    "agents",
    "agents check",
];

#[test]
fn help_shows_an_example_of_each_command() {
    for command in COMMANDS {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let run = slmcode(&args, "");
        let example = format!("slmcode {command}");
        let (_, shown) = run.stdout.split_once("Example:\n").unwrap_or_else(|| panic!("{run:?}"));
        assert!(run.code == 0 && shown.contains(&example), "{run:?}");
    }
    assert!(slmcode(&["--help"], "").stdout.contains("slmcode ask clarify"));
}

#[test]
fn the_version_names_the_features() {
    let run = slmcode(&["--version"], "");
    assert!(run.stdout.starts_with(concat!("slmcode ", env!("CARGO_PKG_VERSION"))), "{run:?}");
    assert!(run.stdout.contains("features: tls, validate"), "{run:?}");
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = slmcode(&["completions", shell], "");
        assert_eq!(run.code, 0, "{run:?}");
        for word in ["batch", "readiness", "max-reasks"] {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
    }
    let document = slmcode(&["completions", "bash", "--json"], "").document();
    assert!(document["script"].as_str().unwrap().contains("_slmcode"));
    slmcode(&["completions", "csh"], "").fails(2, &["csh", "bash"]);
}

#[test]
fn man_pages_are_roff() {
    let run = slmcode(&["man"], "");
    assert!(run.code == 0 && run.stdout.contains(".TH slmcode 1") && run.stdout.contains("readiness"), "{run:?}");
    let run = slmcode(&["man", "ask"], "");
    assert!(run.stdout.contains("max\\-reasks"), "{run:?}");
    slmcode(&["man", "aks"], "").fails(2, &["aks", "readiness"]);
}

#[test]
fn a_wrong_word_is_one_line_with_the_way_out() {
    slmcode(&["frobnicate"], "").fails(2, &["frobnicate", "--help"]);
    slmcode(&["ask", "clarify", "x", "--temprature", "1"], "").fails(2, &["--temprature", "--temperature"]);
    slmcode(&["explain", "clarify"], "").fails(2, &["--dialect"]);
    slmcode(&["ask", "clarify", "x", "--seed", "many"], "").fails(2, &["many", "--seed"]);
    slmcode(&[], "").fails(2, &["a command is missing: ask, batch, doctor,", "--help"]);
    slmcode(&["agents"], "").fails(2, &["a command is missing: check; --help"]);
    slmcode(&["config"], "").fails(2, &["a command is missing: get, set, unset, list; --help"]);
    for command in ["ask", "batch"] {
        let help = slmcode(&[command, "--help"], "").stdout;
        for flag in [
            "endpoint",
            "model",
            "provider",
            "mechanism",
            "stream",
            "max-tokens",
            "temperature",
            "seed",
            "system",
            "tools",
            "max-reasks",
            "max-parallel",
            "timeout",
            "header",
            "extra",
            "json",
            "verbose",
        ] {
            assert!(help.contains(&format!("--{flag}")), "{command} --{flag}");
        }
    }
    let document = slmcode(&["explain", "clarify", "--json"], "").document();
    assert!(document["error"]["message"].as_str().unwrap().contains("--dialect"), "{document}");
}

#[test]
fn verbose_says_what_led_to_an_error_and_v_traces() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let ask = [
        "ask",
        "clarify",
        "x",
        "--endpoint",
        &url,
        "--mechanism",
        "prompt_only",
        "--model",
        "m",
        "--provider",
        "custom",
    ];
    let run = slmcode(&[&ask[..], &["--verbose"]].concat(), "");
    assert!(run.stderr.contains("because: attempt 3: prompt_only, no status, transient"), "{run:?}");
    let run = slmcode(&[&ask[..], &["-v", "--json"]].concat(), "");
    assert!(run.stderr.contains("WARN") || run.stderr.contains("INFO"), "{run:?}");
    assert_eq!(run.document()["error"]["class"], "transient", "traces stay off standard output");
}
