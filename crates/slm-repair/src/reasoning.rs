//! Blocks of reasoning before an answer: what stands in them is never the answer.

use crate::error::{Fault, Open};

/// The tags that models put around their reasoning.
const TAGS: [&str; 4] = ["think", "thinking", "reasoning", "thought"];

/// The marker before the last channel of the harmony format: what stands before it is no answer.
const FINAL_CHANNEL: &str = "<|channel|>final<|message|>";

/// Where the answer begins: behind a leading block of reasoning, or at 0.
///
/// # Errors
///
/// A [`Fault`] of kind `Truncated` if the block never ended.
pub(crate) fn answer_start(text: &str) -> Result<usize, Fault> {
    let lead = text.len() - text.trim_start().len();
    let body = text.get(lead..).unwrap_or_default();
    for tag in TAGS {
        if body.strip_prefix('<').and_then(|rest| rest.strip_prefix(tag)).is_some_and(|rest| rest.starts_with('>')) {
            return end_of(text, tag, lead).ok_or_else(|| Fault::truncated(lead, Open::Reasoning));
        }
    }
    if body.starts_with("<|channel|>") {
        return Ok(text.rfind(FINAL_CHANNEL).map_or(0, |at| at + FINAL_CHANNEL.len()));
    }
    if body.starts_with(['{', '[', '"', '\'']) {
        // A document, in whose strings such a tag is nothing but text.
        return Ok(0);
    }
    // Chat templates may hold the opening tag themselves: then the reply begins inside the block.
    Ok(TAGS.iter().find_map(|tag| end_of(text, tag, 0)).unwrap_or(0))
}

fn end_of(text: &str, tag: &str, from: usize) -> Option<usize> {
    let closer = format!("</{tag}>");
    let at = text.get(from..)?.find(&closer)?;
    Some(from + at + closer.len())
}
