//! Strings: every value of a length within bounds, counted in code points, each in one spelling.

use super::expr::Expr;
use super::repeat::repeat;
use super::rules::Rules;
use crate::schema::Size;

pub(super) fn compile(size: Size, rules: &mut Rules) -> Expr {
    let character = character(rules);
    let quote = Expr::literal("\"");
    let body = Expr::Sequence(vec![quote.clone(), repeat(&character, size.min(), size.max(), rules), quote]);
    let hint = match (size.min(), size.max()) {
        (min, Some(max)) => format!("string-{min}-{max}"),
        (min, None) => format!("string-{min}"),
    };
    rules.share(&hint, &body)
}

/// One character. Escaped is only what must be, as serde_json writes it, so that each string has one spelling; surrogates
/// cannot be written at all, so a lone one cannot either.
pub(super) fn character(rules: &mut Rules) -> Expr {
    rules.share("char", &Expr::Choice(vec![Expr::class(r#"[^"\\\x00-\x1F]"#), escaped()]))
}

/// A character that must be escaped.
pub(super) fn escaped() -> Expr {
    let control = Expr::Choice(vec![
        Expr::Sequence(vec![Expr::literal("0"), Expr::class("[0-7bef]")]),
        Expr::Sequence(vec![Expr::literal("1"), Expr::class("[0-9a-f]")]),
    ]);
    let escape = Expr::Choice(vec![Expr::class(r#"["\\bfnrt]"#), Expr::Sequence(vec![Expr::literal("u00"), control])]);
    Expr::Sequence(vec![Expr::literal("\\"), escape])
}
