//! Which replies of a call were asked for again, and why: read off the events that the client traces.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Listens to one call. Clones hear the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reasked(Arc<Mutex<Vec<String>>>);

impl Reasked {
    /// The endings that were heard of, in order.
    pub(crate) fn endings(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Subscriber for Reasked {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::INFO
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        // Spans are not told apart: only events of one call arrive here.
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut seen = Seen::default();
        event.record(&mut seen);
        if seen.message == "asking again" {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(seen.ending);
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The two fields of interest.
#[derive(Default)]
struct Seen {
    message: String,
    ending: String,
}

impl Visit for Seen {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "ending" {
            value.clone_into(&mut self.ending);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.message = format!("{value:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn re_asks_are_heard_and_nothing_else() {
        let reasked = Reasked::default();
        tracing::subscriber::with_default(reasked.clone(), || {
            tracing::info!(ending = "invalid", left = 1, "asking again");
            tracing::info!(ending = "value", "done");
            tracing::info!(ending = "truncated", left = 0, "asking again");
        });
        assert_eq!(reasked.endings(), ["invalid", "truncated"]);
    }
}
