//! `python_bools`: literals as other languages spell them.

use crate::edit::Edits;
use crate::scan::{Kind, literal};
use crate::walk::{Role, Walk};

/// Spells `True`, `False`, `None`, `NULL` and their like as JSON does. `NaN` and `Infinity` are no JSON at all, and stay.
pub(super) fn edits(text: &str) -> Edits {
    let mut edits = Edits::default();
    for step in Walk::new(text) {
        if step.role == Role::Value && step.token.kind == Kind::Bare {
            let word = step.token.text(text);
            if let Some(json) = literal(word).filter(|json| *json != word) {
                edits.replace(step.token.range(), json);
            }
        }
    }
    edits
}
