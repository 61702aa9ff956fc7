//! Numbers with a fraction.

use super::expr::Expr;
use super::rules::Rules;

/// At most 16 digits before and after the point and no exponent: bounded, and never beyond what a double can hold.
pub(super) fn compile(rules: &mut Rules) -> Expr {
    let digits = |min, max| Expr::Repeat(Box::new(Expr::Digits(0, 9)), min, Some(max));
    let whole = Expr::Choice(vec![Expr::literal("0"), Expr::Sequence(vec![Expr::Digits(1, 9), digits(0, 15)])]);
    let fraction = Expr::Sequence(vec![Expr::literal("."), digits(1, 16)]);
    rules.share("number", &Expr::Sequence(vec![Expr::literal("-").optional(), whole, fraction.optional()]))
}
