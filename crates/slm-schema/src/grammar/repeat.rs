//! Repetition of any size, exactly.
//!
//! llama.cpp drops a maximum over 2000 without a word (`x{0,4000}` accepts any number) and refuses a minimum over it, so
//! larger counts are built of blocks: a rule that holds a thousand, repeated in turn.

use super::expr::Expr;
use super::rules::Rules;

/// The largest number written in a repetition. Builds differ on 2000 itself.
const LIMIT: usize = 1999;
/// How many units a block holds.
const BLOCK: usize = 1000;

/// `unit`, at least `min` and at most `max` times. `unit` is a rule or a class.
pub(super) fn repeat(unit: &Expr, min: usize, max: Option<usize>, rules: &mut Rules) -> Expr {
    match max {
        Some(max) if max <= LIMIT => bounded(unit, min, max),
        None if min <= LIMIT => Expr::Repeat(Box::new(unit.clone()), min, None),
        None => Expr::Sequence(vec![exactly(unit, min, rules), Expr::Repeat(Box::new(unit.clone()), 0, None)]),
        Some(max) => Expr::Sequence(vec![exactly(unit, min, rules), up_to(unit, max.saturating_sub(min), rules)]),
    }
}

fn bounded(unit: &Expr, min: usize, max: usize) -> Expr {
    match (min, max) {
        (_, 0) => Expr::empty(),
        (1, 1) => unit.clone(),
        (min, max) => Expr::Repeat(Box::new(unit.clone()), min, Some(max)),
    }
}

fn exactly(unit: &Expr, count: usize, rules: &mut Rules) -> Expr {
    if count <= LIMIT {
        return bounded(unit, count, count);
    }
    let block = block(unit, rules);
    let blocks = exactly(&block, count / BLOCK, rules);
    Expr::Sequence(vec![blocks, bounded(unit, count % BLOCK, count % BLOCK)])
}

/// Fewer whole blocks than fit, then an open part of any length below a block; or all blocks, then what is left over.
fn up_to(unit: &Expr, count: usize, rules: &mut Rules) -> Expr {
    if count <= LIMIT {
        return bounded(unit, 0, count);
    }
    let block = block(unit, rules);
    let (blocks, rest) = (count / BLOCK, count % BLOCK);
    let fewer = Expr::Sequence(vec![up_to(&block, blocks - 1, rules), bounded(unit, 0, BLOCK - 1)]);
    let all = Expr::Sequence(vec![exactly(&block, blocks, rules), bounded(unit, 0, rest)]);
    Expr::Choice(vec![fewer, all])
}

fn block(unit: &Expr, rules: &mut Rules) -> Expr {
    rules.share("block", &bounded(unit, BLOCK, BLOCK))
}
