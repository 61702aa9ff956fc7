//! Shares with their confidence intervals, and middles. Pure.

use std::fmt;

/// The normal quantile of a two-sided interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// How many of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Share {
    /// Those that did.
    pub(crate) hits: u32,
    /// All.
    pub(crate) of: u32,
}

impl Share {
    /// How many of `all` do.
    pub(crate) fn count<T>(all: impl IntoIterator<Item = T>, does: impl Fn(&T) -> bool) -> Self {
        let mut share = Self::default();
        for one in all {
            share.of += 1;
            share.hits += u32::from(does(&one));
        }
        share
    }

    /// The share itself, 0 to 1; `None` where there was nothing.
    pub(crate) fn point(self) -> Option<f64> {
        (self.of > 0).then(|| f64::from(self.hits) / f64::from(self.of))
    }

    /// Wilson's interval at 95 %: unlike the usual one it says something at none of few and at all of few.
    pub(crate) fn interval(self) -> Option<(f64, f64)> {
        let share = self.point()?;
        let count = f64::from(self.of);
        let spread = Z * Z / count;
        let middle = (share + spread / 2.0) / (1.0 + spread);
        let half = Z / (1.0 + spread) * (share * (1.0 - share) / count + spread / count / 4.0).sqrt();
        Some(((middle - half).clamp(0.0, share), (middle + half).clamp(share, 1.0)))
    }

    /// Do all?
    pub(crate) fn is_whole(self) -> bool {
        self.of > 0 && self.hits == self.of
    }
}

impl fmt::Display for Share {
    /// `15/16 (72–99 %)`: the count, and the interval that it stands for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.interval() {
            Some((low, high)) => write!(f, "{}/{} ({:.0}–{:.0} %)", self.hits, self.of, low * 100.0, high * 100.0),
            None => f.write_str("-"),
        }
    }
}

/// The value at `part` (0 to 1) of the sorted ones: the nearest rank. `None` where there are none.
pub(crate) fn quantile(values: impl IntoIterator<Item = f64>, part: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let position = (0..sorted.len()).find(|rank| fraction(rank + 1, sorted.len()) >= part);
    position.and_then(|rank| sorted.get(rank)).copied()
}

/// The value in the middle.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    quantile(values, 0.5)
}

/// The arithmetic mean.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

fn fraction(part: usize, whole: usize) -> f64 {
    let small = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    small(part) / small(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(share: Share) -> Option<(f64, f64)> {
        let round = |value: f64| (value * 10_000.0).round() / 10_000.0;
        share.interval().map(|(low, high)| (round(low), round(high)))
    }

    #[test]
    fn wilson_agrees_with_published_values() {
        // Newcombe (1998), table I: 81/263, 15/148, 0/20, 1/29.
        assert_eq!(rounded(Share { hits: 81, of: 263 }), Some((0.2553, 0.3662)));
        assert_eq!(rounded(Share { hits: 15, of: 148 }), Some((0.0624, 0.1605)));
        assert_eq!(rounded(Share { hits: 0, of: 20 }), Some((0.0, 0.1611)));
        assert_eq!(rounded(Share { hits: 1, of: 29 }), Some((0.0061, 0.1718)));
    }

    #[test]
    fn an_interval_holds_its_share_and_stays_within_0_and_1() {
        for of in 1..60 {
            for hits in 0..=of {
                let share = Share { hits, of };
                let (low, high) = share.interval().unwrap();
                let point = share.point().unwrap();
                assert!(0.0 <= low && low <= point && point <= high && high <= 1.0, "{share:?}: {low} {high}");
            }
        }
    }

    #[test]
    fn nothing_has_no_share() {
        assert_eq!(Share::default().interval(), None);
        assert_eq!(Share::default().to_string(), "-");
        assert!(!Share::default().is_whole());
        assert_eq!(median([]), None);
        assert_eq!(mean([]), None);
    }

    #[test]
    fn shares_say_count_and_interval() {
        assert_eq!(Share::count(1..=16, |n| *n != 7).to_string(), "15/16 (72–99 %)");
        assert_eq!(Share::count(1..=16, |_| true).to_string(), "16/16 (81–100 %)");
    }

    #[test]
    fn quantiles_are_values_that_occurred() {
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), Some(2.0));
        assert_eq!(quantile((1..=10).map(f64::from), 0.9), Some(9.0));
        assert_eq!(quantile([5.0], 0.9), Some(5.0));
        assert_eq!(mean([1.0, 2.0, 6.0]), Some(3.0));
    }
}
