//! `slmcode config`, and the file behind it.

use serde_json::{Value, json};

use crate::command::{Run, slmcode, slmcode_with};
use crate::folder::Folder;
use crate::server::{Answer, MODELS, reply, serve};

const CLARIFY: Answer = reply!(r#""{\"needs_clarification\":false,\"questions\":[]}""#);

/// A configuration file, and commands that read it.
struct Configured {
    folder: Folder,
    file: String,
}

impl Configured {
    fn new(name: &str, text: &str) -> Self {
        let folder = Folder::new(name);
        let file = folder.write("config.toml", text);
        Self { folder, file }
    }

    fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, &[])
    }

    fn run_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Run {
        slmcode_with(args, &[&[("SLMCODE_CONFIG", self.file.as_str())], variables].concat(), "")
    }

    fn get(&self, key: &str) -> Value {
        let run = self.run(&["config", "get", key, "--json"]);
        assert_eq!(run.code, 0, "{run:?}");
        run.document()
    }
}

#[test]
fn a_value_that_is_set_counts_in_every_later_call() {
    let config = Configured::new("config-set", "");
    let url = serve(MODELS, CLARIFY);
    let ask = ["ask", "clarify", "x", "--endpoint", &url, "--json"];
    for off in ["off", "none", "false", "0", "prompt", "prompt-only", "OFF"] {
        let set = config.run(&["config", "set", "structured_decoding", off, "--json"]);
        assert_eq!((set.code, &set.document()["value"]), (0, &"off".into()), "{set:?}");
        let document = config.run(&ask).document();
        assert_eq!(document["mechanism"], "prompt_only");
        assert_eq!(document["attempts"].as_array().map(Vec::len), Some(1), "no probe is sent: {document}");
    }
    assert_eq!(config.run(&["config", "set", "structured_decoding", "auto"]).code, 0);
    assert_eq!(config.run(&ask).document()["mechanism"], "json_object");
    assert_eq!(config.folder.names(), ["config.toml"], "nothing is left beside the file");
}

#[test]
fn flags_stand_above_the_environment_above_the_file_above_defaults() {
    let config = Configured::new("config-origin", "# mine\nmax_parallel = 3\n");
    assert_eq!(config.get("llm_retry_count")["origin"], "default");
    let from_file = config.get("max_parallel");
    assert_eq!((&from_file["value"], &from_file["origin"]), (&3.into(), &"file".into()));
    assert!(from_file["source"].as_str().unwrap().ends_with("config.toml:2"), "{from_file}");
    let variables = [("SLMCODE_MAX_PARALLEL", "4")];
    let run = config.run_with(&["config", "get", "max_parallel", "--json"], &variables);
    assert_eq!((&run.document()["value"], &run.document()["origin"]), (&4.into(), &"environment".into()));
    let run = config.run_with(&["config", "get", "max_parallel", "--max-parallel", "5", "--json"], &variables);
    assert_eq!((&run.document()["value"], &run.document()["origin"]), (&5.into(), &"flag".into()));
    let run = config.run(&["config", "get", "max_parallel"]);
    assert_eq!((run.stdout.as_str(), run.stderr.contains("config.toml:2")), ("3\n", true), "{run:?}");
}

#[test]
fn the_list_names_every_key_with_its_origin() {
    let config = Configured::new("config-list", "model = \"qwen\"\n");
    let document = config.run(&["config", "list", "--json"]).document();
    let rows = document["settings"].as_array().unwrap();
    let keys: Vec<&str> = rows.iter().map(|row| row["key"].as_str().unwrap()).collect();
    assert_eq!(
        keys,
        [
            "structured_decoding",
            "max_parallel",
            "llm_retry_count",
            "llm_retry_delay_ms",
            "provider",
            "endpoint",
            "model",
            "api_key_env"
        ]
    );
    assert_eq!((&rows[6]["value"], &rows[6]["origin"]), (&"qwen".into(), &"file".into()));
    let run = config.run(&["config", "list"]);
    assert!(run.stdout.contains("model                qwen  file"), "{run:?}");
    assert!(!run.stdout.contains('\u{1b}'), "no colours where no terminal is: {run:?}");
}

