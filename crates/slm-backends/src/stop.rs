//! Stop strings beside a document: which of them cannot cut it, and when one may have stopped a reply too early. Pure.

use slm_repair::StreamScanner;
use slm_schema::may_occur_in_json;

use crate::outcome::{Ending, FinishReason};
use crate::reply::Reply;

/// Could this stop string cut a document? One with a control character that no document holds could not.
pub(crate) fn may_cut(stop: &str) -> bool {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\t');
    !stop.chars().any(|c| c.is_ascii_control() && !is_break(c)) && may_occur_in_json(stop)
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
            assert!(!may_cut(safe), "{safe:?}");
        }
        for unsafe_one in ["", "}", "ok", "## ", "\n", "\n\n", "\n}", "},\n", "\": \n", "true\n", "any \"\n", "\n\"any"]
        {
            assert!(may_cut(unsafe_one), "{unsafe_one:?}");
        }
    }
}
