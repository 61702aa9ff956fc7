//! Python programs that are measured beside ours: each set in a virtual environment of its own under `target/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::server::step;
use crate::{Outcome, files};

/// The Python of a virtual environment in `home` that holds what `requirements` (the text of a requirements file) names;
/// made on the first run, reused until the text changes.
pub(crate) fn environment(home: &Path, requirements: &str) -> Outcome<PathBuf> {
    let venv = home.join("venv");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let stamp = home.join("installed.txt");
    if files::holds(&stamp, requirements) && python.exists() {
        return Ok(python);
    }
    step(&format!("making a virtual environment in {}", files::shown(home)));
    let list = home.join("requirements.txt");
    files::write(&list, requirements)?;
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv), "make a virtual environment")?;
    step("installing what it needs");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]).arg(&list);
    run(&mut pip, "install the Python packages; see to a connection to the package index")?;
    files::write(&stamp, requirements)?;
    Ok(python)
}

/// The versions of these packages, as they are installed there: `name version`, in order.
pub(crate) fn versions(python: &Path, packages: &[&str]) -> Outcome<String> {
    let program = "import sys\nfrom importlib.metadata import version\nprint(', '.join(f'{name} {version(name)}' for name in sys.argv[1:]))";
    let mut command = Command::new(python);
    command.args(["-c", program]).args(packages);
    run(&mut command, "read the versions of the Python packages").map(|text| text.trim().to_owned())
}

/// Runs a command to its end; what it printed, or what it cannot do and its last words.
pub(crate) fn run(command: &mut Command, what: &str) -> Outcome<String> {
    let output = command.output().map_err(|error| format!("cannot {what}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = words.trim_end().lines().collect();
    let last = lines.get(lines.len().saturating_sub(12)..).unwrap_or_default();
    Err(format!("cannot {what}:\n    {}", last.join("\n    ")))
}
