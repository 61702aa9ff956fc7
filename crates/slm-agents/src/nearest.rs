//! The name that was probably meant.

/// Longer names are no misspelling of anything.
const LONGEST: usize = 64;

/// The known name nearest to `name`, if one is near: a third of it may differ, or one is a whole word of the other.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let wanted = plain(name);
    let close = |candidate: &str| {
        let candidate = plain(candidate);
        let most = (wanted.len().max(candidate.len()) / 3).max(1);
        let distance = distance(&wanted, &candidate);
        if distance <= most && distance < wanted.len() {
            return Some(distance);
        }
        shares_word(name, &candidate).then_some(most + 1)
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        if let Some(distance) = close(candidate).filter(|distance| best.is_none_or(|(least, _)| *distance < least)) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// In lower case and without separators: `needsFix` and `needs_fix` are one name.
fn plain(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(LONGEST).collect()
}

/// Is a word of `name` the whole candidate? `confidence` is what `confidence_score` means.
fn shares_word(name: &str, candidate: &[char]) -> bool {
    candidate.len() >= 4 && name.split(['_', '-', ' ']).any(|word| plain(word) == candidate)
}

/// How many letters must be put in, taken out, replaced, or swapped with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let mut cost = (at(&last, j) + usize::from(x != y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                cost = cost.min(at(&before, j - 1) + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn what_was_probably_meant() {
        let known = ["findings", "summary", "verdict", "line", "confidence", "trade_offs"];
        let cases = [
            ("finding", Some("findings")),
            ("vedrict", Some("verdict")),
            ("summery", Some("summary")),
            ("Verdict", Some("verdict")),
            ("tradeOffs", Some("trade_offs")),
            ("confidence_score", Some("confidence")),
            ("lnie", Some("line")),
            ("rationale", None),
            ("x", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
        assert_eq!(nearest(&"verdict".repeat(10_000), known), None);
    }
}
