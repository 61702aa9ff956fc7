//! When is a reply asked for again, and how does the next request differ? Pure.

use crate::judge::Judged;
use crate::outcome::{AnswerSource, Ending, FinishReason};
use crate::prompt::Complaint;
use crate::reply::Reply;
use crate::request::Request;

/// A reply that ran into a loop is sampled at least this warm the second time.
const WARM: f64 = 0.7;
/// Another seed, far from those that callers count through.
const OTHER_SEED: u64 = 0x5eed_0000;

/// How the next request differs from the caller's, and how many more there may be.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reasks {
    left: u32,
    pub(crate) complaint: Option<Complaint>,
    /// The reply ran into a loop.
    resampled: bool,
    /// The reply was cut at the cap that was chosen for it.
    raised: bool,
}

impl Reasks {
    pub(crate) fn new(most: u32) -> Self {
        Self { left: most, ..Self::default() }
    }

    /// Is there a point in asking again, and is it still allowed? `cap` is the one that was chosen, where the caller named
    /// none.
    pub(crate) fn asks_again(&mut self, reply: &Reply, judged: &Judged, cap: Option<u64>) -> bool {
        if self.left == 0 {
            return false;
        }
        match &judged.ending {
            Ending::Invalid { violations, message } => {
                let shown =
                    if judged.reading.source == AnswerSource::ToolArguments { "" } else { &judged.reading.text };
                self.complaint = Some(Complaint::invalid(shown, violations, message));
            }
            // The model ended in the middle by itself: it was not for want of room.
            Ending::Truncated { value: None, .. } if reply.finish_reason == Some(FinishReason::Stop) => {
                self.complaint = Some(Complaint::broken_off());
            }
            Ending::Truncated { .. } if !self.raised && is_cut_at(reply, cap) => self.raised = true,
            Ending::WhitespaceLoop | Ending::RepetitionLoop if !self.resampled => self.resampled = true,
            Ending::Value(_)
            | Ending::ToolCall { .. }
            | Ending::Text(_)
            | Ending::Truncated { .. }
            | Ending::Refused { .. }
            | Ending::Empty
            | Ending::WhitespaceLoop
            | Ending::RepetitionLoop => return false,
        }
        self.left -= 1;
        tracing::info!(ending = judged.ending.as_str(), left = self.left, "asking again");
        true
    }

    /// The caller's temperature, or a warmer one after a loop: the same sampling would run into it again.
    pub(crate) fn temperature(&self, request: &Request) -> Option<f64> {
        if self.resampled { Some(request.temperature.map_or(WARM, |own| own.max(WARM))) } else { request.temperature }
    }

    /// The caller's seed, or another one after a loop.
    pub(crate) fn seed(&self, request: &Request) -> Option<u64> {
        request.seed.map(|seed| if self.resampled { seed ^ OTHER_SEED } else { seed })
    }

    /// By how much the chosen cap is multiplied.
    pub(crate) fn room(&self) -> u64 {
        if self.raised { 2 } else { 1 }
    }
}

/// A reply that ended before its cap ran into the window: a larger cap would not help it.
fn is_cut_at(reply: &Reply, cap: Option<u64>) -> bool {
    let Some(cap) = cap else { return false };
    !reply.is_incomplete && reply.usage.is_none_or(|usage| usage.completion_tokens >= cap)
}
