//! The marks that strings stand in.

use crate::scan::byte_at;

/// A family of marks: any of it may close what any of it opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    /// `"`: the only one JSON knows.
    Double,
    /// `'`.
    Single,
    /// Typographic, double: `“…”`, `„…“`, `＂…＂`, `«…»`.
    SmartDouble,
    /// Typographic, single: `‘…’`, `‚…‘`.
    SmartSingle,
    /// `` `…` ``, and `` `…' `` as in TeX.
    Backtick,
}

impl Quote {
    /// The family of a mark that may open a string.
    pub(crate) fn of(c: char) -> Option<Self> {
        match c {
            '"' => Some(Self::Double),
            '\'' => Some(Self::Single),
            '“' | '”' | '„' | '‟' | '＂' | '«' | '»' => Some(Self::SmartDouble),
            '‘' | '’' | '‚' | '‛' | '＇' => Some(Self::SmartSingle),
            '`' => Some(Self::Backtick),
            _ => None,
        }
    }

    /// May a mark of this family close what the other opened by mistake?
    pub(crate) fn resembles(self, opener: Self) -> bool {
        let is_double = |quote| matches!(quote, Self::Double | Self::SmartDouble);
        self != opener && (is_double(self) == is_double(opener) || (opener == Self::Double && self == Self::Single))
    }

    /// Where three of these marks begin a string, as in Python.
    pub(crate) fn is_tripled(text: &str, at: usize) -> bool {
        let mark = byte_at(text, at);
        matches!(mark, Some(b'"' | b'\'')) && byte_at(text, at + 1) == mark && byte_at(text, at + 2) == mark
    }
}

/// A byte that a string is not simply copied over: marks, backslashes, control characters, and the first bytes of
/// typographic marks.
pub(crate) fn is_stop(byte: u8) -> bool {
    byte < 0x20 || matches!(byte, b'"' | b'\'' | b'\\' | b'`' | 0xc2 | 0xe2 | 0xef)
}
