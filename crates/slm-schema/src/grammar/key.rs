//! Names of properties that are not declared: any but the declared ones.

use super::class::{self, spelled};
use super::expr::Expr;
use super::repeat::repeat;
use super::rules::Rules;
use super::string::character;
use super::value;
use crate::schema::{ObjectShape, Schema, Shape, Size};

/// A longer name is not kept apart: each of its characters would be a level of recursion.
const LONGEST: usize = 64;

/// The name of an undeclared property, as a string.
pub(super) fn compile(name: &Schema, object: &ObjectShape, rules: &mut Rules) -> Expr {
    if (object.properties.is_empty() && object.refused.is_empty()) || name.shape != Shape::String(Size::ANY) {
        return value(name, rules);
    }
    let names = object.properties.iter().map(|property| &property.name).chain(&object.refused);
    let names = names.map(|name| name.chars().collect::<Vec<char>>());
    let mut names: Vec<Vec<char>> = names.filter(|name| name.len() <= LONGEST).collect();
    names.sort_unstable();
    names.dedup();
    let rest: Vec<&[char]> = names.iter().map(Vec::as_slice).collect();
    let body = Expr::Sequence(vec![Expr::literal("\""), other_than(&rest, rules)]);
    rules.share("key", &body)
}

/// The rest of a name, and its closing quote, that is none of `names` (sorted, seen from here).
fn other_than(names: &[&[char]], rules: &mut Rules) -> Expr {
    let any = character(rules);
    let any = repeat(&any, 0, None, rules);
    let tail = Expr::Sequence(vec![any, Expr::literal("\"")]);
    if names.is_empty() {
        return tail;
    }
    let mut options = Vec::new();
    // Where no name ends, this one may.
    if !names.iter().any(|name| name.is_empty()) {
        options.push(Expr::literal("\""));
    }
    let longer: Vec<&[char]> = names.iter().copied().filter(|name| !name.is_empty()).collect();
    let mut firsts: Vec<char> = longer.iter().filter_map(|name| name.first().copied()).collect();
    firsts.dedup();
    options.push(Expr::Sequence(vec![class::except(&firsts, rules), tail]));
    for group in longer.chunk_by(|a, b| a.first() == b.first()) {
        let rests: Vec<&[char]> = group.iter().filter_map(|name| name.get(1..)).collect();
        let first = group.first().and_then(|name| name.first()).map(|c| spelled(*c)).unwrap_or_default();
        options.push(Expr::Sequence(vec![Expr::Literal(first), other_than(&rests, rules)]));
    }
    Expr::Choice(options)
}
