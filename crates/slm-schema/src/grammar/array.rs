//! Arrays of like items.

use super::expr::Expr;
use super::repeat::repeat;
use super::rules::Rules;
use super::value;
use crate::schema::ArrayShape;

pub(super) fn compile(array: &ArrayShape, rules: &mut Rules) -> Expr {
    let size = array.size;
    if size.max() == Some(0) {
        return Expr::literal("[]");
    }
    let item = value(&array.items, rules);
    let item = rules.share("item", &item);
    // A named rule is repeated, never a group: llama.cpp multiplies what stands inside a repeated group.
    let next = rules.share("next", &Expr::Sequence(vec![Expr::literal(","), item.clone()]));
    let more = repeat(&next, size.min().saturating_sub(1), size.max().map(|max| max - 1), rules);
    let filled = Expr::Sequence(vec![item, more]);
    let inside = if size.min() == 0 { filled.optional() } else { filled };
    let body = Expr::Sequence(vec![Expr::literal("["), inside, Expr::literal("]")]);
    rules.share("array", &body)
}
