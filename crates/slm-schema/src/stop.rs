//! Texts that stop a reply, beside the documents that it must not cut.

/// Could this text occur in a JSON document, however that is spaced? In doubt it could: control characters other than breaks,
/// which no document holds, are not looked for.
///
/// Without a line break or tab it could stand in a string. With one it must lie between tokens there, so what stands beside
/// the break must be tokens, or the end or the beginning of a string.
///
/// ```
/// assert!(slm_schema::may_occur_in_json("},\n"));
/// assert!(!slm_schema::may_occur_in_json("\n## "));
/// ```
pub fn may_occur_in_json(text: &str) -> bool {
    let mut lines = text.split(['\n', '\r', '\t']);
    let first = lines.next().unwrap_or_default();
    first.len() == text.len() || (may_be_tokens(first.chars().rev()) && lines.all(|line| may_be_tokens(line.chars())))
}

/// From outside a string on: tokens, until a quote opens a string that may hold anything.
fn may_be_tokens(characters: impl Iterator<Item = char>) -> bool {
    let mut outside = characters.take_while(|c| *c != '"');
    outside.all(|c| c.is_ascii_digit() || " {}[]:,+-.eEtrufalsn".contains(c))
}