#[test]
fn comments_order_and_unknown_keys_stay() {
    let text = "# by hand\nmodel = \"a\" # the small one\nfuture = [1, 2]\n\n[team]\nname = \"x\" # theirs\n";
    let config = Configured::new("config-keeps", text);
    assert_eq!(config.run(&["config", "set", "model", "b"]).code, 0);
    assert_eq!(config.folder.read("config.toml"), text.replace("\"a\"", "\"b\""));
    assert_eq!(config.run(&["config", "set", "max-parallel", "2"]).code, 0);
    assert_eq!(
        (config.get("max_parallel")["value"].clone(), config.get("model")["value"].clone()),
        (2.into(), "b".into())
    );
    assert!(config.folder.read("config.toml").ends_with("[team]\nname = \"x\" # theirs\n"));
    assert_eq!(config.run(&["config", "unset", "max_parallel"]).code, 0);
    assert_eq!(config.folder.read("config.toml"), text.replace("\"a\"", "\"b\""));
}

#[test]
fn a_file_that_is_not_there_is_made() {
    let folder = Folder::new("config-made");
    let file = folder.path("deep/down/config.toml");
    let run = slmcode_with(&["config", "set", "url", "http://127.0.0.1:9/v1"], &[("SLMCODE_CONFIG", &file)], "");
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(folder.read("deep/down/config.toml"), "endpoint = \"http://127.0.0.1:9/v1\"\n");
    let home = folder.path("home");
    let variables = [("SLMCODE_CONFIG", ""), ("XDG_CONFIG_HOME", home.as_str())];
    assert_eq!(slmcode_with(&["config", "set", "model", "m"], &variables, "").code, 0);
    assert_eq!(folder.read("home/slmcode/config.toml"), "model = \"m\"\n");
}

#[test]
fn values_are_checked_and_the_way_out_is_named() {
    let config = Configured::new("config-checked", "");
    for (key, value, words) in [
        ("structured_decoding", "maybe", &["maybe", "auto", "prompt-only"][..]),
        ("max_parallel", "0", &["max_parallel", "1 to"]),
        ("max_parallel", "many", &["many", "integer"]),
        ("llm_retry_delay_ms", "-1", &["-1", "integer"]),
        ("provider", "magic", &["magic", "llama_cpp"]),
        ("endpoint", "localhost:8080", &["http://localhost:8080"]),
        ("max_paralel", "2", &["max_paralel", "did you mean max_parallel?"]),
        ("frobnicate", "2", &["frobnicate", "structured_decoding"]),
    ] {
        config.run(&["config", "set", key, value]).fails(2, words);
    }
    config.run(&["config", "get", "modle"]).fails(2, &["did you mean model?"]);
    assert_eq!(config.folder.read("config.toml"), "", "nothing was written");
}

#[test]
fn a_key_itself_is_never_stored_or_shown() {
    let config = Configured::new("config-key", "");
    for (name, key) in [
        ("api_key_env", "sk-proj-0123456789abcdef"),
        ("api_key_env", "gsk_0123456789abcdefghij"),
        ("api_key_env", "0123456789abcdef0123456789abcdef"),
        ("api_key_env", "AKIA0123456789ABCDEF"),
        ("api_key", "whatever-it-is"),
    ] {
        let run = config.run(&["config", "set", name, key]);
        run.fails(2, &["never stored", "environment variable"]);
        assert!(!run.stderr.contains(key), "{run:?}");
    }
    let run = config.run(&["config", "set", "key_env", "MY_SERVERS_KEY_2"]);
    assert_eq!((run.code, run.stderr.contains("not set now")), (0, true), "{run:?}");
    assert_eq!(config.get("api_key_env")["value"], "MY_SERVERS_KEY_2");
}

