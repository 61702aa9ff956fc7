//! `trailing_comma`: commas with nothing behind them.

use crate::edit::Edits;
use crate::scan::Bracket;
use crate::walk::{Role, Step, Walk};

/// Removes a comma before a closer, after an opener, at the end behind the root, and doubled ones in objects.
///
/// A doubled comma in an array is left alone: an item may be missing there.
pub(super) fn edits(text: &str) -> Edits {
    let mut edits = Edits::default();
    let mut before: Option<Step> = None;
    let mut comma: Option<Step> = None;
    for step in Walk::new(text).filter(|step| step.role != Role::Trivia) {
        if step.role == Role::Comma {
            match (comma, before) {
                (Some(_), _) if !in_object(step) => return Edits::default(),
                (Some(_), _) | (_, Some(Step { role: Role::Open(_), .. })) => edits.remove(step.token.range()),
                _ => comma = Some(step),
            }
            continue;
        }
        if let Some(comma) = comma.take()
            && matches!(step.role, Role::Close(_))
        {
            edits.remove(comma.token.range());
        }
        before = Some(step);
    }
    // At the end of the text a comma is surplus only behind a whole root: elsewhere the document was cut there.
    if let Some(comma) = comma
        && comma.inside.is_none()
    {
        edits.remove(comma.token.range());
    }
    edits
}

fn in_object(step: Step) -> bool {
    step.inside.is_some_and(|frame| frame.bracket == Bracket::Object)
}
