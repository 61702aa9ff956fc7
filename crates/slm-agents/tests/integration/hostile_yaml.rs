//! Whatever stands in a file: it is read or refused, and nothing panics.

use proptest::prelude::*;
use slm_agents::Loader;
use slm_schema::Registry;

use crate::folder::Folder;

const SOUND: &str = "\
- id: go-review
  description: &d 'it''s one'
  tools: [read, \"grep\"]
  prompt: |
    Put it in `summary`, `findings` and `verdict`.

    ```json
    {\"findings\": [{\"severity\": \"minor\", \"line\": 1}], \"x\": …}
    ```
  overrides: {stop: [\"\\n#\"], max_tokens: 12, temperature: 0.5}
- {id: chat, description: *d, prompt: >-
    folded
    text }
- id: docs
";

/// Pieces that mean something to YAML.
const PIECES: [&str; 24] = [
    "\n", "  ", "- ", ": ", "|\n", ">\n", "&d ", "*d", "!!str ", "[", "]", "{", "}", "'", "\"", "#", "---\n", "...\n",
    "\t", "? ", "%", "\u{feff}", "é", "`a.b[]`",
];

#[expect(clippy::unwrap_used, reason = "a test's helper fails as the test does")]
fn read(bytes: &[u8]) {
    let folder = Folder::with(&[]);
    std::fs::write(folder.path().join("a.yaml"), bytes).unwrap();
    let loaded = Loader::new(Registry::builtin()).read(folder.path());
    let lines = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1;
    for problem in &loaded.problems {
        assert!(problem.line.is_none_or(|line| (1..=lines + 1).contains(&line)), "{problem}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read(&bytes);
    }

    #[test]
    fn random_pieces(pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..60)) {
        read(pieces.concat().as_bytes());
    }

    #[test]
    fn mutated_files(edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..4_usize, 0..PIECES.len()), 1..8)) {
        let mut text: Vec<char> = SOUND.chars().collect();
        for (index, kind, piece) in edits {
            let at = index.index(text.len() + 1);
            match kind {
                0 => text.truncate(at),
                1 => drop(text.drain(at..(at + 3).min(text.len()))),
                2 => drop(text.splice(at..at, PIECES[piece].chars())),
                _ => text.splice(at..at, SOUND.chars().take(200)).for_each(drop),
            }
        }
        read(text.into_iter().collect::<String>().as_bytes());
    }
}

#[test]
fn the_file_that_is_mutated_is_read_as_it_stands() {
    let folder = Folder::with(&[("a.yaml", SOUND)]);
    let loaded = Loader::new(Registry::builtin()).read(folder.path());
    assert_eq!(loaded.agents.len(), 3, "{:?}", loaded.problems);
}
