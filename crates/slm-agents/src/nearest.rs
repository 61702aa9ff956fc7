//! The name that was probably meant.

use strsim::osa_distance;

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
        let length = wanted.chars().count();
        let most = (length.max(candidate.chars().count()) / 3).max(1);
        let distance = osa_distance(&wanted, &candidate);
        if distance <= most && distance < length {
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
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(LONGEST).collect()
}

/// Is a word of `name` the whole candidate? `confidence` is what `confidence_score` means, `files` what `file_list` does.
fn shares_word(name: &str, candidate: &str) -> bool {
    candidate.chars().count() >= 4
        && name.split(['_', '-', ' ']).map(plain).any(|word| word == candidate || word + "s" == candidate)
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
            ("finding_list", Some("findings")),
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
