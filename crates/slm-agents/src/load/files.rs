//! Files of an agents' folder: bounded, and never out of it.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::{TOOLS_FILE, problem};
use crate::problem::{Problem, ProblemKind};

/// A longer file is no agent, prompt or schema.
const LARGEST: u64 = 256 << 10;
/// Folders below folders, at most.
const DEEPEST: usize = 8;
/// Files and folders that are looked at, at most.
const MOST: usize = 4_000;

/// The folder that agents are read from. What they refer to must lie in it.
pub(super) struct Folder {
    root: PathBuf,
    /// The same without links, for comparing.
    real: PathBuf,
    /// The one file that is meant, where it is not the whole folder.
    only: Option<PathBuf>,
}

/// A file that another one refers to.
pub(super) struct Referred {
    /// As it is reached.
    pub(super) path: PathBuf,
    /// The same without links: one file has one.
    pub(super) real: PathBuf,
}

/// Why a file is not read.
pub(super) enum Refusal {
    NotFound(std::io::Error),
    LeadsOut,
}

impl Folder {
    /// A folder, or that of a file.
    pub(super) fn open(path: &Path) -> Result<Self, Box<Problem>> {
        let is_file = fs::metadata(path).map_err(|error| Box::new(unreadable(path, &error)))?.is_file();
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let root = if is_file { parent.unwrap_or(Path::new(".")) } else { path }.to_owned();
        let real = fs::canonicalize(&root).map_err(|error| Box::new(unreadable(&root, &error)))?;
        Ok(Self { root, real, only: is_file.then(|| path.to_owned()) })
    }

    /// The files that declare agents, by name; hidden ones and linked folders are left out.
    pub(super) fn agent_files(&self, problems: &mut Vec<Problem>) -> Vec<PathBuf> {
        if let Some(file) = &self.only {
            return vec![file.clone()];
        }
        let mut files = Vec::new();
        let mut left = MOST;
        let mut folders = vec![(self.root.clone(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    problems.push(unreadable(&folder, &error));
                    continue;
                }
            };
            for entry in entries.flatten() {
                if left == 0 {
                    let message = format!("more than {MOST} files and folders; this is no folder of agents");
                    problems.push(problem(&self.root, ProblemKind::Unreadable, message));
                    return Vec::new();
                }
                left -= 1;
                let path = entry.path();
                if entry.file_name().to_string_lossy().starts_with('.') {
                    continue;
                }
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder && depth < DEEPEST {
                    folders.push((path, depth + 1));
                } else if !is_folder && is_yaml(&path) && path != self.root.join(TOOLS_FILE) {
                    files.push(path);
                }
            }
        }
        files.sort();
        files
    }

    /// A file of that name directly in the folder.
    pub(super) fn file_at_root(&self, name: &str) -> Option<PathBuf> {
        Some(self.root.join(name)).filter(|path| path.is_file())
    }

    /// The file that `file` means by `name`, from its own folder on.
    pub(super) fn resolve(&self, file: &Path, name: &str) -> Result<Referred, Refusal> {
        let path = file.parent().unwrap_or(Path::new("")).join(name);
        let real = fs::canonicalize(&path).map_err(Refusal::NotFound)?;
        // Links are followed before the comparison, so that none leads out.
        if Path::new(name).is_absolute() || !real.starts_with(&self.real) {
            return Err(Refusal::LeadsOut);
        }
        Ok(Referred { path, real })
    }
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, Box<Problem>> {
    let refuse = |message: String| Box::new(problem(path, ProblemKind::Unreadable, message));
    let metadata = fs::metadata(path).map_err(|error| Box::new(unreadable(path, &error)))?;
    // Opening a pipe would wait for somebody to write into it.
    if !metadata.is_file() {
        return Err(refuse("not a file".to_owned()));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| Box::new(unreadable(path, &error)))?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| Box::new(unreadable(path, &error)))?;
    if bytes.len() as u64 > LARGEST {
        return Err(refuse(format!("larger than {} KiB, which no agent, prompt or schema needs", LARGEST >> 10)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = valid.split(|byte| *byte == b'\n').count();
        let mut problem = refuse("not UTF-8; save the file in that encoding".to_owned());
        problem.line = Some(line);
        problem
    })
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("yaml") || end.eq_ignore_ascii_case("yml"))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Problem {
    problem(path, ProblemKind::Unreadable, format!("cannot be read: {error}"))
}
