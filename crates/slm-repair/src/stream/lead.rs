//! What stands before a root value: white space, a fence's opening line, reasoning, prose.

use crate::reasoning::MARKS;

const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];
/// Longer than any tag of interest.
const TAIL: usize = 16;

/// Where the reader of the lead stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    /// Nothing but white space so far, or what is as good as that.
    #[default]
    Blank,
    /// Within what may become a tag of reasoning.
    Tag,
    /// Within a run of backticks or the rest of its line.
    Fence,
    /// Within a block of reasoning.
    Reasoning,
    /// Words.
    Prose,
    /// Within a root value.
    Root,
}

/// What a byte is to the lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Led {
    /// Part of the lead.
    Passed,
    /// The first of a root value.
    Root,
    /// Part of the root value.
    Inside,
    /// The last of a block of reasoning whose beginning was not seen.
    Restart,
}

/// Reads the lead of a root value.
#[derive(Debug, Default)]
pub(super) struct Lead {
    place: Place,
    prose: bool,
    /// The last bytes, for the tags.
    tail: Vec<u8>,
}

impl Lead {
    /// Do words stand before the root?
    pub(super) fn is_prose(&self) -> bool {
        self.prose
    }

    /// The root ended, or was none.
    pub(super) fn leave_root(&mut self) {
        self.place = Place::Prose;
    }

    pub(super) fn take(&mut self, byte: u8, in_root: bool) -> Led {
        self.remember(byte);
        let closed_reasoning = byte == b'>' && MARKS.iter().any(|(_, closer)| self.tail.ends_with(closer.as_bytes()));
        // A document that nothing but white space precedes may hold the tag in a string.
        if closed_reasoning && (self.place == Place::Reasoning || self.prose) {
            self.place = Place::Blank;
            self.prose = false;
            return Led::Restart;
        }
        match self.place {
            Place::Root if in_root => Led::Inside,
            Place::Root | Place::Prose => self.in_words(byte),
            Place::Reasoning => Led::Passed,
            Place::Blank => self.in_blank(byte),
            Place::Tag => self.in_tag(byte),
            Place::Fence => {
                if byte == b'\n' {
                    self.place = Place::Blank;
                    return Led::Passed;
                }
                // "```{": a fence without a line of its own.
                if matches!(byte, b'{' | b'[') { self.root() } else { Led::Passed }
            }
        }
    }

    fn remember(&mut self, byte: u8) {
        if byte == b'<' {
            self.tail.clear();
        }
        if self.tail.len() < TAIL {
            self.tail.push(byte);
        }
    }

    fn root(&mut self) -> Led {
        self.place = Place::Root;
        Led::Root
    }

    fn in_words(&mut self, byte: u8) -> Led {
        self.prose = true;
        self.place = Place::Prose;
        if matches!(byte, b'{' | b'[') { self.root() } else { Led::Passed }
    }

    fn in_blank(&mut self, byte: u8) -> Led {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => Led::Passed,
            _ if BYTE_ORDER_MARK.contains(&byte) => Led::Passed,
            b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' => self.root(),
            b'<' => {
                self.place = Place::Tag;
                Led::Passed
            }
            b'`' => {
                self.place = Place::Fence;
                Led::Passed
            }
            _ => self.in_words(byte),
        }
    }

    fn in_tag(&mut self, byte: u8) -> Led {
        let mut openers =
            MARKS.iter().map(|(opener, _)| opener.as_bytes()).filter(|opener| opener.starts_with(&self.tail));
        match openers.next() {
            Some(opener) if opener.len() == self.tail.len() => {
                self.place = Place::Reasoning;
                Led::Passed
            }
            Some(_) => Led::Passed,
            None => self.in_words(byte),
        }
    }
}
