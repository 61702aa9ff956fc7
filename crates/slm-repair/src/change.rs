//! What a repair changed, and where.

use std::borrow::Cow;
use std::ops::Range;

use serde::Serialize;

use crate::rung::Rung;

/// What was done at a place of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum What {
    /// Text was taken out.
    Removed,
    /// Text was put in.
    Inserted,
    /// Text was put in place of other text.
    Replaced,
    /// Nothing was changed in the text, but `Value` cannot hold this number exactly.
    InexactNumber,
    /// Nothing was changed in the text, but this key stands again further on in its object, and the last one wins.
    DuplicateKey,
}

/// One change to the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The rung that made it; [`Rung::None`] where `Value` loses something by itself.
    pub rung: Rung,
    /// What was done.
    pub what: What,
    /// The bytes of the input it was done to; empty where text was put in.
    pub range: Range<usize>,
    /// The text that stands there now; where `Value` loses something, what it lost.
    pub to: Cow<'static, str>,
}

impl Change {
    pub(crate) fn edit(rung: Rung, range: Range<usize>, to: Cow<'static, str>) -> Self {
        let what = match (range.is_empty(), to.is_empty()) {
            (true, _) => What::Inserted,
            (false, true) => What::Removed,
            (false, false) => What::Replaced,
        };
        Self { rung, what, range, to }
    }
}
