//! `docs/errors.md` names every outcome, class, kind and exit code that the code has, and no other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../../../docs/errors.md");

type Names = BTreeSet<String>;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn source(file: &str) -> String {
    std::fs::read_to_string(crates().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// What stands in a file from a line that begins so to the first line that ends its block.
fn block(file: &str, begin: &str) -> String {
    let text = source(file);
    let (_, rest) = text.split_once(&format!("\n{begin}")).unwrap_or_else(|| panic!("{file}: no {begin}"));
    rest.split("\n}\n").next().unwrap().to_owned()
}

/// The names that the arms of a match give.
fn arms(file: &str, begin: &str) -> Names {
    let block = block(file, begin);
    let arms = block.lines().filter_map(|line| line.split_once("=> "));
    let names = arms.filter_map(|(_, name)| Some(name.strip_prefix('"')?.split('"').next()?.to_owned()));
    found(names, file)
}

/// The variants of an enum, in words: `NoJson` is `no json`.
fn variants(file: &str) -> Names {
    let block = block(file, "pub enum ErrorKind");
    let lines = block.lines().map(str::trim).filter(|line| line.ends_with(',') && !line.starts_with('/'));
    let words = lines.map(|line| {
        let spaced =
            line.trim_end_matches(',').chars().map(|c| if c.is_uppercase() { format!(" {c}") } else { c.into() });
        spaced.collect::<String>().trim().to_lowercase()
    });
    found(words, file)
}

fn found(names: impl Iterator<Item = String>, file: &str) -> Names {
    let names: Names = names.collect();
    assert!(names.len() > 1, "{file}: {names:?}");
    names
}

/// The cells of a column of the table whose first heading begins so.
fn column(heading: &str, place: usize) -> Names {
    let mut lines = PAGE.lines().skip_while(|line| !line.starts_with(&format!("| {heading} |")));
    let rows = lines.by_ref().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split(" | ").nth(place).map(|cell| cell.trim_matches(['|', ' ']).to_owned()));
    found(
        cells.flat_map(|cell| cell.split(", ").map(|name| name.trim_matches('`').to_lowercase()).collect::<Vec<_>>()),
        heading,
    )
}

/// The first column of the table under a title.
fn under(title: &str) -> Names {
    let (_, rest) = PAGE.split_once(&format!("\n## {title}\n")).unwrap_or_else(|| panic!("no {title}"));
    let rows = rest.lines().skip_while(|line| !line.starts_with('|')).skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.trim_start_matches("| ").split(" | ").next());
    found(cells.map(|cell| cell.trim_matches('`').to_lowercase()), title)
}

#[test]
fn outcomes_phases_and_warnings_are_those_of_the_code() {
    let file = "slm-backends/src/outcome.rs";
    let mut outcomes = arms(file, "impl Ending {");
    // A call without an outcome.
    outcomes.insert("error".to_owned());
    assert_eq!(column("outcome", 0), outcomes);
    assert_eq!(column("phase of `truncated`", 0), arms(file, "impl Phase {"));
    assert_eq!(column("warning", 0), arms(file, "impl Warning {"));
}

#[test]
fn classes_are_those_of_the_endpoint_and_of_the_command() {
    let mut classes = arms("slm-backends/src/class.rs", "impl ErrorClass {");
    let commands = files(&crates().join("slm-cli/src"));
    for text in commands.iter().map(|file| std::fs::read_to_string(file).unwrap()) {
        // A kind that is told apart by more than its class has a document of its own.
        for made in text.split("Failure::new(").skip(1) {
            let arguments: String = made.chars().take(200).filter(|c| !c.is_whitespace()).collect();
            let class = arguments.split(',').nth(1).and_then(|class| class.strip_prefix('"')?.strip_suffix('"'));
            classes.extend(class.map(str::to_owned));
        }
    }
    classes.insert("usage".to_owned());
    let mut shown = column("class", 0);
    // Outcomes of `repair`, by its kinds of errors.
    shown.extend(["empty".to_owned(), "invalid".to_owned()]);
    assert_eq!(shown, classes);
}

#[test]
fn kinds_of_repairs_schemas_and_agents_are_those_of_the_code() {
    assert_eq!(under("Repair"), variants("slm-repair/src/error.rs"));
    assert_eq!(under("Schemas"), variants("slm-schema/src/error.rs"));
    // The gravities before them are no names.
    let text = block("slm-agents/src/problem.rs", "impl ProblemKind {");
    let names = text.split('"').skip(1).step_by(2).map(str::to_owned);
    assert_eq!(under("Agents"), found(names, "problem.rs"));
}

#[test]
fn exit_codes_are_those_of_the_code() {
    let block = block("slm-cli/src/output.rs", "impl Exit {");
    let codes = block.lines().filter_map(|line| line.split_once("=> ")?.1.strip_suffix(','));
    assert_eq!(column("code", 0), found(codes.map(str::to_owned), "output.rs"));
    let readme = include_str!("../../README.md");
    for code in column("code", 0) {
        assert!(readme.contains(&format!("\n| {code} | ")), "{code}");
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
