//! `unquoted_keys`: keys without quotes.

use super::Site;
use crate::rung::Rung;
use crate::scan::{blank_end, byte_at, colon_behind_remark, literal, rest, word_end};

/// A key of several words may be so long; further ahead no colon is looked for.
const LONGEST: usize = 64;

/// Puts quotes around the bare key that stands here, if a colon (or what stands for one) follows.
///
/// `True` as a key is a value in the wrong place, and there is no telling what its name would be.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Option<usize> {
    let end = end_of(site.text, site.at)?;
    let word = site.text.get(site.at..end)?;
    if literal(word).is_some_and(|json| json != word) {
        return None;
    }
    site.draft.insert(Rung::UnquotedKeys, site.at, "\"");
    site.draft.insert(Rung::UnquotedKeys, end, "\"");
    Some(end)
}

/// Where the bare key at `at` ends: words with single spaces between them, and a colon behind the last.
pub(crate) fn end_of(text: &str, at: usize) -> Option<usize> {
    let mut end = dotted_end(text, at);
    if end == at {
        return None;
    }
    loop {
        let next = blank_end(text, end);
        let behind = rest(text, next);
        if behind.starts_with([':', '：', '=']) || starts_comment(text, next) {
            return Some(end);
        }
        // `{a 'b'}`: a colon was forgotten.
        if end == dotted_end(text, at) && behind.starts_with(['"', '\'', '“', '‘']) {
            return Some(end);
        }
        let further = dotted_end(text, next);
        if byte_at(text, end) != Some(b' ') || next != end + 1 || further == next || further - at > LONGEST {
            return None;
        }
        end = further;
    }
}

/// `a.b.c` is a key, too.
fn dotted_end(text: &str, at: usize) -> usize {
    let mut end = word_end(text, at);
    while end > at && byte_at(text, end) == Some(b'.') {
        let further = word_end(text, end + 1);
        if further == end + 1 {
            break;
        }
        end = further;
    }
    end
}

fn starts_comment(text: &str, at: usize) -> bool {
    let behind = rest(text, at);
    behind.starts_with("/*") || (behind.starts_with("//") || behind.starts_with('#')) && colon_behind_remark(text, at)
}
