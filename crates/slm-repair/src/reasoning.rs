//! Blocks of reasoning before an answer: what stands in them is never the answer.

use crate::error::{Fault, Open};
use crate::scan::rest;

/// What models put around their reasoning.
pub(crate) const MARKS: [(&str, &str); 9] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<thought>", "</thought>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<reflection>", "</reflection>"),
    ("◁think▷", "◁/think▷"),
];

/// The marker before the last channel of the harmony format: what stands before it is no answer.
const FINAL_CHANNEL: &str = "<|channel|>final<|message|>";

/// Where the answer begins: behind leading blocks of reasoning, or at 0.
///
/// # Errors
///
/// A [`Fault`] of kind `Truncated` if a block never ended.
pub(crate) fn answer_start(text: &str) -> Result<usize, Fault> {
    let mut start = 0;
    loop {
        let lead = text.len() - rest(text, start).trim_start().len();
        let body = rest(text, lead);
        let opened = MARKS.iter().find(|(opener, _)| body.starts_with(opener));
        let Some((_, closer)) = opened else { break };
        start = end_of(text, closer, lead).ok_or_else(|| Fault::truncated(lead, Open::Reasoning))?;
    }
    if start > 0 {
        return Ok(start);
    }
    let body = text.trim_start();
    if body.starts_with("<|channel|>") {
        return match text.rfind(FINAL_CHANNEL) {
            Some(at) => Ok(at + FINAL_CHANNEL.len()),
            None if body.starts_with("<|channel|>analysis") => {
                Err(Fault::truncated(text.len() - body.len(), Open::Reasoning))
            }
            None => Ok(0),
        };
    }
    if body.starts_with(['{', '[', '"', '\'']) {
        // A document, in whose strings such a tag is nothing but text.
        return Ok(0);
    }
    // Chat templates may hold the opening tag themselves: then the reply begins inside the block.
    Ok(first_closer_end(text).unwrap_or(0))
}

/// Where the first closing mark of the text ends, if one stands in it.
fn first_closer_end(text: &str) -> Option<usize> {
    // In each of them a slash is the second character.
    text.match_indices('/').find_map(|(slash, _)| {
        let (start, _) = text.get(..slash)?.char_indices().next_back()?;
        closer_end(text, start)
    })
}

/// Where the closing mark that begins at `at` ends, if one does.
pub(crate) fn closer_end(text: &str, at: usize) -> Option<usize> {
    let body = rest(text, at);
    MARKS.iter().find(|(_, closer)| body.starts_with(closer)).map(|(_, closer)| at + closer.len())
}

fn end_of(text: &str, closer: &str, from: usize) -> Option<usize> {
    let at = text.get(from..)?.find(closer)?;
    Some(from + at + closer.len())
}
