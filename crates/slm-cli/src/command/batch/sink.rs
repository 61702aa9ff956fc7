//! OUT: a line at a time, in the order of IN or as they come.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};

use crate::output::{Exit, Failure};

/// Lines that wait for an earlier one, at most: a slow call holds up this many others before no more are started.
const MOST_HELD: u64 = 256;

/// Where lines go.
#[derive(Debug)]
pub(super) enum Out {
    Stdout,
    File { file: File, name: String },
}

#[derive(Debug)]
pub(super) struct Sink {
    out: Out,
    in_order: bool,
    /// Finished, and waiting for an earlier one.
    held: BTreeMap<u64, String>,
    /// The place of the next line to write, in order.
    next: u64,
    /// Started, and not yet written.
    expected: u64,
}

impl Sink {
    /// `done` lines stand there already.
    pub(super) fn new(out: Out, in_order: bool, done: u64) -> Self {
        Self { out, in_order, held: BTreeMap::new(), next: done, expected: 0 }
    }

    /// May another call be started?
    pub(super) fn has_room(&self) -> bool {
        self.expected < MOST_HELD
    }

    /// Another call is started.
    pub(super) fn expect_one(&mut self) {
        self.expected += 1;
    }

    /// Takes the line of a place, and writes what can be written.
    pub(super) fn write(&mut self, place: u64, line: String) -> Result<(), Failure> {
        if !self.in_order {
            return self.put(line);
        }
        self.held.insert(place, line);
        while let Some(line) = self.held.remove(&self.next) {
            self.next += 1;
            self.put(line)?;
        }
        Ok(())
    }

    /// In one piece, so that a kill leaves at most one line cut.
    fn put(&mut self, mut line: String) -> Result<(), Failure> {
        self.expected = self.expected.saturating_sub(1);
        line.push('\n');
        let failed = |name: &str, error: &io::Error| Failure::new(Exit::Failed, "output", format!("{name}: {error}"));
        match &mut self.out {
            Out::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(line.as_bytes())
                    .and_then(|()| out.flush())
                    .map_err(|error| failed("standard output", &error))
            }
            Out::File { file, name } => file.write_all(line.as_bytes()).map_err(|error| failed(name, &error)),
        }
    }
}
