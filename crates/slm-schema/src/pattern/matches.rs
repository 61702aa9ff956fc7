//! Does an expression match a text? By sets of places in it, so that no text takes exponential time.

use std::collections::HashMap;

use super::Regex;

pub(super) fn matches(regex: &Regex, text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let mut matcher = Matcher { chars: &chars, classes: HashMap::new() };
    matcher.ends(regex, &Places::only(0)).contains(chars.len())
}

struct Matcher<'r, 't> {
    chars: &'t [char],
    /// Where the characters of a class stand.
    classes: HashMap<&'r [(char, char)], Places>,
}

impl<'r> Matcher<'r, '_> {
    /// Where a match can end that begins at one of `starts`.
    fn ends(&mut self, regex: &'r Regex, starts: &Places) -> Places {
        match regex {
            _ if starts.is_empty() => Places::default(),
            Regex::Class(ranges) => starts.and(self.class(ranges)).shifted(),
            Regex::Sequence(parts) => parts.iter().fold(starts.clone(), |starts, part| self.ends(part, &starts)),
            Regex::Choice(options) => options.iter().fold(Places::default(), |mut ends, option| {
                ends.add(&self.ends(option, starts));
                ends
            }),
            Regex::Repeat(unit, min, max) => self.repeated(unit, *min, *max, starts),
        }
    }

    fn repeated(&mut self, unit: &'r Regex, min: usize, max: Option<usize>, starts: &Places) -> Places {
        let mut current = starts.clone();
        let mut found = if min == 0 { starts.clone() } else { Places::default() };
        let mut count = 0;
        while !current.is_empty() && max.is_none_or(|max| count < max) {
            let mut next = self.ends(unit, &current);
            count += 1;
            if count >= min {
                // From a place that was found before, with more left to count, nothing new is found.
                next = next.without(&found);
                found.add(&next);
            }
            current = next;
        }
        found
    }

    fn class(&mut self, ranges: &'r [(char, char)]) -> &Places {
        let chars = self.chars;
        self.classes.entry(ranges).or_insert_with(|| {
            let holds = |c: &char| {
                let range = ranges.get(ranges.partition_point(|(_, to)| to < c));
                range.is_some_and(|(from, _)| from <= c)
            };
            let word = |chars: &[char]| chars.iter().rev().fold(0, |word, c| word << 1 | u64::from(holds(c)));
            Places { first: 0, words: chars.chunks(64).map(word).collect() }
        })
    }
}

/// A set of places in a text: a bit each, from the word of the first to the word of the last.
#[derive(Debug, Clone, Default)]
struct Places {
    /// Words before the first that is kept.
    first: usize,
    words: Vec<u64>,
}

impl Places {
    fn only(at: usize) -> Self {
        Self { first: at / 64, words: vec![1 << (at % 64)] }
    }

    fn word(&self, index: usize) -> u64 {
        index.checked_sub(self.first).and_then(|index| self.words.get(index)).copied().unwrap_or(0)
    }

