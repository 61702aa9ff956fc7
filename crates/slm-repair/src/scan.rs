//! A tolerant tokenizer: it reads what models write where JSON was meant, and never fails.
//!
//! Tokens cover the text without gaps, by byte offset. The scanner only moves forward; where it looks ahead it looks over
//! one run of white space, so a whole text costs time linear in its length.

use std::ops::Range;

/// One of the two kinds of container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bracket {
    Object,
    Array,
}

impl Bracket {
    pub(crate) fn closer(self) -> &'static str {
        match self {
            Self::Object => "}",
            Self::Array => "]",
        }
    }
}

/// The marks a string stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    /// `"`: the only one JSON knows.
    Double,
    /// `'`.
    Single,
    /// Typographic, double: `“…”`, `„…“`, `＂…＂`.
    SmartDouble,
    /// Typographic, single: `‘…’`, `‚…‘`.
    SmartSingle,
}

impl Quote {
    /// The quotes that may open a string.
    fn opened_by(c: char) -> Option<Self> {
        match c {
            '"' => Some(Self::Double),
            '\'' => Some(Self::Single),
            '“' | '”' | '„' | '‟' | '＂' => Some(Self::SmartDouble),
            '‘' | '’' | '‚' | '‛' => Some(Self::SmartSingle),
            _ => None,
        }
    }

    /// Where the next such mark or backslash stands.
    fn next_in(self, text: &str) -> Option<usize> {
        match self {
            // Bytes are faster than characters, and these marks are of one byte.
            Self::Double => text.bytes().position(|b| matches!(b, b'"' | b'\\')),
            Self::Single => text.bytes().position(|b| matches!(b, b'\'' | b'\\')),
            Self::SmartDouble | Self::SmartSingle => text.find(|c| c == '\\' || self.is(c)),
        }
    }

    /// The mark itself, within a string that it opened.
    pub(crate) fn is(self, c: char) -> bool {
        Self::opened_by(c) == Some(self)
    }
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Open(Bracket),
    Close(Bracket),
    Comma,
    Colon,
    /// A string with its marks. `ragged`: marks of the same kind stand inside it.
    String {
        quote: Quote,
        closed: bool,
        ragged: bool,
    },
    /// Anything without marks around it: numbers, literals, words, stray punctuation.
    Bare,
    /// White space that JSON allows.
    Space,
    /// White space and control characters that JSON forbids between tokens.
    OddSpace,
    /// `/* … */` or `// …`.
    Comment {
        closed: bool,
    },
    /// Three backticks or more.
    Fence,
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    pub(crate) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    pub(crate) fn text(self, source: &str) -> &str {
        source.get(self.range()).unwrap_or_default()
    }
}

