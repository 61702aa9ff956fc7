//! A call whose document can be watched while it grows.

use std::fmt;
use std::task::Poll;

use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::error::Error;
use crate::outcome::Outcome;
use crate::retry::BoxFuture;

/// A structured call in progress. It moves on while it is awaited; dropping it ends its request.
///
/// What it shows on the way is for display: only [`finish`](Self::finish) gives a value that was validated, and where the
/// reply is asked for again the document begins anew.
#[must_use = "the call moves on only while it is awaited"]
pub struct StructuredStream<'c> {
    call: Option<BoxFuture<'c, Result<Outcome, Error>>>,
    partials: UnboundedReceiver<Value>,
    result: Option<Result<Outcome, Error>>,
}

impl<'c> StructuredStream<'c> {
    pub(crate) fn new(call: BoxFuture<'c, Result<Outcome, Error>>, partials: UnboundedReceiver<Value>) -> Self {
        Self { call: Some(call), partials, result: None }
    }

    /// The document as far as it has come, each time more of it has; `None` when the call is done.
    pub async fn next(&mut self) -> Option<Value> {
        std::future::poll_fn(|context| {
            if let Some(call) = &mut self.call
                && let Poll::Ready(result) = call.as_mut().poll(context)
            {
                self.result = Some(result);
                self.call = None;
            }
            let polled = self.partials.poll_recv(context);
            // The sender lives as long as the call, so its end is not always seen.
            if polled.is_pending() && self.call.is_none() { Poll::Ready(None) } else { polled }
        })
        .await
    }

    /// The call's outcome, when it is done.
    ///
    /// # Errors
    ///
    /// Those of [`Client::structured`](crate::Client::structured).
    pub async fn finish(self) -> Result<Outcome, Error> {
        match (self.result, self.call) {
            (Some(result), _) => result,
            (None, Some(call)) => call.await,
            // One of the two is always there.
            (None, None) => std::future::pending().await,
        }
    }
}

impl fmt::Debug for StructuredStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StructuredStream").field("done", &self.call.is_none()).finish_non_exhaustive()
    }
}
