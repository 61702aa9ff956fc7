//! Shares, means and middles with their confidence intervals. Pure.

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

/// A figure of all, reckoned from the few that were measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Estimate {
    /// That of those measured.
    pub(crate) point: f64,
    /// Its interval at 95 %; `None` where there are too few for one.
    pub(crate) interval: Option<(f64, f64)>,
}

impl fmt::Display for Estimate {
    /// `75 (60–90)`, with as many places as the format asks for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision().unwrap_or(0);
        write!(f, "{:.places$}", self.point)?;
        self.interval.map_or(Ok(()), |(low, high)| write!(f, " ({low:.places$}–{high:.places$})"))
    }
}

/// The mean with Student's interval.
pub(crate) fn mean_of(values: impl IntoIterator<Item = f64>) -> Option<Estimate> {
    let values: Vec<f64> = values.into_iter().collect();
    let point = mean(values.iter().copied())?;
    let freedom = small(values.len()) - 1.0;
    let interval = (freedom >= 1.0).then(|| {
        let squares: f64 = values.iter().map(|value| (value - point).powi(2)).sum();
        let half = student(freedom) * (squares / freedom / (freedom + 1.0)).sqrt();
        (point - half, point + half)
    });
    Some(Estimate { point, interval })
}

/// The middle with an interval between two of the values, which holds whatever their distribution: that many of them lie
/// below the true middle is as likely as that many heads of a coin.
pub(crate) fn median_of(values: impl IntoIterator<Item = f64>) -> Option<Estimate> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let point = median(sorted.iter().copied())?;
    let beyond = values_beyond(sorted.len());
    let interval = beyond.and_then(|beyond| Some((*sorted.get(beyond)?, *sorted.iter().rev().nth(beyond)?)));
    Some(Estimate { point, interval })
}

/// The most values that may lie outside of the interval of the middle on either side; `None` where even none is too many.
fn values_beyond(count: usize) -> Option<usize> {
    let total = small(count);
    let mut chance = 0.5_f64.powf(total);
    let mut up_to = 0.0;
    for heads in 0..count {
        up_to += chance;
        if up_to > 0.025 {
            return heads.checked_sub(1);
        }
        let done = small(heads);
        chance *= (total - done) / (done + 1.0);
    }
    None
}

/// Student's quantile of a two-sided interval of 95 %, by the expansion of Cornish and Fisher; below three degrees, where
/// that goes astray, the published values.
fn student(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return 12.706;
    }
    if freedom < 2.5 {
        return 4.303;
    }
    let terms = [
        (Z.powi(3) + Z) / 4.0,
        (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0,
        (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / 384.0,
    ];
    terms.iter().zip(1..).fold(Z, |sum, (term, power)| sum + term / freedom.powi(power))
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
    small(part) / small(whole)
}

fn small(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
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
        assert_eq!(median_of([]), None);
        assert_eq!(mean_of([]), None);
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

    #[test]
    fn student_agrees_with_published_values() {
        for (freedom, published) in
            [(1.0, 12.706), (2.0, 4.303), (5.0, 2.571), (10.0, 2.228), (15.0, 2.131), (60.0, 2.0)]
        {
            assert!((student(freedom) - published).abs() < 0.005, "{freedom}: {}", student(freedom));
        }
        assert!((student(3.0) - 3.182).abs() < 0.03, "{}", student(3.0));
    }

    #[test]
    fn a_mean_has_students_interval() {
        // The deviation of these is 1, so half of the interval is 2.571 / √6.
        let six = [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0].map(|value: f64| 10.0 + value * (5.0_f64 / 6.0).sqrt());
        let estimate = mean_of(six).unwrap();
        let (low, high) = estimate.interval.unwrap();
        assert!((estimate.point - 10.0).abs() < 1e-9);
        assert!((high - 10.0 - 1.0496).abs() < 0.01 && (10.0 - low - 1.0496).abs() < 0.01, "{low} {high}");
        assert_eq!(mean_of([3.0]), Some(Estimate { point: 3.0, interval: None }));
    }

    #[test]
    fn the_interval_of_a_middle_lies_between_published_ranks() {
        // Conover, Practical Nonparametric Statistics: ranks for a median at 95 %.
        let ranks = |count: u32| median_of((1..=count).map(f64::from)).unwrap().interval;
        assert_eq!(ranks(5), None);
        assert_eq!(ranks(6), Some((1.0, 6.0)));
        assert_eq!(ranks(10), Some((2.0, 9.0)));
        assert_eq!(ranks(16), Some((4.0, 13.0)));
        assert_eq!(ranks(20), Some((6.0, 15.0)));
    }

    #[test]
    fn an_estimate_says_its_interval_where_it_has_one() {
        assert_eq!(format!("{:.1}", Estimate { point: 2.04, interval: Some((1.0, 3.26)) }), "2.0 (1.0–3.3)");
        assert_eq!(Estimate { point: 75.2, interval: None }.to_string(), "75");
    }
}