    fn contains(&self, at: usize) -> bool {
        self.word(at / 64) >> (at % 64) & 1 == 1
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn and(&self, other: &Self) -> Self {
        self.changed(|index, word| word & other.word(index))
    }

    fn without(&self, other: &Self) -> Self {
        self.changed(|index, word| word & !other.word(index))
    }

    fn changed(&self, change: impl Fn(usize, u64) -> u64) -> Self {
        let mut words: Vec<u64> =
            self.words.iter().zip(self.first..).map(|(word, index)| change(index, *word)).collect();
        words.truncate(words.len() - words.iter().rev().take_while(|word| **word == 0).count());
        let blank = words.iter().take_while(|word| **word == 0).count();
        words.drain(..blank);
        Self { first: self.first + blank, words }
    }

    /// Each place moved on by one.
    fn shifted(mut self) -> Self {
        let mut carry = 0;
        for word in &mut self.words {
            (*word, carry) = (*word << 1 | carry, *word >> 63);
        }
        if carry > 0 {
            self.words.push(carry);
        }
        self
    }

    fn add(&mut self, other: &Self) {
        if self.is_empty() || other.is_empty() {
            if self.is_empty() {
                self.clone_from(other);
            }
            return;
        }
        let before = self.first.saturating_sub(other.first);
        self.words.splice(..0, std::iter::repeat_n(0, before));
        self.first -= before;
        let offset = other.first - self.first;
        self.words.resize(self.words.len().max(offset + other.words.len()), 0);
        for (word, more) in self.words.iter_mut().skip(offset).zip(&other.words) {
            *word |= more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::matches;

    /// As the expression is written, by trying all ways: only for short texts.
    fn by_trying(regex: &super::Regex, text: &[char]) -> Vec<usize> {
        use super::Regex;
        let behind = |ends: Vec<usize>, next: &Regex| -> Vec<usize> {
            let mut all: Vec<usize> = ends
                .into_iter()
                .flat_map(|end| by_trying(next, &text[end..]).into_iter().map(move |more| end + more))
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        match regex {
            Regex::Class(ranges) => {
                let fits = text.first().is_some_and(|c| ranges.iter().any(|(from, to)| from <= c && c <= to));
                if fits { vec![1] } else { Vec::new() }
            }
            Regex::Sequence(parts) => parts.iter().fold(vec![0], behind),
            Regex::Choice(options) => options.iter().flat_map(|option| by_trying(option, text)).collect(),
            Regex::Repeat(unit, min, max) => {
                let most = max.unwrap_or(text.len() + min).min(text.len() + min);
                let mut ends = (0..*min).fold(vec![0], |ends, _| behind(ends, unit));
                let mut all = ends.clone();
                for _ in *min..most {
                    ends = behind(ends, unit);
                    all.extend(&ends);
                }
                all
            }
        }
    }

    #[test]
    fn places_come_to_what_trying_comes_to() {
        for source in
            ["^(a|ab)(c|bcd)*$", "a{2,3}b?", "^(a?b){2}$", "^(a{0,2}){3}c*$", "^[^a]*a.{1,2}$", "(ab|b)+$", "^$"]
        {
            let regex = parse(source).unwrap();
            for number in 0..3_u32.pow(6) {
                let text: String =
                    (0..6).filter_map(|i| "abc".chars().nth((number / 3_u32.pow(i) % 3) as usize)).collect();
                for text in [text.as_str(), &text[..3], ""] {
                    let chars: Vec<char> = text.chars().collect();
                    let tried = by_trying(&regex, &chars).contains(&chars.len());
                    assert_eq!(matches(&regex, text), tried, "{source} on {text:?}");
                }
            }
        }
    }

    #[test]
    fn places_are_kept_over_the_edges_of_words() {
        for length in [63, 64, 65, 127, 128, 129, 1000] {
            let text = "a".repeat(length);
            let counted = parse(&format!("^a{{{length}}}$")).unwrap();
            assert!(matches(&counted, &text) && !matches(&counted, &text[1..]), "{length}");
            let behind = parse("^(aa)*b|a*c$").unwrap();
            assert_eq!(matches(&behind, &(text.clone() + "b")), length % 2 == 0, "{length}");
            assert!(matches(&behind, &(text + "c")), "{length}");
        }
    }

    #[test]
    fn counts_from_every_place_of_a_long_text_come_to_an_end() {
        let regex = parse(r"\w*[^\s]+t(?:x   :2){9000}y").unwrap();
        assert!(matches(&regex, &format!("at{}y", "x   :2".repeat(9000))));
        let star = parse("^([a-z]*)*$").unwrap();
        assert!(matches(&star, &"a".repeat(100_000)));
        assert!(parse("^(a{1000}b){1000}$").is_err(), "counts of counts are bounded");
    }
}
