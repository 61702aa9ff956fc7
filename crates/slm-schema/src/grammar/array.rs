//! Arrays: lists of like items, and tuples that may go on as lists.

use super::expr::Expr;
use super::list::{following, list};
use super::repeat::repeat;
use super::rules::Rules;
use super::value;
use crate::schema::ArrayShape;

pub(super) fn compile(array: &ArrayShape, rules: &mut Rules) -> Expr {
    let item = |rules: &mut Rules| {
        let item = value(&array.items, rules);
        rules.share("item", &item)
    };
    let body = if array.prefix.is_empty() {
        if array.size.max() == Some(0) {
            return Expr::literal("[]");
        }
        let item = item(rules);
        list("[", &item, "]", array.size, rules)
    } else {
        tuple(array, item, rules)
    };
    rules.share("array", &body)
}

/// From the end to the front: the list behind the tuple, then each place of the tuple, left out where the size allows.
fn tuple(array: &ArrayShape, item: impl Fn(&mut Rules) -> Expr, rules: &mut Rules) -> Expr {
    let (known, min, max) = (array.prefix.len(), array.size.min(), array.size.max());
    let written = max.map_or(known, |max| known.min(max));
    let goes_on = max.is_none_or(|max| max > known);
    let mut rest = if goes_on {
        let item = item(rules);
        let next = following(&item, rules);
        repeat(&next, min.saturating_sub(known), max.map(|max| max - known), rules)
    } else {
        Expr::empty()
    };
    for (index, schema) in array.prefix.iter().enumerate().take(written).rev() {
        let item = value(schema, rules);
        let comma = if index == 0 { "" } else { rules.spacing().comma() };
        let here = Expr::Sequence(vec![Expr::literal(comma), item, rest]);
        rest = if index < min {
            here
        } else {
            let named = rules.share("rest", &here);
            named.optional()
        };
    }
    Expr::Sequence(vec![Expr::literal("["), rest, Expr::literal("]")])
}
