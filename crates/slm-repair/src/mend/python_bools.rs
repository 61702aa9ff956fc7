//! `python_bools`: literals as other languages spell them.

use super::Site;
use crate::rung::Rung;
use crate::scan::literal;

/// Spells the word that ends at `end` as JSON does, if it is a literal.
pub(crate) fn mend(site: &mut Site<'_, '_>, end: usize) -> Option<usize> {
    let word = site.text.get(site.at..end)?;
    let json = literal(word)?;
    if json != word {
        site.draft.replace(Rung::PythonBools, site.at..end, json);
    }
    Some(end)
}
