//! What is learnt is kept on disk: whole, keyless, and never for another server than the one it was learnt from.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use slm_backends::{ApiKey, Config, Mechanism, Request, State};

use crate::server::{Ask, Reaction, Server, probe_reply};
use crate::{city, client, said};

/// A directory that goes with its value.
#[derive(Debug)]
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("slm-backends-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
        Self(std::env::temp_dir().join(name))
    }

    fn file(&self) -> PathBuf {
        self.0.join("capabilities.json")
    }

    fn read(&self) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.file()).unwrap()).unwrap()
    }

    fn config(&self) -> Config {
        Config { cache_dir: Some(self.0.clone()), ..Config::default() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It may never have been made.
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

fn valid(_: &Ask) -> Reaction {
    Reaction::ok(&said(r#"{"population": 1, "city": "Lyon"}"#))
}

/// How many probes a new client needs for a call.
async fn probes(server: &Server, config: Config) -> usize {
    let before = server.chats().len() - server.calls().len();
    let outcome = client(server, config).structured(&city(), "Lyon?").await.unwrap();
    assert!(outcome.value().is_some());
    server.chats().len() - server.calls().len() - before
}

#[tokio::test]
async fn a_second_client_does_not_probe_again_unless_it_is_told_to() {
    let (folder, server) = (Folder::new(), Server::enforcing(&["gbnf_grammar"], valid).await);
    assert_eq!(probes(&server, folder.config()).await, 4);
    assert_eq!(probes(&server, folder.config()).await, 0);
    assert_eq!(probes(&server, Config { refresh: true, ..folder.config() }).await, 4);
    // Without a directory nothing is kept; another model, another delivery are another matter.
    assert_eq!(probes(&server, Config::default()).await, 4);
    assert_eq!(probes(&server, Config { model: Some("n".to_owned()), ..folder.config() }).await, 4);
    assert_eq!(probes(&server, Config { streaming: false, ..folder.config() }).await, 4);
    let remembered = slm_backends::remembered(&folder.0);
    let models: Vec<&str> = remembered.iter().map(|one| one.model.as_str()).collect();
    assert_eq!((models.len(), models.contains(&"n")), (3, true), "{models:?}");
    assert!(
        remembered
            .iter()
            .all(|one| one.endpoint == server.url() && one.capabilities.is_enforced(Mechanism::GbnfGrammar))
    );
    assert_eq!(slm_backends::remembered(&folder.0.join("nowhere")), []);
    let known = client(&server, folder.config());
    known.structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(known.capabilities().await.state(Mechanism::JsonSchema), State::Ignored);
}

#[tokio::test]
async fn a_demotion_outlives_its_process() {
    let folder = Folder::new();
    let server = Server::enforcing(&["json_schema", "gbnf_grammar"], |ask| match ask.mechanism() {
        "json_schema" => Reaction::status(400, &json!({"error": {"message": "Grammar error: maxLength"}})),
        _ => valid(ask),
    })
    .await;
    client(&server, folder.config()).structured(&city(), "Lyon?").await.unwrap();
    let outcome = client(&server, folder.config()).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!((outcome.mechanism(), outcome.attempts().len()), (Mechanism::GbnfGrammar, 1));
}

#[tokio::test]
async fn neither_key_nor_header_nor_query_reaches_the_file() {
    let folder = Folder::new();
    let server = Server::start(|ask| match ask {
        ask if !ask.is_chat() => Reaction::ok(&json!({"data": [{"id": "m"}]})),
        ask if ask.mechanism() == "json_schema" => Reaction::status(
            400,
            &json!({"error": format!("response_format: not for sk-secret or blue-team: {}", ask.head)}),
        ),
        ask => Reaction::ok(&probe_reply(ask, &["json_object"])),
    })
    .await;
    let config = Config {
        api_key: Some(ApiKey::new("sk-secret")),
        headers: vec![("x-team".to_owned(), "blue-team".to_owned())],
        ..folder.config()
    };
    let endpoint = slm_backends::Endpoint::parse(&format!("{}?key=sk-query", server.url())).unwrap();
    slm_backends::Client::with_config(endpoint, config).unwrap().diagnose().await;
    let text = std::fs::read_to_string(folder.file()).unwrap();
    assert!(text.contains("response_format: not for"), "{text}");
    assert!(!text.contains("sk-") && !text.contains("blue-team"), "{text}");
}

#[tokio::test]
async fn another_server_behind_the_port_does_not_inherit() {
    let folder = Folder::new();
    let swapped = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let switch = std::sync::Arc::clone(&swapped);
    let server = Server::start(move |ask| {
        let second = switch.load(Ordering::SeqCst);
        match ask {
            ask if !ask.is_chat() => {
                let id = if second { "second.gguf" } else { "first.gguf" };
                Reaction::ok(&json!({"data": [{"id": id, "owned_by": "me"}]}))
            }
            ask if ask.is_probe() => {
                Reaction::ok(&probe_reply(ask, if second { &["json_object"] } else { &["json_schema"] }))
            }
            ask if second && ask.mechanism() == "json_schema" => Reaction::Reset,
            ask => valid(ask),
        }
    })
    .await;
    // The name that the caller uses stays the same.
    let config = || Config { model: Some("any".to_owned()), ..folder.config() };
    let old = client(&server, config());
    assert_eq!(old.structured(&city(), "Lyon?").await.unwrap().mechanism(), Mechanism::JsonSchema);
    swapped.store(true, Ordering::SeqCst);
    let outcome = client(&server, config()).structured(&city(), "Lyon?").await.unwrap();
    assert_eq!(outcome.mechanism(), Mechanism::JsonObject);
    // A client that lives on notices when its connection breaks.
    old.structured(&city(), "Lyon?").await.unwrap_err();
    assert_eq!(old.structured(&city(), "Lyon?").await.unwrap().mechanism(), Mechanism::JsonObject);
}

#[tokio::test]
async fn a_damaged_file_is_set_aside_and_a_newer_one_is_left_alone() {
    let server = Server::enforcing(&["json_schema"], valid).await;
    for damaged in ["", "{\"version\": 1, \"entr", "[]", "{\"version\": \"x\"}", "\u{0}\u{1}"] {
        let folder = Folder::new();
        std::fs::create_dir_all(&folder.0).unwrap();
        std::fs::write(folder.file(), damaged).unwrap();
        assert_eq!(probes(&server, folder.config()).await, 1, "{damaged:?}");
        assert_eq!(probes(&server, folder.config()).await, 0, "{damaged:?}");
        let aside = std::fs::read_to_string(folder.0.join("capabilities.json.damaged")).unwrap();
        assert_eq!(aside, damaged);
    }
    let folder = Folder::new();
    std::fs::create_dir_all(&folder.0).unwrap();
    let newer = r#"{"version": 99, "what": "ever"}"#;
    std::fs::write(folder.file(), newer).unwrap();
    assert_eq!(probes(&server, folder.config()).await, 1);
    assert_eq!(std::fs::read_to_string(folder.file()).unwrap(), newer);
}

#[tokio::test]
async fn an_entry_that_is_not_understood_costs_no_other() {
    let (folder, server) = (Folder::new(), Server::enforcing(&["json_schema"], valid).await);
    probes(&server, folder.config()).await;
    let mut document = folder.read();
    document["entries"].as_array_mut().unwrap().insert(0, json!({"provider": "yours"}));
    std::fs::write(folder.file(), document.to_string()).unwrap();
    assert_eq!(probes(&server, folder.config()).await, 0);
}

#[tokio::test]
async fn a_directory_that_cannot_be_written_costs_no_call() {
    let (folder, server) = (Folder::new(), Server::enforcing(&["json_schema"], valid).await);
    std::fs::write(&folder.0, "a file").unwrap();
    let config = Config { cache_dir: Some(folder.0.join("below")), ..Config::default() };
    assert_eq!(probes(&server, config).await, 1);
    std::fs::remove_file(&folder.0).unwrap();
}

/// Runs as a process of its own, see below: writes to the file until it is killed.
#[tokio::test]
#[ignore = "a part of another test, which kills it"]
async fn hammer() {
    let Some(directory) = std::env::var_os("SLM_HAMMERED") else { return };
    let server = Server::enforcing(&["json_schema", "json_object"], valid).await;
    for round in 0.. {
        let config = Config {
            cache_dir: Some(directory.clone().into()),
            model: Some(format!("m{}-{round}", std::process::id())),
            api_key: Some(ApiKey::new("sk-secret")),
            ..Config::default()
        };
        probes(&server, config).await;
    }
}

#[test]
fn processes_that_are_killed_at_any_time_never_damage_the_file() {
    let folder = Folder::new();
    std::fs::create_dir_all(&folder.0).unwrap();
    let start = || {
        std::process::Command::new(std::env::current_exe().unwrap())
            .args(["remembering::hammer", "--exact", "--ignored"])
            .env("SLM_HAMMERED", &folder.0)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let entries = || match std::fs::read(folder.file()) {
        Err(_) => 0,
        Ok(bytes) => {
            let text = String::from_utf8(bytes).unwrap();
            assert!(!text.contains("sk-secret"));
            let document: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(document["version"], 1);
            document["entries"].as_array().unwrap().len()
        }
    };
    let mut processes = [start(), start(), start()];
    // Each time the file has grown, one of them is killed wherever it is, and replaced.
    for round in 0..9 {
        let before = entries();
        while entries() <= before {
            std::thread::yield_now();
        }
        let process = &mut processes[round % 3];
        process.kill().unwrap();
        process.wait().unwrap();
        *process = start();
    }
    for process in &mut processes {
        process.kill().unwrap();
        process.wait().unwrap();
    }
    assert!(entries() >= 9);
    assert!(!folder.0.join("capabilities.json.damaged").exists());
}

#[tokio::test]
async fn what_thinking_was_set_to_is_part_of_what_is_kept() {
    let (folder, server) = (Folder::new(), Server::enforcing(&["json_schema"], valid).await);
    let ask = async |effort: &str| {
        let before = server.chats().len();
        let request = Request::new("Lyon?").extra("reasoning_effort", effort);
        client(&server, folder.config()).structured(&city(), request).await.unwrap();
        server.chats().len() - before
    };
    assert_eq!([ask("low").await, ask("high").await, ask("low").await, ask("high").await], [2, 2, 1, 1]);
    assert_eq!(probes(&server, folder.config()).await, 1);
    let file = folder.read();
    assert_eq!(file["entries"].as_array().unwrap().len(), 3);
    assert!(!file.to_string().contains("low"), "a caller's text is not written down: {file}");
}
