//! Any JSON value.

use super::expr::Expr;
use super::list::list;
use super::rules::Rules;
use super::{number, string};
use crate::schema::Size;

/// No rule is called so for any other reason.
const NAME: &str = "any";

/// Recursive, so its name is taken before its body is known.
pub(super) fn compile(rules: &mut Rules) -> Expr {
    if !rules.reserve(NAME) {
        return Expr::Rule(NAME.to_owned());
    }
    let layout = rules.layout().anywhere();
    rules.at(layout, define);
    Expr::Rule(NAME.to_owned())
}

fn define(rules: &mut Rules) {
    let value = Expr::Rule(NAME.to_owned());
    let text = string::compile(Size::ANY, rules);
    let pair = Expr::Sequence(vec![text.clone(), Expr::literal(rules.layout().colon()), value.clone()]);
    let pair = rules.share("pair", &pair);
    let object = list("{", &pair, "}", Size::ANY, rules);
    let array = list("[", &value, "]", Size::ANY, rules);
    let number = number::compile(rules);
    let constants = ["true", "false", "null"].map(Expr::literal);
    let options = [object, array, text, number].into_iter().chain(constants).collect();
    rules.define(NAME, &Expr::Choice(options));
}
