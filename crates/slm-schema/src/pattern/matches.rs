//! Does an expression match a text? By sets of positions, so that no text takes exponential time.

use std::collections::BTreeSet;

use super::Regex;

pub(super) fn matches(regex: &Regex, text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    ends(regex, &chars, &BTreeSet::from([0])).contains(&chars.len())
}

/// Where a match can end that begins at one of `starts`.
fn ends(regex: &Regex, chars: &[char], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
    match regex {
        Regex::Class(ranges) => {
            let fits =
                |at: &usize| chars.get(*at).is_some_and(|c| ranges.iter().any(|(from, to)| from <= c && c <= to));
            starts.iter().filter(|at| fits(at)).map(|at| at + 1).collect()
        }
        Regex::Sequence(parts) => parts.iter().fold(starts.clone(), |starts, part| ends(part, chars, &starts)),
        Regex::Choice(options) => options.iter().flat_map(|option| ends(option, chars, starts)).collect(),
        Regex::Repeat(unit, min, max) => repeated(unit, *min, *max, chars, starts),
    }
}

fn repeated(unit: &Regex, min: usize, max: Option<usize>, chars: &[char], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut current = starts.clone();
    let mut found = if min == 0 { starts.clone() } else { BTreeSet::new() };
    let mut count = 0;
    while !current.is_empty() && max.is_none_or(|max| count < max) {
        let next = ends(unit, chars, &current);
        count += 1;
        if count >= min {
            let before = found.len();
            found.extend(&next);
            // Nothing new, and nothing left to count up to.
            if found.len() == before && next.is_subset(&found) && next.is_subset(&current) {
                break;
            }
        }
        current = next;
    }
    found
}
