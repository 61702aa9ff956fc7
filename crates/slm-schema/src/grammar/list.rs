//! Something repeated between brackets, with commas in between.

use super::expr::Expr;
use super::repeat::repeat;
use super::rules::Rules;
use crate::schema::Size;

/// `open item , item … close`, as often as `size` allows. `item` is a rule; `rules` stand inside the brackets.
pub(super) fn list(open: &str, item: &Expr, close: &str, size: Size, rules: &mut Rules) -> Expr {
    if size.max() == Some(0) {
        return Expr::literal(format!("{open}{close}"));
    }
    let next = following(item, rules);
    let more = repeat(&next, size.min().saturating_sub(1), size.max().map(|max| max - 1), rules);
    let (before, behind) = (Expr::literal(rules.layout().before()), Expr::literal(rules.layout().behind()));
    let filled = Expr::Sequence(vec![before, item.clone(), more, behind]);
    let inside = if size.min() == 0 { filled.optional() } else { filled };
    Expr::Sequence(vec![Expr::literal(open), inside, Expr::literal(close)])
}

/// A comma and an item, under a name: llama.cpp multiplies what stands inside a repeated group.
pub(super) fn following(item: &Expr, rules: &mut Rules) -> Expr {
    let comma = Expr::literal(rules.layout().comma());
    rules.share("next", &Expr::Sequence(vec![comma, item.clone()]))
}
