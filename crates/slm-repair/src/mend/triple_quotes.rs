//! `quotes`, again: strings between three quotes, as Python writes them.

use super::{Doubt, Mended, Site, bad_escapes, control_chars};
use crate::rung::Rung;
use crate::scan::{byte_at, rest};

/// Where the closing marks of the tripled string at `at` stand.
pub(crate) fn closer(text: &str, at: usize) -> Option<usize> {
    let marks = text.get(at..at + 3)?;
    let body = rest(text, at + 3);
    let mut from = 0;
    loop {
        let found = from + body.get(from..)?.find(marks)?;
        let slashes = body.get(..found)?.bytes().rev().take_while(|b| *b == b'\\').count();
        if slashes.is_multiple_of(2) {
            return Some(at + 3 + found);
        }
        from = found + 1;
    }
}

/// Makes a string of JSON of the tripled one that stands here and whose closing marks stand at `close`.
pub(crate) fn mend(site: &mut Site<'_, '_>, close: usize) -> Result<Option<Doubt>, (usize, &'static str)> {
    site.draft.replace(Rung::Quotes, site.at..site.at + 3, "\"");
    site.at += 3;
    let mut doubt = None;
    while site.at < close {
        let mended = match byte_at(site.text, site.at) {
            Some(b'\\') => bad_escapes::mend(site),
            Some(b'"') => {
                site.draft.replace(Rung::Quotes, site.at..site.at + 1, "\\\"");
                Mended::On(site.at + 1)
            }
            Some(byte) if byte < 0x20 => control_chars::mend(site),
            _ => Mended::On(site.at + 1),
        };
        match mended {
            Mended::On(next) => site.at = next,
            Mended::Doubtful(next, found) => {
                site.at = next;
                doubt = doubt.or(Some(found));
            }
            Mended::Broken(at, _, message) => return Err((at, message)),
        }
    }
    site.draft.replace(Rung::Quotes, close..close + 3, "\"");
    site.at = close + 3;
    Ok(doubt)
}