/// Reads a text token by token.
#[derive(Debug, Clone)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn starting_at(text: &'a str, position: usize) -> Self {
        Self { text, position }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.position += c.len_utf8();
        Some(c)
    }

    fn skip_while(&mut self, mut accept: impl FnMut(char) -> bool) {
        while self.peek().is_some_and(&mut accept) {
            self.bump();
        }
    }

    fn skip_past(&mut self, end: &str) -> bool {
        let found = self.rest().find(end);
        self.position = found.map_or(self.text.len(), |at| self.position + at + end.len());
        found.is_some()
    }

    /// Does the slash just read stand in an address, as in `https://…`?
    fn in_address(&self) -> bool {
        let before = self.text.get(..self.position - 1).unwrap_or_default();
        before.strip_suffix(':').is_some_and(|scheme| scheme.ends_with(|c: char| c.is_ascii_alphabetic()))
    }

    fn kind_after(&mut self, first: char) -> Kind {
        if let Some(quote) = Quote::opened_by(first) {
            return self.string(quote);
        }
        match first {
            '{' => Kind::Open(Bracket::Object),
            '[' => Kind::Open(Bracket::Array),
            '}' => Kind::Close(Bracket::Object),
            ']' => Kind::Close(Bracket::Array),
            ',' => Kind::Comma,
            ':' => Kind::Colon,
            '/' if self.peek() == Some('*') => {
                self.bump();
                Kind::Comment { closed: self.skip_past("*/") }
            }
            '/' if self.peek() == Some('/') && !self.in_address() => {
                self.skip_while(|c| c != '\n');
                Kind::Comment { closed: self.peek().is_some() }
            }
            '`' if self.rest().starts_with("``") => {
                self.skip_while(|c| c == '`');
                Kind::Fence
            }
            c if is_space(c) => {
                self.skip_while(is_space);
                Kind::Space
            }
            c if is_odd_space(c) => {
                self.skip_while(is_odd_space);
                Kind::OddSpace
            }
            _ => {
                self.bare();
                Kind::Bare
            }
        }
    }

    /// Runs to the end of a bare word. An apostrophe, a slash or a backtick inside it does not end it.
    fn bare(&mut self) {
        while let Some(c) = self.peek() {
            if c.is_ascii_alphanumeric() {
                self.position += 1;
                continue;
            }
            let ends = matches!(c, '{' | '}' | '[' | ']' | ',' | ':' | '"' | '“' | '”' | '„' | '＂')
                || is_space(c)
                || is_odd_space(c)
                || (c == '/' && matches!(self.rest().as_bytes().get(1), Some(b'/' | b'*')))
                || self.rest().starts_with("```");
            if ends {
                break;
            }
            self.bump();
        }
    }

    /// Runs to the end of a string whose opening mark was just read.
    fn string(&mut self, quote: Quote) -> Kind {
        let mut ragged = false;
        while let Some(at) = quote.next_in(self.rest()) {
            self.position += at;
            if self.bump() == Some('\\') {
                self.bump();
            } else if self.mark_closes(quote, ragged) {
                return Kind::String { quote, closed: true, ragged };
            } else {
                ragged = true;
            }
        }
        self.position = self.text.len();
        Kind::String { quote, closed: false, ragged }
    }

    /// Does the mark just read close its string? It does where the document can go on behind it, or where a comma was
    /// forgotten; it does not where text goes on behind it on the same line.
    fn mark_closes(&self, quote: Quote, ragged: bool) -> bool {
        let rest = self.rest();
        if rest.starts_with([',', ':', '}', ']']) {
            return true;
        }
        let behind = rest.trim_start_matches(|c| is_space(c) || is_odd_space(c));
        let gap = rest.get(..rest.len() - behind.len()).unwrap_or_default();
        let Some(next) = behind.chars().next() else { return true };
        if quote.is(next) && gap.is_empty() && ragged {
            // `"find -name "*.rs""`: the last of the two marks is the one that closes.
            return false;
        }
        gap.contains('\n')
            || matches!(next, ',' | ':' | '}' | ']' | '{' | '[' | '/' | '`' | '+' | '-' | '#' | '"' | '\'' | '=' | ';')
            || next.is_ascii_digit()
            || begins_with_literal(behind)
    }
}

impl Iterator for Scanner<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.position;
        let first = self.bump()?;
        let kind = self.kind_after(first);
        Some(Token { kind, start, end: self.position })
    }
}

/// A literal, and nothing more, before the next comma or closer.
fn begins_with_literal(text: &str) -> bool {
    let word = text.get(..text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len())).unwrap_or_default();
    let behind = text.get(word.len()..).unwrap_or_default().trim_start_matches(is_space);
    literal(word).is_some() && behind.starts_with([',', '}', ']'])
}

/// White space between tokens, by RFC 8259.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// What looks like nothing, but is not white space to JSON: byte order marks, no-break spaces, control characters.
pub(crate) fn is_odd_space(c: char) -> bool {
    !is_space(c)
        && (c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{180e}' | '\u{200b}' | '\u{2060}'))
}

/// Is this a number as JSON writes it?
pub(crate) fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

/// The JSON literal that a bare word stands for, in whatever language it was written.
pub(crate) fn literal(word: &str) -> Option<&'static str> {
    const SPELLINGS: [(&str, &[&str]); 3] = [
        ("true", &["true", "True", "TRUE"]),
        ("false", &["false", "False", "FALSE"]),
        ("null", &["null", "Null", "NULL", "None", "undefined"]),
    ];
    SPELLINGS.iter().find(|(_, spellings)| spellings.contains(&word)).map(|(json, _)| *json)
}

/// Could more letters have made this word a literal?
pub(crate) fn begins_literal(word: &str) -> bool {
    ["true", "false", "null", "True", "False", "None", "TRUE", "FALSE", "NULL", "NaN", "Infinity", "undefined"]
        .iter()
        .any(|literal| literal.starts_with(word))
}
