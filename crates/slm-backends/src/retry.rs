//! When a failed request is sent again: a policy without a clock, and the clock beside it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime};

use crate::class::ErrorClass;

/// How often and how patiently a failed request is sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Requests in all, the first one included.
    pub attempts: u32,
    /// The longest first wait; each further one may last twice as long.
    pub base: Duration,
    /// No wait is longer, whatever the endpoint asks for.
    pub ceiling: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 3, base: Duration::from_millis(500), ceiling: Duration::from_secs(20) }
    }
}

impl RetryPolicy {
    /// One attempt, no waiting.
    pub const NONE: Self = Self { attempts: 1, base: Duration::ZERO, ceiling: Duration::ZERO };

    /// How long to wait after `failed` requests (1 after the first); `None` if that was the last.
    ///
    /// A hint of the endpoint's wins, up to the ceiling. Otherwise `random`, from 0 to 1, picks a wait between nothing and
    /// the exponential one: full jitter.
    ///
    /// ```
    /// use slm_backends::{ErrorClass, RetryPolicy};
    /// use std::time::Duration;
    ///
    /// let policy = RetryPolicy::default();
    /// assert_eq!(policy.delay(2, ErrorClass::Transient, None, 1.0), Some(Duration::from_secs(1)));
    /// assert_eq!(policy.delay(3, ErrorClass::Transient, None, 1.0), None);
    /// assert_eq!(policy.delay(1, ErrorClass::Permanent, None, 1.0), None);
    /// ```
    #[must_use]
    pub fn delay(&self, failed: u32, class: ErrorClass, hint: Option<Duration>, random: f64) -> Option<Duration> {
        if !class.is_retried() || failed >= self.attempts {
            return None;
        }
        if let Some(hint) = hint {
            return Some(hint.min(self.ceiling));
        }
        let doublings = 2_u32.saturating_pow(failed.saturating_sub(1));
        let longest = self.base.saturating_mul(doublings).min(self.ceiling);
        Some(longest.mul_f64(random.clamp(0.0, 1.0)))
    }
}

/// A boxed future, so that a trait with one can be an object.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Time and chance, as a client sees them. Tests bring their own.
pub trait Clock: fmt::Debug + Send + Sync {
    /// A monotonic clock.
    fn now(&self) -> Instant;
    /// The calendar's clock, for hints that are dates.
    fn date(&self) -> SystemTime;
    /// Waits.
    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()>;
    /// A number from 0 to 1.
    fn random(&self) -> f64;
}

/// The real ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        // tokio's clock, so that a paused runtime pauses this one too.
        tokio::time::Instant::now().into_std()
    }

    fn date(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }

    fn random(&self) -> f64 {
        rand::random()
    }
}
