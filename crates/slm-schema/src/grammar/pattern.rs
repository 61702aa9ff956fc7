//! Strings of a regular form.

use super::choice::choice;
use super::class;
use super::expr::Expr;
use super::repeat::repeat;
use super::rules::Rules;
use crate::pattern::{Pattern, Regex};

pub(super) fn compile(pattern: &Pattern, rules: &mut Rules) -> Expr {
    let quote = Expr::literal("\"");
    let body = Expr::Sequence(vec![quote.clone(), regex(&pattern.regex, rules), quote]);
    rules.share("pattern", &body)
}

fn regex(expression: &Regex, rules: &mut Rules) -> Expr {
    match expression {
        Regex::Class(ranges) => class::compile(ranges, rules),
        Regex::Sequence(parts) => Expr::Sequence(parts.iter().map(|part| regex(part, rules)).collect()),
        Regex::Choice(options) => {
            let options: Vec<Expr> = options.iter().map(|option| regex(option, rules)).collect();
            choice(&options)
        }
        Regex::Repeat(unit, min, max) => {
            // What may be empty need not come `min` times, and must not be repeated as it is.
            let min = if unit.is_nullable() { 0 } else { *min };
            let Some(unit) = unit.without_empty() else { return Expr::empty() };
            let unit = regex(&unit, rules);
            let unit = rules.share("part", &unit);
            repeat(&unit, min, *max, rules)
        }
    }
}
