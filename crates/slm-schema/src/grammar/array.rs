//! Arrays: lists of like items, and tuples that may go on as lists.

use super::expr::Expr;
use super::list::{following, list};
use super::repeat::repeat;
use super::rules::Rules;
use super::value;
use crate::schema::ArrayShape;

pub(super) fn compile(array: &ArrayShape, rules: &mut Rules) -> Expr {
    if array.size.max() == Some(0) {
        return Expr::literal("[]");
    }
    let layout = rules.layout().inside();
    let body = rules.at(layout, |rules| body(array, rules));
    rules.share("array", &body)
}

fn body(array: &ArrayShape, rules: &mut Rules) -> Expr {
    let item = |rules: &mut Rules| {
        let item = value(&array.items, rules);
        rules.share("item", &item)
    };
    if array.prefix.is_empty() {
        let item = item(rules);
        list("[", &item, "]", array.size, rules)
    } else {
        tuple(array, item, rules)
    }
}

/// From the end to the front: the list behind the tuple, then each place of the tuple, left out where the size allows.
fn tuple(array: &ArrayShape, item: impl Fn(&mut Rules) -> Expr, rules: &mut Rules) -> Expr {
    let (known, min, max) = (array.prefix.len(), array.size.min(), array.size.max());
    let written = max.map_or(known, |max| known.min(max));
    let goes_on = max.is_none_or(|max| max > known);
    let layout = rules.layout();
    let behind = Expr::literal(layout.behind());
    let more = if goes_on {
        let item = item(rules);
        let next = following(&item, rules);
        repeat(&next, min.saturating_sub(known), max.map(|max| max - known), rules)
    } else {
        Expr::empty()
    };
    let mut rest = Expr::Sequence(vec![more, behind.clone()]);
    for (index, schema) in array.prefix.iter().enumerate().take(written).rev() {
        let item = value(schema, rules);
        let comma = if index == 0 { layout.before() } else { layout.comma() };
        let here = Expr::Sequence(vec![Expr::literal(comma), item, rest]);
        rest = if index < min {
            here
        } else if index == 0 {
            rules.share("rest", &here).optional()
        } else {
            or(rules.share("rest", &here), &behind)
        };
    }
    Expr::Sequence(vec![Expr::literal("["), rest, Expr::literal("]")])
}

/// `rest`, or the end of the list in its place.
fn or(rest: Expr, end: &Expr) -> Expr {
    if *end == Expr::literal("") { rest.optional() } else { Expr::Choice(vec![rest, end.clone()]) }
}
