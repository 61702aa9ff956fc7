//! llama.cpp's own converter, timed from inside the prebuilt module that the model server is made of.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Map, Value};
use slm_schema::Registry;

use crate::server::Server;
use crate::{Outcome, files, python};

/// Conversions of each schema; their median counts.
const ROUNDS: &str = "500";

/// The timing library, built.
#[derive(Debug)]
pub(crate) struct Converter {
    library: PathBuf,
    schemas: String,
}

impl Converter {
    /// Builds it with the system's C++ compiler.
    pub(crate) fn build() -> Outcome<Self> {
        // The model server's packages hold the module; starting it once installs them.
        if !interpreter().exists() {
            drop(Server::start()?);
        }
        let folder = files::root().join("target/bench");
        std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", files::shown(&folder)))?;
        let library = folder.join("converter.so");
        let mut compiler = Command::new("c++");
        compiler
            .args([
                "-O2",
                "-fPIC",
                "-shared",
                "-D_GLIBCXX_USE_CXX11_ABI=0",
                "-Wl,--unresolved-symbols=ignore-all",
                "-o",
            ])
            .args([&library, &files::root().join("xtask/peers/converter.cpp")]);
        python::run(&mut compiler, "build xtask/peers/converter.cpp")?;
        let mut schemas = Map::new();
        for contract in Registry::builtin().iter() {
            let schema: Value = serde_json::from_str(&contract.to_json()).map_err(|error| error.to_string())?;
            schemas.insert(contract.name().to_owned(), schema);
        }
        Ok(Self { library, schemas: Value::Object(schemas).to_string() })
    }

    /// The median time of a conversion, in nanoseconds, by contract.
    pub(crate) fn medians(&self) -> Outcome<BTreeMap<String, f64>> {
        let failed = |error: &dyn std::fmt::Display| format!("cannot time llama.cpp's converter: {error}");
        let mut child = Command::new(interpreter())
            .arg(files::root().join("xtask/peers/converter.py"))
            .arg(&self.library)
            .arg(ROUNDS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        if let Some(mut schemas) = child.stdin.take() {
            schemas.write_all(self.schemas.as_bytes()).map_err(|error| failed(&error))?;
        }
        let output = child.wait_with_output().map_err(|error| failed(&error))?;
        serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))
    }
}

fn interpreter() -> PathBuf {
    files::root().join("target/model-server/venv").join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}
