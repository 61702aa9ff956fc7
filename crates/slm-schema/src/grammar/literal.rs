//! Enums: fixed texts, with common beginnings written once.
//!
//! Every value that shares its beginning with others keeps one more stack of the engine alive until it differs, and each
//! stack costs a pass over the vocabulary; so the list becomes a tree of prefixes.

use super::expr::Expr;
use super::rules::Rules;
use crate::schema::EnumValue;

pub(super) fn compile(members: &[EnumValue], rules: &mut Rules) -> Expr {
    let mut texts: Vec<&str> = members.iter().map(|member| member.text.as_str()).collect();
    texts.sort_unstable();
    rules.share("enum", &tree(&texts))
}

/// The common beginning of `texts` (sorted, none twice), then a choice of what follows it.
fn tree(texts: &[&str]) -> Expr {
    let (Some(first), Some(last)) = (texts.first(), texts.last()) else { return Expr::empty() };
    // Sorted, so what the first and the last share, all share.
    let shared: usize = first.chars().zip(last.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    let (prefix, _) = first.split_at(shared);
    if texts.len() == 1 {
        return Expr::literal(*first);
    }
    let rests: Vec<&str> = texts.iter().filter_map(|text| text.get(shared..)).collect();
    let branches = rests.chunk_by(|a, b| a.chars().next() == b.chars().next()).map(tree).collect();
    Expr::Sequence(vec![Expr::literal(prefix), Expr::Choice(branches)])
}
