//! Objects: declared properties in schema order, optional ones in linear size.

use std::collections::VecDeque;

use super::expr::Expr;
use super::rules::Rules;
use super::value;
use crate::json::write_string;
use crate::schema::{ObjectShape, Property};

/// What follows a place inside an object, as the parts of a flat sequence: nesting them would cost a level of recursion
/// for each property.
type Tail = VecDeque<Expr>;

/// Up to the first required property nothing need have been written yet, so that part is needed in two forms: with and
/// without a comma in front. Behind it there is always a comma.
pub(super) fn compile(object: &ObjectShape, rules: &mut Rules) -> Expr {
    let first_required = object.properties.iter().position(|property| property.required);
    let (leading, rest) = object.properties.split_at(first_required.unwrap_or(object.properties.len()));
    let mut later = Tail::from([Expr::literal("}")]);
    let mut first = later.clone();
    if let Some((required, following)) = rest.split_first() {
        for property in following.iter().rev() {
            prepend(",", property, &mut later, rules);
        }
        if !leading.is_empty() {
            later = Tail::from([named(later, rules)]);
        }
        first.clone_from(&later);
        prepend("", required, &mut first, rules);
        prepend(",", required, &mut later, rules);
    }
    for property in leading.iter().rev() {
        let value = value(&property.schema, rules);
        let value = rules.share("value", &value);
        let (after, without) = (named(later, rules), named(first, rules));
        first = Tail::from([Expr::Choice(vec![written("", property, value.clone(), after.clone()), without])]);
        later = Tail::from([Expr::Choice(vec![written(",", property, value, after.clone()), after])]);
    }
    first.push_front(Expr::literal("{"));
    Expr::Sequence(first.into())
}

/// Puts a property in front of what follows it.
fn prepend(comma: &str, property: &Property, tail: &mut Tail, rules: &mut Rules) {
    let value = value(&property.schema, rules);
    if property.required {
        tail.push_front(value);
        tail.push_front(key(comma, property));
    } else {
        let rest = named(std::mem::take(tail), rules);
        tail.push_front(Expr::Choice(vec![written(comma, property, value, rest.clone()), rest]));
    }
}

/// A tail under a name: both choices of an optional property share it, so the size stays linear.
fn named(tail: Tail, rules: &mut Rules) -> Expr {
    let parts = Vec::from(tail);
    match parts.as_slice() {
        [only] => rules.share("rest", only),
        _ => rules.share("rest", &Expr::Sequence(parts)),
    }
}

fn written(comma: &str, property: &Property, value: Expr, rest: Expr) -> Expr {
    Expr::Sequence(vec![key(comma, property), value, rest])
}

fn key(comma: &str, property: &Property) -> Expr {
    let mut text = comma.to_owned();
    write_string(&property.name, &mut text);
    text.push(':');
    Expr::Literal(text)
}
