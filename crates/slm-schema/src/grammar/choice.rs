//! Choices with their common beginnings written once.
//!
//! Every alternative that shares its beginning with others keeps one more stack of the engine alive until it differs, and
//! each stack costs a pass over the vocabulary; so alternatives that begin with fixed text become a tree of prefixes, and
//! those of its branches that go on alike become one character class.

use std::collections::HashMap;

use super::charset;
use super::expr::Expr;

/// Common beginnings shared deeper than this are left as they are: a level of the tree is a level of recursion.
const DEEPEST: usize = 100;

/// One of `options`.
pub(super) fn choice(options: &[Expr]) -> Expr {
    factored(options.iter().map(Expr::flattened).collect(), 0)
}

/// An alternative: parts in sequence, the first of which may be fixed text.
type Parts = Vec<Expr>;

fn factored(mut options: Vec<Parts>, depth: usize) -> Expr {
    if options.len() == 1 || depth > DEEPEST {
        return choice_of(options);
    }
    options.dedup();
    let mut groups: Vec<(Option<char>, Vec<Parts>)> = Vec::new();
    for option in options {
        let first = first_char(&option);
        match groups.iter_mut().find(|(known, _)| first.is_some() && *known == first) {
            Some((_, group)) => group.push(option),
            None => groups.push((first, vec![option])),
        }
    }
    let branches = groups.into_iter().map(|(first, group)| (first, grouped(group, depth))).collect();
    choice_of(joined(branches))
}

/// Branches that differ in their first character alone, as one.
fn joined(branches: Vec<(Option<char>, Parts)>) -> Vec<Parts> {
    if branches.len() == 1 {
        return branches.into_iter().map(|(_, parts)| parts).collect();
    }
    let mut places: HashMap<Parts, usize> = HashMap::new();
    let mut found: Vec<(Vec<char>, Parts)> = Vec::with_capacity(branches.len());
    for (first, parts) in branches {
        let Some(first) = first else {
            found.push((Vec::new(), parts));
            continue;
        };
        let rest = behind(&parts, first.encode_utf8(&mut [0; 4]));
        let place = *places.entry(rest).or_insert(found.len());
        match found.get_mut(place) {
            Some((firsts, _)) => firsts.push(first),
            None => found.push((vec![first], parts)),
        }
    }
    found
        .into_iter()
        .map(|(firsts, parts)| match firsts.as_slice() {
            [first, _, ..] => {
                let rest = behind(&parts, first.encode_utf8(&mut [0; 4]));
                std::iter::once(charset::one_of(&firsts)).chain(rest).collect()
            }
            _ => parts,
        })
        .collect()
}

/// Alternatives that begin alike, as what they share and a choice of what follows.
fn grouped(mut group: Vec<Parts>, depth: usize) -> Parts {
    if group.len() == 1 {
        return group.pop().unwrap_or_default();
    }
    let shared = group.iter().filter_map(|parts| leading(parts)).reduce(common).unwrap_or_default().to_owned();
    let rests = group.iter().map(|parts| behind(parts, &shared)).collect();
    vec![Expr::Literal(shared), factored(rests, depth + 1)]
}

fn leading(parts: &Parts) -> Option<&str> {
    match parts.first() {
        Some(Expr::Literal(text)) => Some(text),
        _ => None,
    }
}

fn first_char(parts: &Parts) -> Option<char> {
    leading(parts).and_then(|text| text.chars().next())
}

fn common<'a>(a: &'a str, b: &str) -> &'a str {
    let length: usize = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    a.get(..length).unwrap_or_default()
}

/// What follows the shared beginning.
fn behind(parts: &Parts, shared: &str) -> Parts {
    let rest = leading(parts).and_then(|text| text.get(shared.len()..)).unwrap_or_default();
    let first = (!rest.is_empty()).then(|| Expr::literal(rest));
    first.into_iter().chain(parts.iter().skip(1).cloned()).collect()
}

fn choice_of(mut options: Vec<Parts>) -> Expr {
    let expr = |mut parts: Parts| {
        if parts.len() == 1 { parts.pop().unwrap_or_else(Expr::empty) } else { Expr::Sequence(parts) }
    };
    if options.len() == 1 {
        return options.pop().map_or_else(Expr::empty, expr);
    }
    // An empty alternative goes last: other engines refuse a choice that begins with one.
    options.sort_by_key(Vec::is_empty);
    Expr::Choice(options.into_iter().map(expr).collect())
}
