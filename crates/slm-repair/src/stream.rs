//! An incremental scanner for replies that arrive in pieces: where the root value ends, and what to show until then.

use serde_json::Value;

use crate::stream::lead::{Lead, Led};
use crate::stream::machine::{Machine, Took};

mod lead;
mod machine;

/// What is known of a reply after the bytes fed so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is so or not, whatever the others are")]
pub struct StreamStatus {
    /// Where the root value ended: the number of bytes fed up to and with its last one.
    pub complete: Option<usize>,
    /// Words stand before the root value, so it may be an example and another value may follow.
    ///
    /// Without them a stream can be ended as soon as the root is complete: white space, a byte order mark, the opening
    /// line of a fence and a block of reasoning are not words.
    pub led_by_prose: bool,
    /// The root value has begun.
    pub began: bool,
    /// White space bytes without a break, outside strings, at the end of what was fed: a model that writes nothing else is
    /// caught in a loop.
    pub white_run: usize,
    /// Containers are open deeper than the limit; nothing more is read.
    pub too_deep: bool,
    /// The root value is no strict JSON: its end is not told, the ladder has to read the reply as a whole.
    pub damaged: bool,
}

/// Reads a reply piece by piece, split anywhere, inside a UTF-8 sequence too.
///
/// ```
/// use serde_json::json;
/// use slm_repair::StreamScanner;
///
/// let mut scanner = StreamScanner::new();
/// assert_eq!(scanner.feed(br#"{"city": "Os"#).complete, None);
/// assert_eq!(scanner.partial(), Some(json!({"city": "Os"})));
/// assert_eq!(scanner.feed(b"lo\"}\n\n  ").complete, Some(16));
/// ```
#[derive(Debug)]
pub struct StreamScanner {
    /// What was fed since the root began.
    document: Vec<u8>,
    /// How many bytes were fed before that.
    before: usize,
    fed: usize,
    lead: Lead,
    machine: Option<Machine>,
    max_depth: usize,
    status: StreamStatus,
}

impl Default for StreamScanner {
    fn default() -> Self {
        Self::new()
    }
}

impl StreamScanner {
    /// A scanner at the beginning of a reply; containers may be nested as deep as the ladder reads them.
    #[must_use]
    pub fn new() -> Self {
        Self::with_max_depth(crate::parse::MAX_DEPTH)
    }

    /// A scanner that lets containers be nested `max_depth` deep.
    #[must_use]
    pub fn with_max_depth(max_depth: usize) -> Self {
        Self {
            document: Vec::new(),
            before: 0,
            fed: 0,
            lead: Lead::default(),
            machine: None,
            max_depth,
            status: StreamStatus::default(),
        }
    }

    /// Reads the next bytes of the reply; what is known after them.
    pub fn feed(&mut self, chunk: &[u8]) -> StreamStatus {
        for byte in chunk {
            self.take(*byte);
            self.fed += 1;
        }
        self.status
    }

    /// What is known after the bytes fed so far.
    #[must_use]
    pub fn status(&self) -> StreamStatus {
        self.status
    }

    /// The part of the root value that has arrived, for display: never the answer.
    ///
    /// A string that is still open is shown as far as it goes; a number, literal or key that is still open is left out.
    /// Costs one parse of the document so far, so a display that is drawn at each token should limit its rate.
    #[must_use]
    pub fn partial(&self) -> Option<Value> {
        let text = self.machine.as_ref()?.closed_text(&self.document)?;
        // Strings with raw line breaks are the only thing the machine lets pass that the parser does not.
        serde_json::from_str(&text).ok().or_else(|| Some(crate::repair(&text).ok()?.value))
    }

    fn take(&mut self, byte: u8) {
        if self.status.too_deep {
            return;
        }
        let in_string = self.machine.as_ref().is_some_and(Machine::in_string);
        let is_white = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.status.white_run = if is_white && !in_string { self.status.white_run.saturating_add(1) } else { 0 };
        if self.status.complete.is_some() && !self.status.led_by_prose {
            return;
        }
        match self.lead.take(byte, self.machine.is_some()) {
            Led::Restart => return self.restart(),
            Led::Passed => return,
            Led::Root => self.begin(),
            Led::Inside => {}
        }
        self.advance(byte);
    }

    /// A root value begins with the byte that is being read.
    fn begin(&mut self) {
        self.document.clear();
        self.before = self.fed;
        self.machine = Some(Machine::default());
        self.status.began = true;
        self.status.led_by_prose = self.lead.is_prose();
    }

    /// Reasoning ended here: what looked like a root value before was part of it.
    fn restart(&mut self) {
        self.document.clear();
        self.machine = None;
        self.status.began = false;
        self.status.damaged = false;
        self.status.led_by_prose = false;
        self.status.complete = None;
    }

    fn advance(&mut self, byte: u8) {
        let Some(machine) = &mut self.machine else { return };
        let length = self.document.len();
        match machine.take(byte, length) {
            Took::Goes => self.document.push(byte),
            Took::Ends { with_this } => {
                if with_this {
                    self.document.push(byte);
                }
                self.status.complete = Some(self.before + self.document.len());
                self.lead.leave_root();
            }
            Took::Breaks if self.lead.is_prose() => {
                // A brace in prose was no document.
                self.machine = None;
                self.status.began = false;
                self.lead.leave_root();
            }
            Took::Breaks => {
                self.status.damaged = true;
                self.document.push(byte);
            }
        }
        let depth = self.machine.as_ref().map_or(0, Machine::depth);
        self.status.too_deep = depth > self.max_depth;
    }
}
