//! Stop strings beside a document: which of them cannot cut it, and when one may have stopped a reply too early. Pure.

use slm_repair::StreamScanner;

use crate::outcome::{Ending, FinishReason};
use crate::reply::Reply;

/// Could this text occur in a JSON document, however it is spaced?
///
/// Without a line break or tab it could stand in a string. With one it must lie between tokens there, so what stands beside
/// the break must be tokens, or the end or the beginning of a string.
pub(crate) fn may_occur_in_json(stop: &str) -> bool {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\t');
    if stop.chars().any(|c| c.is_ascii_control() && !is_break(c)) {
        return false;
    }
    let mut lines = stop.split(is_break);
    let Some(first) = lines.next() else { return true };
    let has_breaks = stop.contains(is_break);
    !has_breaks || (may_be_tokens(first.chars().rev()) && lines.all(|line| may_be_tokens(line.chars())))
}

/// From outside a string on: tokens, until a quote opens a string that may hold anything.
fn may_be_tokens(characters: impl Iterator<Item = char>) -> bool {
    let mut outside = characters.take_while(|c| *c != '"');
    outside.all(|c| c.is_ascii_digit() || " {}[]:,+-.eEtrufalsn".contains(c))
}

/// May a stop string have ended the reply before its document began?
///
/// Prose that ends as sentences do came to its end by itself.
pub(crate) fn came_too_early(reply: &Reply, ending: &Ending) -> bool {
    let is_no_json = matches!(ending, Ending::Invalid { violations, .. } if violations.is_empty());
    (is_no_json || *ending == Ending::Empty)
        && reply.finish_reason == Some(FinishReason::Stop)
        && !reply.text.trim_end().ends_with(['.', '!', '?'])
        && !StreamScanner::new().feed(reply.text.as_bytes()).began
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_stand_in_a_document_is_told_from_what_can() {
        for safe in ["\n## ", "```\n\n", "\nNote:", "\n\nHuman", "<|end|>\n", "\u{0}"] {
            assert!(!may_occur_in_json(safe), "{safe:?}");
        }
        for unsafe_one in ["", "}", "ok", "## ", "\n", "\n\n", "\n}", "},\n", "\": \n", "true\n", "any \"\n", "\n\"any"]
        {
            assert!(may_occur_in_json(unsafe_one), "{unsafe_one:?}");
        }
    }
}
