//! The documentation names what there is.

use std::path::Path;

use slm_agents::{Gravity, ProblemKind};

const KINDS: [ProblemKind; 13] = [
    ProblemKind::Unreadable,
    ProblemKind::Syntax,
    ProblemKind::UnknownKey,
    ProblemKind::MissingKey,
    ProblemKind::InvalidValue,
    ProblemKind::DuplicateId,
    ProblemKind::UnknownContract,
    ProblemKind::InvalidSchema,
    ProblemKind::UnknownTool,
    ProblemKind::OutsideFolder,
    ProblemKind::UnknownField,
    ProblemKind::InvalidExample,
    ProblemKind::UnmentionedField,
];

/// Each kind of problem stands in the table of errors, with the exit code of the command that shows it.
#[test]
fn every_kind_of_problem_is_explained() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let text = std::fs::read_to_string(file).unwrap();
    for kind in KINDS {
        let codes = [(Gravity::Configuration, 2), (Gravity::Mismatch, 4), (Gravity::Warning, 0)];
        let (_, code) = codes.iter().find(|(gravity, _)| *gravity == kind.gravity()).unwrap();
        let row = format!("| `{}` | {code} | ", kind.name());
        assert!(text.contains(&row), "docs/errors.md has no row {row}");
    }
}
