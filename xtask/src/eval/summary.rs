//! What the calls of a setting came to. Pure.

use std::collections::BTreeMap;

use super::matrix::Setting;
use super::record::{FALSE_VALUE, Record};
use crate::statistics::{Estimate, Share, mean_of, median_of, quantile};

/// One setting, over all contracts and prompts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Summary {
    /// Which.
    pub(crate) setting: Setting,
    /// First replies that the model brought to an end by itself.
    pub(crate) finished: Share,
    /// First replies that were values as they came.
    pub(crate) as_it_came: Share,
    /// First replies that were values, repaired where that was needed.
    pub(crate) at_first: Share,
    /// Calls that ended with a value, re-asks included.
    pub(crate) in_the_end: Share,
    /// Of the first replies that finished, those that were values.
    pub(crate) of_finished: Share,
    /// Calls that ended cut off.
    pub(crate) truncated: Share,
    /// Calls that ended in a loop of white space or of anything else.
    pub(crate) looped: Share,
    /// Calls that ended refused.
    pub(crate) refused: Share,
    /// Calls that ended with something else that is no value.
    pub(crate) otherwise: Share,
    /// Tokens of all replies of a call, at the mean.
    pub(crate) completion_tokens: Option<Estimate>,
    /// Tokens of all prompts of a call, at the mean.
    pub(crate) prompt_tokens: Option<Estimate>,
    /// Seconds of a call: the middle, and the ninth of ten.
    pub(crate) seconds: (Option<Estimate>, Option<f64>),
}

impl Summary {
    /// Over those of `records` that were made under `setting`.
    pub(crate) fn of(setting: Setting, records: &[Record]) -> Self {
        let under = || records.iter().filter(move |record| record.case.is_under(setting));
        let ended =
            |endings: &'static [&str]| Share::count(under(), |record| endings.contains(&record.outcome.as_str()));
        let tokens = |count: fn(&Record) -> u64| mean_of(under().map(|record| float(count(record))));
        let seconds = || under().map(|record| float(record.ms) / 1000.0);
        let in_the_end = Share::count(under(), |record| record.is_valid());
        let (truncated, refused) = (ended(&["truncated"]), ended(&["refused"]));
        let looped = ended(&["whitespace_loop", "repetition_loop"]);
        let named = in_the_end.hits + truncated.hits + refused.hits + looped.hits;
        Self {
            setting,
            finished: Share::count(under(), |record| record.first_finished()),
            as_it_came: Share::count(under(), |record| record.is_valid_as_it_came()),
            at_first: Share::count(under(), |record| record.is_valid_at_first()),
            in_the_end,
            of_finished: Share::count(under().filter(|record| record.first_finished()), |record| {
                record.is_valid_at_first()
            }),
            truncated,
            looped,
            refused,
            otherwise: Share { hits: in_the_end.of - named, of: in_the_end.of },
            completion_tokens: tokens(|record| record.completion_tokens),
            prompt_tokens: tokens(|record| record.prompt_tokens),
            seconds: (median_of(seconds()), quantile(seconds(), 0.9)),
        }
    }
}

/// Of all calls, those in which each rung of the repair ladder had a part; `none` for replies read as they were, `-` where none was
/// read.
pub(crate) fn rungs(setting: Setting, records: &[Record]) -> BTreeMap<String, Share> {
    let under = || records.iter().filter(|record| record.case.is_under(setting));
    let none = Share::count(under(), |_| false);
    let mut shares = BTreeMap::new();
    for record in under() {
        let mut names: Vec<&str> = record.rungs.iter().map(String::as_str).collect();
        if record.coercions > 0 && !names.contains(&"coerce") {
            names.push("coerce");
        }
        if names.is_empty() {
            names.push(if record.is_valid() { "none" } else { "-" });
        }
        for name in names {
            shares.entry(name.to_owned()).or_insert(none).hits += 1;
        }
    }
    shares
}

/// Values that break their contract, over all settings. There must be none.
pub(crate) fn false_values(records: &[Record]) -> Share {
    Share::count(records, |record| record.outcome == FALSE_VALUE)
}

fn float(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::record::tests::{case, record};

    #[test]
    fn each_call_is_counted_once_among_the_endings() {
        let repaired = Record { rungs: vec!["fence".to_owned()], ..record(case(), &["value"]) };
        let elsewhere = record(crate::eval::matrix::Case { temperature: 1.0, ..case() }, &["value"]);
        let records = [
            record(case(), &["value"]),
            repaired,
            record(case(), &["invalid", "value"]),
            record(case(), &["repetition_loop", "value"]),
            record(case(), &["truncated"]),
            record(case(), &["whitespace_loop", "repetition_loop"]),
            record(case(), &["refused"]),
            record(case(), &["invalid", "invalid"]),
            record(case(), &["error"]),
            elsewhere,
        ];
        let summary = Summary::of(Setting::ALL[0], &records);
        let hits = |share: Share| {
            assert_eq!(share.of, 9);
            share.hits
        };
        assert_eq!(hits(summary.as_it_came), 1);
        assert_eq!(hits(summary.at_first), 2);
        assert_eq!(hits(summary.in_the_end), 4);
        assert_eq!(hits(summary.finished), 5);
        assert_eq!(summary.of_finished, Share { hits: 2, of: 5 });
        assert_eq!([summary.truncated, summary.looped, summary.refused, summary.otherwise].map(hits), [1, 1, 1, 2]);
        assert_eq!(summary.completion_tokens.map(|tokens| tokens.point), Some(40.0));
        let same = Estimate { point: 1.5, interval: Some((1.5, 1.5)) };
        assert_eq!(summary.seconds, (Some(same), Some(1.5)));
    }

    #[test]
    fn every_rung_of_a_call_counts() {
        let many = Record { rungs: vec!["fence".into(), "quotes".into()], coercions: 2, ..record(case(), &["value"]) };
        let records = [many, record(case(), &["value"]), record(case(), &["truncated"])];
        let counts = rungs(Setting::ALL[0], &records);
        let expected = [("-", 1), ("coerce", 1), ("fence", 1), ("none", 1), ("quotes", 1)];
        assert!(counts.iter().map(|(name, share)| (name.as_str(), share.hits)).eq(expected), "{counts:?}");
        assert!(counts.values().all(|share| share.of == 3), "{counts:?}");
    }

    #[test]
    fn false_values_are_counted_whatever_the_setting() {
        let records = [record(case(), &[FALSE_VALUE]), record(case(), &["value"])];
        assert_eq!(false_values(&records), Share { hits: 1, of: 2 });
        assert_eq!(Summary::of(Setting::ALL[0], &records).otherwise.hits, 1);
    }
}
