//! A reply is watched while it comes: when has enough of it come?

use serde_json::Value;
use slm_repair::StreamScanner;
use slm_schema::Contract;
use tokio::sync::mpsc::UnboundedSender;

use crate::repetition;

/// White space outside strings: no document has so much of it in one place.
const WHITE_LOOP: usize = 256;
/// How often a text is searched for repetition: after each so many bytes.
const STRIDE: usize = 128;
/// A train of thought may come back to its words; one that fills this much is not coming to an end.
const LEAST_REASONING: usize = 4096;

/// Why a reply was ended before the endpoint ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The document is whole.
    Whole,
    /// Nothing but white space came any more.
    WhiteSpace,
    /// The same came again and again.
    Repetition,
    /// A probe's reply that began with words: no constraint held it.
    Prose,
}

/// What ends a reply early, besides loops.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Until<'a> {
    /// Nothing: the endpoint ends it.
    #[default]
    End,
    /// The first document that is valid, if it comes before any words.
    Valid(&'a Contract),
    /// The first document, or words in place of one.
    Document,
}

/// Watches one reply.
#[derive(Debug, Default)]
pub(crate) struct Watch<'a> {
    until: Until<'a>,
    partials: Option<&'a UnboundedSender<Value>>,
    /// Strings that end the reply, once its document has closed.
    stops: &'a [String],
    scanner: StreamScanner,
    text_seen: usize,
    reasoning_seen: usize,
    looked_at: usize,
    /// The first document was looked at, and did not end the reply.
    passed: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(until: Until<'a>, partials: Option<&'a UnboundedSender<Value>>) -> Self {
        Self { until, partials, ..Self::default() }
    }

    /// The same, ended too by each of these strings once the document has closed.
    pub(crate) fn with_stops(self, stops: &'a [String]) -> Self {
        Self { stops, ..self }
    }

    /// Looks at what has come so far; says whether it is enough.
    pub(crate) fn look(&mut self, text: &str, reasoning: &str) -> Option<Stopped> {
        let new = text.as_bytes().get(self.text_seen..).unwrap_or_default();
        if new.is_empty() {
            return self.look_at_reasoning(reasoning);
        }
        self.text_seen = text.len();
        let status = self.scanner.feed(new);
        if let Some(partials) = self.partials
            && let Some(value) = self.scanner.partial()
        {
            // Whoever listened may have gone; the call goes on until it is dropped.
            let _gone = partials.send(value);
        }
        if status.white_run >= WHITE_LOOP {
            return Some(if status.complete.is_some() { Stopped::Whole } else { Stopped::WhiteSpace });
        }
        if let Some(stopped) = self.look_at_document(text) {
            return Some(stopped);
        }
        if text.len() >= self.looked_at + STRIDE {
            self.looked_at = text.len();
            return repetition::ends_in_loop(text.as_bytes()).then_some(Stopped::Repetition);
        }
        None
    }

    fn look_at_document(&mut self, text: &str) -> Option<Stopped> {
        let status = self.scanner.status();
        let is_first = status.complete.is_some() && !status.led_by_prose && !self.passed;
        let after = status.complete.filter(|_| !status.led_by_prose).and_then(|end| text.get(end..));
        if after.is_some_and(|after| self.stops.iter().any(|stop| !stop.is_empty() && after.contains(stop))) {
            return Some(Stopped::Whole);
        }
        match self.until {
            Until::Valid(contract) if is_first => {
                self.passed = true;
                let value = self.scanner.partial()?;
                contract.validate(&value).is_empty().then_some(Stopped::Whole)
            }
            Until::Document if is_first => Some(Stopped::Whole),
            Until::Document if begins_with_words(text) => Some(Stopped::Prose),
            Until::End | Until::Valid(_) | Until::Document => None,
        }
    }

    fn look_at_reasoning(&mut self, reasoning: &str) -> Option<Stopped> {
        if reasoning.len() < LEAST_REASONING.max(self.reasoning_seen + STRIDE) {
            return None;
        }
        self.reasoning_seen = reasoning.len();
        repetition::ends_in_loop(reasoning.as_bytes()).then_some(Stopped::Repetition)
    }
}

/// Neither a document nor a fence nor a tag of reasoning can begin so.
fn begins_with_words(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
        .chars()
        .next()
        .is_some_and(|first| !matches!(first, '{' | '[' | '"' | '`' | '<' | '~'))
}

/// Does a reply that was cut end in a loop?
pub(crate) fn loop_at_end(text: &str) -> Option<Stopped> {
    let status = StreamScanner::new().feed(text.as_bytes());
    if status.white_run >= WHITE_LOOP && status.complete.is_none() {
        Some(Stopped::WhiteSpace)
    } else if repetition::ends_in_loop(text.as_bytes()) {
        Some(Stopped::Repetition)
    } else {
        None
    }
}
