//! LiteLLM's proxy as a router over several servers: an engine that spreads the load, from the Python Package Index.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Outcome, files, server};

/// What the virtual environment holds.
pub(crate) const REQUIREMENTS: &str = "litellm[proxy]==1.108.7\n";
/// It imports a lot before it answers.
const START_LIMIT: Duration = Duration::from_mins(3);
/// With one question whether it is there.
const PATIENCE: Duration = Duration::from_secs(5);

/// A running router; stopped when dropped.
#[derive(Debug)]
pub(crate) struct Router {
    url: String,
    child: Child,
}

impl Router {
    /// A router over the servers at `upstreams`, which all serve `model`.
    pub(crate) fn start(python: &Path, home: &Path, model: &str, upstreams: &[&str]) -> Outcome<Self> {
        let failed = |error: &dyn std::fmt::Display| format!("LiteLLM cannot be started: {error}");
        let port = server::free_port()?;
        let path = home.join("router.yaml");
        files::write(&path, &configuration(model, upstreams))?;
        let log = home.join("router.log");
        let out = File::create(&log).map_err(|error| failed(&error))?;
        let err = out.try_clone().map_err(|error| failed(&error))?;
        let child = Command::new(program(python))
            .arg("--config")
            .arg(&path)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .env("LITELLM_TELEMETRY", "False")
            // It asks for a key of its own otherwise. It listens on loopback alone, for as long as a run takes.
            .env("LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY", "true")
            .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(err)
            .spawn()
            .map_err(|error| failed(&error))?;
        let mut router = Self { url: format!("http://127.0.0.1:{port}/v1"), child };
        let begun = Instant::now();
        while !server::answers(port, "/health/liveliness", PATIENCE) {
            if let Ok(Some(status)) = router.child.try_wait() {
                return Err(failed(&format!("it ended with {status}; see {}", files::shown(&log))));
            }
            if begun.elapsed() > START_LIMIT {
                return Err(failed(&format!("it did not answer in time; see {}", files::shown(&log))));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(router)
    }

    /// What clients are given.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Router {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing left to stop.
        let _ended_already = self.child.kill();
        let _status = self.child.wait();
    }
}

/// One name for all servers; the least busy gets the next request. A server that fails once is left out for a while, and
/// nothing is sent again here: that is the client's to do, which knows what may be.
fn configuration(model: &str, upstreams: &[&str]) -> String {
    let mut text = "model_list:\n".to_owned();
    for url in upstreams {
        text.extend([
            "  - model_name: \"",
            model,
            "\"\n    litellm_params: {model: \"openai/",
            model,
            "\", api_base: \"",
            url,
            "\", api_key: none}\n",
        ]);
    }
    text.push_str(
        "router_settings: {routing_strategy: least-busy, num_retries: 0, allowed_fails: 0, cooldown_time: 30}\n\
         litellm_settings: {num_retries: 0, telemetry: false, drop_params: false}\n",
    );
    text
}

/// The proxy's own program, beside the Python that it is installed for.
fn program(python: &Path) -> PathBuf {
    python.with_file_name(if cfg!(windows) { "litellm.exe" } else { "litellm" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_servers_stand_behind_one_name() {
        let text = configuration("m", &["http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"]);
        assert_eq!(text.matches("model_name: \"m\"").count(), 2, "{text}");
        assert!(text.contains("{model: \"openai/m\", api_base: \"http://127.0.0.1:2/v1\", api_key: none}"), "{text}");
    }
}
