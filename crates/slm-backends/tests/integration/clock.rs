//! A clock whose waits take no time and are written down, and whose chance is known.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use slm_backends::{BoxFuture, Clock};

#[derive(Debug, Clone)]
pub(crate) struct TestClock {
    random: f64,
    waits: Arc<Mutex<Vec<Duration>>>,
}

impl Default for TestClock {
    fn default() -> Self {
        Self::with_random(1.0)
    }
}

impl TestClock {
    pub(crate) fn with_random(random: f64) -> Self {
        Self { random, waits: Arc::default() }
    }

    pub(crate) fn waits(&self) -> Vec<Duration> {
        self.waits.lock().unwrap().clone()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn date(&self) -> SystemTime {
        // Sun, 06 Nov 1994 08:49:37 GMT.
        SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        self.waits.lock().unwrap().push(duration);
        Box::pin(tokio::task::yield_now())
    }

    fn random(&self) -> f64 {
        self.random
    }
}
