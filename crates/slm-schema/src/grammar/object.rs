//! Objects: declared properties in schema order, optional ones in linear size.

use std::collections::VecDeque;

use super::choice::choice;
use super::expr::Expr;
use super::key;
use super::list::{following, list};
use super::repeat::repeat;
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
    let layout = rules.layout().inside();
    rules.at(layout, |rules| body(object, rules))
}

fn body(object: &ObjectShape, rules: &mut Rules) -> Expr {
    let (before, comma) = (rules.layout().before(), rules.layout().comma());
    if object.properties.is_empty() {
        let Some(pair) = undeclared(object, rules) else { return Expr::literal("{}") };
        let body = list("{", &pair, "}", object.count, rules);
        return rules.share("object", &body);
    }
    let first_required = object.properties.iter().position(|property| property.required);
    let (leading, rest) = object.properties.split_at(first_required.unwrap_or(object.properties.len()));
    let (mut first, mut later) = end(object, rules);
    if let Some((required, following)) = rest.split_first() {
        for property in following.iter().rev() {
            prepend(&comma, property, &mut later, rules);
        }
        if !leading.is_empty() {
            later = Tail::from([named(later, rules)]);
        }
        first.clone_from(&later);
        prepend(&before, required, &mut first, rules);
        prepend(&comma, required, &mut later, rules);
    }
    for property in leading.iter().rev() {
        let value = value(&property.schema, rules);
        let value = rules.share("value", &value);
        let (after, without) = (named(later, rules), named(first, rules));
        first = Tail::from([choice(&[written(&before, property, value.clone(), after.clone(), rules), without])]);
        later = Tail::from([choice(&[written(&comma, property, value, after.clone(), rules), after])]);
    }
    first.push_front(Expr::literal("{"));
    Expr::Sequence(first.into())
}

/// Behind the declared properties: any undeclared ones, and the closing brace. In both forms.
fn end(object: &ObjectShape, rules: &mut Rules) -> (Tail, Tail) {
    let (empty, before) = (Expr::literal("}"), Expr::literal(rules.layout().before()));
    let behind = rules.layout().behind();
    let close = Expr::literal(format!("{behind}}}"));
    let Some(pair) = undeclared(object, rules) else { return (Tail::from([empty]), Tail::from([close])) };
    let next = following(&pair, rules);
    let more = repeat(&next, 0, None, rules);
    let first = Expr::Sequence(vec![before, pair, more.clone(), Expr::literal(behind)]).optional();
    (Tail::from([first, empty]), Tail::from([more, close]))
}

/// A property that is not declared, under a name.
fn undeclared(object: &ObjectShape, rules: &mut Rules) -> Option<Expr> {
    let rest = object.additional.as_ref()?;
    let name = key::compile(&rest.name, object, rules);
    let colon = Expr::literal(rules.layout().colon());
    let value = value(&rest.value, rules);
    Some(rules.share("pair", &Expr::Sequence(vec![name, colon, value])))
}

/// Puts a property in front of what follows it.
fn prepend(comma: &str, property: &Property, tail: &mut Tail, rules: &mut Rules) {
    let value = value(&property.schema, rules);
    if property.required {
        tail.push_front(value);
        tail.push_front(declared(comma, property, rules));
    } else {
        let rest = named(std::mem::take(tail), rules);
        tail.push_front(choice(&[written(comma, property, value, rest.clone(), rules), rest]));
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

fn written(comma: &str, property: &Property, value: Expr, rest: Expr, rules: &Rules) -> Expr {
    Expr::Sequence(vec![declared(comma, property, rules), value, rest])
}

fn declared(comma: &str, property: &Property, rules: &Rules) -> Expr {
    let mut text = comma.to_owned();
    write_string(&property.name, &mut text);
    text.push_str(rules.layout().colon());
    Expr::Literal(text)
}
