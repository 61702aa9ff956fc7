//! `control_chars`: control characters in strings.

use super::{Choice, Doubt, Mended, Site};
use crate::rung::Rung;
use crate::scan::byte_at;

/// Escapes the control character that stands here.
///
/// Those that have a use in text are kept. One that has none may be text, or noise that came in on the way.
pub(crate) fn mend(site: &mut Site<'_, '_>) -> Mended {
    let byte = byte_at(site.text, site.at).unwrap_or_default();
    let end = site.at + 1;
    let escape = match byte {
        b'\n' => "\\n",
        b'\r' => "\\r",
        b'\t' => "\\t",
        0x08 => "\\b",
        0x0c => "\\f",
        0x0b | 0x1b => return escaped(site, byte, end),
        _ => {
            if site.choice == Choice::Second {
                site.draft.remove(Rung::ControlChars, site.at..end);
            } else {
                escaped(site, byte, end);
            }
            let message = "a control character without a use in text may be meant, or may be noise";
            return Mended::Doubtful(end, Doubt::new(site.at, message));
        }
    };
    site.draft.replace(Rung::ControlChars, site.at..end, escape);
    Mended::On(end)
}

fn escaped(site: &mut Site<'_, '_>, byte: u8, end: usize) -> Mended {
    site.draft.replace(Rung::ControlChars, site.at..end, format!("\\u{byte:04x}"));
    Mended::On(end)
}