#[test]
fn the_key_comes_from_the_variable_that_is_named() {
    let config = Configured::new("config-key-env", "api_key_env = \"THEIR_KEY\"\n");
    let refused = Answer::Http(401, "application/json", r#"{"error":{"message":"Invalid API Key their-secret"}}"#);
    let url = serve(refused, refused);
    let run = config.run_with(&["ask", "clarify", "x", "--endpoint", &url], &[("THEIR_KEY", "their-secret")]);
    // A client that knows the key takes it out of what the server says.
    assert_eq!((run.code, run.stderr.contains("their-secret")), (1, false), "{run:?}");
    let run = config.run(&["ask", "clarify", "x", "--endpoint", &url]);
    assert!(run.stderr.contains("their-secret"), "without a key nothing is hidden: {run:?}");
}

#[test]
fn a_broken_file_is_named_with_its_line() {
    let config = Configured::new("config-broken", "model = \"a\"\nmax_parallel = = 2\n");
    config.run(&["config", "list"]).fails(2, &["config.toml:2", "TOML"]);
    let config = Configured::new("config-wrong", "\nmax_parallel = \"lots\"\n");
    let url = serve(MODELS, CLARIFY);
    config.run(&["ask", "clarify", "x", "--endpoint", &url]).fails(2, &["config.toml:2", "max_parallel", "lots"]);
    let document = config.run(&["doctor", "--endpoint", &url, "--json"]).document();
    assert_eq!(document["error"]["class"], "usage");
    assert_eq!(config.run(&["config", "set", "max_parallel", "2"]).code, 0, "a wrong value can be mended");
    let config = Configured::new("config-twice", "url = \"http://a\"\nendpoint = \"http://b\"\n");
    config.run(&["config", "list"]).fails(2, &["config.toml:2", "url", "endpoint"]);
}

#[test]
fn unknown_keys_are_said_where_nobody_parses_the_output() {
    let config = Configured::new("config-unknown", "structured_decodin = \"off\"\n");
    let url = serve(MODELS, CLARIFY);
    let ask = ["ask", "clarify", "x", "--endpoint", &url];
    let run = config.run(&ask);
    assert!(
        run.stderr.contains("config.toml:1") && run.stderr.contains("did you mean structured_decoding?"),
        "{run:?}"
    );
    assert_eq!(config.run(&[&ask[..], &["--json"]].concat()).stderr, "");
}

#[test]
fn endpoint_and_model_may_come_from_the_file() {
    let url = serve(MODELS, CLARIFY);
    let config = Configured::new("config-endpoint", &format!("endpoint = \"{url}\"\nmodel = \"chosen\"\n"));
    let document = config.run(&["doctor", "--json"]).document();
    assert_eq!(
        (&document["connection"]["model"], &document["connection"]["origin"]),
        (&json!("chosen"), &json!("file"))
    );
}

/// The reference in `docs/` follows from the command itself; `SLMCODE_WRITE_DOCS=1` writes it anew.
#[test]
fn the_reference_of_the_configuration_is_current() {
    let document = slmcode(&["config", "list", "--json"], "").document();
    let cell = |value: &Value| value.as_str().map_or_else(|| "-".to_owned(), |text| format!("`{text}`"));
    let mut table = String::from(
        "| key | also | takes | default | variable | flag | meaning |\n| --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in document["settings"].as_array().unwrap() {
        let aliases: Vec<String> = row["aliases"].as_array().unwrap().iter().map(cell).collect();
        let columns = [
            cell(&row["key"]),
            aliases.join(", "),
            row["takes"].as_str().unwrap().to_owned(),
            cell(&row["default"]),
            cell(&row["variable"]),
            cell(&row["flag"]),
            row["meaning"].as_str().unwrap().to_owned(),
        ];
        table.extend(["| ", &columns.join(" | "), " |\n"]);
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let text = std::fs::read_to_string(file).unwrap();
    let (before, rest) = text.split_once("<!-- table -->\n").expect("a place for the table");
    let (_, after) = rest.split_once("<!-- end -->\n").expect("its end");
    let current = format!("{before}<!-- table -->\n{table}<!-- end -->\n{after}");
    if std::env::var_os("SLMCODE_WRITE_DOCS").is_some() {
        std::fs::write(file, &current).unwrap();
    }
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text, current, "run the tests with SLMCODE_WRITE_DOCS=1 and look at the difference");
}
