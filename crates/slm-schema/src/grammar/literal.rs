//! Enums: fixed texts.

use super::choice::choice;
use super::expr::Expr;
use super::rules::Rules;
use crate::schema::EnumValue;

pub(super) fn compile(members: &[EnumValue], rules: &mut Rules) -> Expr {
    let mut texts: Vec<&str> = members.iter().map(|member| member.text.as_str()).collect();
    texts.sort_unstable();
    rules.share("enum", &choice(&texts.into_iter().map(Expr::literal).collect::<Vec<_>>()))
}
