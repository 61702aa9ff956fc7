//! `fence`: the document in a Markdown fence is the answer.

use crate::documents;
use crate::edit::Edits;
use crate::error::Fault;

/// Takes out the one document that stands first in a fence.
///
/// A fence inside a document (in one of its strings) is no fence; one that is left open, or that holds prose or a shell
/// command, is none of this rung's business.
pub(super) fn edits(text: &str) -> Result<Edits, Fault> {
    let fenced: Vec<_> = documents::find(text)?.into_iter().filter(|document| document.fenced).collect();
    let mut edits = Edits::default();
    match fenced.as_slice() {
        [] => {}
        [document] => {
            edits.trim_before(document.range.start, text);
            edits.trim_behind(document.range.end, text);
        }
        several => return Err(Fault::several(several.iter().map(|document| document.range.clone()).collect())),
    }
    Ok(edits)
}
