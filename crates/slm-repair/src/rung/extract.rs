//! `extract`: the document is taken out of what stands around it, and comments are taken out of the document.

use std::ops::Range;

use crate::documents::{self, Document, Likeness};
use crate::edit::Edits;
use crate::error::{ErrorKind, Fault};
use crate::reasoning;
use crate::scan::Kind;
use crate::walk::Walk;

/// Takes out the one document that the text means, without its comments.
pub(super) fn edits(text: &str) -> Result<Edits, Fault> {
    let documents = documents::find(text)?;
    let range = match choose(text, documents)? {
        Some(document) => document.range,
        None => reasoning::answer_start(text)?..text.len(),
    };
    let mut edits = Edits::default();
    edits.trim_before(range.start, text);
    edits.append(comments(text, range.clone()));
    edits.trim_behind(range.end, text);
    Ok(edits)
}

/// The document that is meant: the only strong one, else the only weak one, else the only bare one.
fn choose(text: &str, documents: Vec<Document>) -> Result<Option<Document>, Fault> {
    let likeness = documents.iter().map(|document| document.likeness).max();
    // In prose `{}`, `[]` and `[1]` are placeholders and footnotes.
    if likeness == Some(Likeness::Bare) && !stand_alone(text, &documents) {
        return Ok(None);
    }
    let mut best: Vec<_> = documents.into_iter().filter(|document| Some(document.likeness) == likeness).collect();
    if best.len() > 1 {
        return Err(Fault::several(best.into_iter().map(|document| document.range).collect()));
    }
    let Some(document) = best.pop() else { return Ok(None) };
    check_rest(text, &document)?;
    Ok(Some(document))
}

/// Are there no words around the documents?
fn stand_alone(text: &str, documents: &[Document]) -> bool {
    let starts = documents.iter().map(|document| document.range.start).chain([text.len()]);
    let ends = [0].into_iter().chain(documents.iter().map(|document| document.range.end));
    ends.zip(starts).all(|(end, start)| text.get(end..start).is_none_or(is_wordless))
}

/// No words, but for those in comments.
fn is_wordless(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '/' || c.is_alphanumeric()) {
        let found = rest.get(at..).unwrap_or_default();
        let end = if found.starts_with("/*") {
            found.find("*/").map_or(found.len(), |end| end + 2)
        } else if found.starts_with("//") {
            found.find('\n').unwrap_or(found.len())
        } else if found.starts_with('/') {
            1
        } else {
            return false;
        };
        rest = found.get(end..).unwrap_or_default();
    }
    true
}

/// Refuses a document whose end is in doubt: it may go on behind what was taken for its last closer.
fn check_rest(text: &str, document: &Document) -> Result<(), Fault> {
    let end = document.range.end;
    let rest = text.get(end..).unwrap_or_default().trim();
    let in_doubt = match rest.strip_prefix(',') {
        Some(behind) => !behind.is_empty(),
        None => document.mismatched && rest.starts_with(['}', ']']),
    };
    if document.complete && in_doubt {
        let message = "the root closes here, but the document seems to go on; which closer is wrong cannot be told";
        return Err(Fault::new(ErrorKind::Ambiguous, end, message));
    }
    Ok(())
}

/// Removes the comments between the tokens of a document.
fn comments(text: &str, range: Range<usize>) -> Edits {
    let mut edits = Edits::default();
    let document = text.get(..range.end).unwrap_or_default();
    if !document.contains('/') {
        return edits;
    }
    for step in Walk::starting_at(document, range.start) {
        // An open comment is left to the check for truncation: closers may stand in it.
        if step.inside.is_some() && step.token.kind == (Kind::Comment { closed: true }) {
            edits.replace(step.token.range(), " ");
        }
    }
    edits
}
