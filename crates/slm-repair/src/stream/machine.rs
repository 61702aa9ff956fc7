//! A pushdown automaton over the bytes of one JSON value, by RFC 8259 but for raw control characters in strings.

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Value,
    /// An item, or the end of the array just opened.
    FirstItem,
    /// A key, or the end of the object just opened.
    FirstKey,
    Key,
    Colon,
    /// A comma or a closer.
    Next,
    String,
    Escape,
    /// Hexadecimal digits of an escape that are still to come.
    Unicode(u8),
    Number,
    /// Letters of `true`, `false` or `null` that are still to come.
    Literal(&'static [u8]),
    Damaged {
        in_string: bool,
        escaped: bool,
    },
    Done,
}

/// What became of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Took {
    /// The value goes on.
    Goes,
    /// The value is complete, with or without this byte.
    Ends { with_this: bool },
    /// The value is no JSON.
    Breaks,
}

#[derive(Debug, Default)]
pub(super) struct Machine {
    state: State,
    /// The closers of the open containers, outermost first.
    closers: Vec<u8>,
    /// The string being read is a key.
    in_key: bool,
    /// Up to here the document is JSON once the open containers are closed.
    safe: usize,
    /// In a string value: up to here it is JSON once the string and the open containers are closed.
    string_safe: Option<usize>,
    /// Digits of the `\u` escape being read.
    unit: u32,
    /// The last unit was the first half of a surrogate pair.
    half_pair: bool,
}

impl Machine {
    pub(super) fn depth(&self) -> usize {
        self.closers.len()
    }

    pub(super) fn in_string(&self) -> bool {
        matches!(self.state, State::String | State::Escape | State::Unicode(_) | State::Damaged { in_string: true, .. })
    }

    /// What has arrived, closed where it is open; `None` where nothing can be shown yet.
    pub(super) fn closed_text(&self, document: &[u8]) -> Option<String> {
        let (end, quote) = self.string_safe.map_or((self.safe, ""), |end| (end, "\""));
        let bytes = document.get(..end).filter(|bytes| !bytes.is_empty())?;
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            // A character whose last bytes have not arrived.
            Err(error) => std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?,
        };
        let closers = self.closers.iter().rev().map(|closer| char::from(*closer));
        Some(text.chars().chain(quote.chars()).chain(closers).collect())
    }

    /// Reads the byte at offset `at` of the document.
    pub(super) fn take(&mut self, byte: u8, at: usize) -> Took {
        match self.state {
            State::String => self.string(byte, at),
            State::Escape => self.escape(byte, at),
            State::Unicode(left) => self.unicode(byte, left, at),
            State::Literal(letters) => self.literal(byte, letters, at),
            State::Number => self.number(byte, at),
            State::Damaged { in_string, escaped } => {
                let escapes = in_string && !escaped && byte == b'\\';
                let in_string = in_string ^ (byte == b'"' && !escaped);
                self.state = State::Damaged { in_string, escaped: escapes };
                Took::Goes
            }
            State::Done => Took::Ends { with_this: false },
            State::Value | State::FirstItem | State::FirstKey | State::Key | State::Colon | State::Next => {
                if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') { Took::Goes } else { self.token(byte, at) }
            }
        }
    }

    fn token(&mut self, byte: u8, at: usize) -> Took {
        match (self.state, byte) {
            (State::Value | State::FirstItem, b'{') => self.open(b'}', State::FirstKey, at),
            (State::Value | State::FirstItem, b'[') => self.open(b']', State::FirstItem, at),
            (State::Value | State::FirstItem, b'"') => {
                self.in_key = false;
                self.string_safe = Some(at + 1);
                self.go(State::String)
            }
            (State::Value | State::FirstItem, b'-' | b'0'..=b'9') => self.go(State::Number),
            (State::Value | State::FirstItem, b't') => self.go(State::Literal(b"rue")),
            (State::Value | State::FirstItem, b'f') => self.go(State::Literal(b"alse")),
            (State::Value | State::FirstItem, b'n') => self.go(State::Literal(b"ull")),
            (State::FirstKey | State::Key, b'"') => {
                self.in_key = true;
                self.go(State::String)
            }
            (State::Colon, b':') => self.go(State::Value),
            (State::Next, b',') => {
                let next = if self.closers.last() == Some(&b'}') { State::Key } else { State::Value };
                self.go(next)
            }
            (State::Next | State::FirstItem, b']') | (State::Next | State::FirstKey, b'}')
                if self.closers.last() == Some(&byte) =>
            {
                self.closers.pop();
                self.end_value(at + 1)
            }
            _ => self.damage(byte),
        }
    }

    fn go(&mut self, state: State) -> Took {
        self.state = state;
        Took::Goes
    }

    fn damage(&mut self, byte: u8) -> Took {
        self.state = State::Damaged { in_string: byte == b'"', escaped: false };
        self.string_safe = None;
        Took::Breaks
    }

    fn open(&mut self, closer: u8, state: State, at: usize) -> Took {
        self.closers.push(closer);
        self.safe = at + 1;
        self.go(state)
    }

    /// A value ends before `end`.
    fn end_value(&mut self, end: usize) -> Took {
        self.safe = end;
        self.string_safe = None;
        if self.closers.is_empty() {
            self.state = State::Done;
            return Took::Ends { with_this: true };
        }
        self.go(State::Next)
    }

    fn string(&mut self, byte: u8, at: usize) -> Took {
        match byte {
            b'"' if self.in_key => self.go(State::Colon),
            b'"' => self.end_value(at + 1),
            b'\\' => self.go(State::Escape),
            _ => {
                self.advance_string(at + 1);
                Took::Goes
            }
        }
    }

    fn advance_string(&mut self, end: usize) {
        self.half_pair = false;
        if let Some(safe) = &mut self.string_safe {
            *safe = end;
        }
    }

    fn escape(&mut self, byte: u8, at: usize) -> Took {
        match byte {
            b'u' => {
                self.unit = 0;
                self.go(State::Unicode(4))
            }
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
                self.advance_string(at + 1);
                self.go(State::String)
            }
            _ => self.damage(byte),
        }
    }

    fn unicode(&mut self, byte: u8, left: u8, at: usize) -> Took {
        let Some(digit) = char::from(byte).to_digit(16) else { return self.damage(byte) };
        self.unit = self.unit * 16 + digit;
        if left > 1 {
            return self.go(State::Unicode(left - 1));
        }
        if (0xd800..0xdc00).contains(&self.unit) && !self.half_pair {
            self.half_pair = true;
        } else {
            self.advance_string(at + 1);
        }
        self.go(State::String)
    }

    fn literal(&mut self, byte: u8, letters: &'static [u8], at: usize) -> Took {
        match letters.split_first() {
            Some((letter, [])) if *letter == byte => self.end_value(at + 1),
            Some((letter, rest)) if *letter == byte => self.go(State::Literal(rest)),
            _ => self.damage(byte),
        }
    }

    /// The spelling of a number is left to the parser; here only its end matters.
    fn number(&mut self, byte: u8, at: usize) -> Took {
        if matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') {
            return Took::Goes;
        }
        if self.closers.is_empty() {
            // At the root only white space tells that the number is over.
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return self.damage(byte);
            }
            self.safe = at;
            self.state = State::Done;
            return Took::Ends { with_this: false };
        }
        self.end_value(at);
        self.take(byte, at)
    }
}
