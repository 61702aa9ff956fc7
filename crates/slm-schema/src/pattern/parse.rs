//! Regular expressions of JSON Schema (ECMA-262) that are regular and can be written by a grammar.
//!
//! What is not (look-around, back references, word boundaries, anchors in the middle) is refused with a reason; the
//! validator holds it then.

use super::Regex;

/// Nested deeper than any pattern that a person wrote.
const DEEPEST: usize = 64;
/// Larger counts are no use in a pattern, nor are counts of counts that come to more, and would make a large grammar.
const LARGEST_COUNT: usize = 100_000;

/// Reads an expression. Where it is not anchored, anything may stand before or behind a match, as the draft has it.
pub(crate) fn parse(source: &str) -> Result<Regex, &'static str> {
    let mut parser = Parser { chars: source.chars().collect(), at: 0, depth: 0 };
    let regex = parser.alternatives(true)?;
    if parser.at < parser.chars.len() {
        return Err("a closing parenthesis too many");
    }
    if regex.written_out() > LARGEST_COUNT {
        return Err("counts that come to more than can be checked");
    }
    Ok(regex)
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    /// `a|b|c`; at the top each alternative has anchors of its own.
    fn alternatives(&mut self, top: bool) -> Result<Regex, &'static str> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("nested too deeply");
        }
        let mut options = vec![self.sequence(top)?];
        while self.eat('|') {
            options.push(self.sequence(top)?);
        }
        self.depth -= 1;
        Ok(match options.pop() {
            Some(only) if options.is_empty() => only,
            last => {
                options.extend(last);
                Regex::Choice(options)
            }
        })
    }

    fn sequence(&mut self, top: bool) -> Result<Regex, &'static str> {
        let mut parts = Vec::new();
        let anchored = top && self.eat('^');
        if top && !anchored {
            parts.push(Regex::anything());
        }
        let mut ended = false;
        while let Some(c) = self.peek() {
            match c {
                '|' | ')' => break,
                '$' if top && matches!(self.chars.get(self.at + 1), None | Some('|')) => {
                    self.at += 1;
                    ended = true;
                }
                '^' | '$' => return Err("an anchor that is not at an end"),
                _ => parts.push(self.repeated()?),
            }
        }
        if top && !ended {
            parts.push(Regex::anything());
        }
        Ok(Regex::Sequence(parts))
    }

    fn repeated(&mut self) -> Result<Regex, &'static str> {
        let unit = self.atom()?;
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') if self.counts_follow() => {
                let counts = self.counts()?;
                // A lazy mark changes which match is found, not which texts match.
                self.eat('?');
                return Ok(Regex::Repeat(Box::new(unit), counts.0, counts.1));
            }
            _ => return Ok(unit),
        };
        self.at += 1;
        self.eat('?');
        if matches!(self.peek(), Some('*' | '+')) {
            return Err("a repetition of a repetition");
        }
        Ok(Regex::Repeat(Box::new(unit), min, max))
    }

    fn counts_follow(&self) -> bool {
        self.chars.get(self.at + 1).is_some_and(char::is_ascii_digit)
    }

    fn counts(&mut self) -> Result<(usize, Option<usize>), &'static str> {
        self.at += 1;
        let min = self.number()?;
        let max =
            if self.eat(',') { if self.peek() == Some('}') { None } else { Some(self.number()?) } } else { Some(min) };
        if !self.eat('}') {
            return Err("a count that does not close");
        }
        if max.is_some_and(|max| max < min) {
            return Err("a count whose maximum is below its minimum");
        }
        Ok((min, max))
    }

    fn number(&mut self) -> Result<usize, &'static str> {
        let mut number = 0_usize;
        let mut digits = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(digit as usize);
            digits += 1;
            self.at += 1;
        }
        if digits == 0 || number > LARGEST_COUNT {
            return Err("a count that is too large, or none");
        }
        Ok(number)
    }

    fn atom(&mut self) -> Result<Regex, &'static str> {
        match self.bump() {
            Some('(') => self.group(),
            Some('[') => self.class(),
            Some('.') => Ok(Regex::Class(complement(&LINE_ENDS))),
            Some('\\') => self.escape().map(|ranges| Regex::Class(normal(ranges))),
            Some('*' | '+' | '?') => Err("a repetition of nothing"),
            Some(c) => Ok(Regex::Class(vec![(c, c)])),
            None => Err("the expression ends too early"),
        }
    }

    fn group(&mut self) -> Result<Regex, &'static str> {
        if self.eat('?') {
            match self.bump() {
                Some(':') => {}
                Some('<') if !matches!(self.peek(), Some('=' | '!')) => {
                    while self.bump().ok_or("a group name that does not close")? != '>' {}
                }
                _ => return Err("look-around, or a flag"),
            }
        }
        let inner = self.alternatives(false)?;
        if self.eat(')') { Ok(inner) } else { Err("a parenthesis that does not close") }
    }

    /// What an escape stands for, outside a class or in it.
    fn escape(&mut self) -> Result<Vec<(char, char)>, &'static str> {
        let c = self.bump().ok_or("a backslash at the end")?;
        Ok(match c {
            'd' => DIGITS.to_vec(),
            'D' => complement(&DIGITS),
            'w' => WORD.to_vec(),
            'W' => complement(&WORD),
            's' => SPACE.to_vec(),
            'S' => complement(&SPACE),
            't' => one('\t'),
            'n' => one('\n'),
            'r' => one('\r'),
            'f' => one('\u{c}'),
            'v' => one('\u{b}'),
            '0' => one('\0'),
            'x' => one(self.hex(2)?),
            'u' if self.eat('{') => {
                let start = self.at;
                while self.bump().ok_or("an escape that does not close")? != '}' {}
                let digits: String = self.chars.get(start..self.at - 1).unwrap_or_default().iter().collect();
                one(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).ok_or("no such character")?)
            }
            'u' => one(self.hex(4)?),
            'b' | 'B' => return Err("a word boundary"),
            'p' | 'P' => return Err("a Unicode property"),
            'k' | '1'..='9' => return Err("a back reference"),
            'c' => return Err("a control escape"),
            c if c.is_alphabetic() => return Err("an unknown escape"),
            c => one(c),
        })
    }

    fn hex(&mut self, digits: usize) -> Result<char, &'static str> {
        let text: String = self.chars.get(self.at..self.at + digits).ok_or("an escape that is cut")?.iter().collect();
        self.at += digits;
        u32::from_str_radix(&text, 16).ok().and_then(char::from_u32).ok_or("no such character")
    }

    fn class(&mut self) -> Result<Regex, &'static str> {
        let negated = self.eat('^');
        let mut ranges = Vec::new();
        loop {
            let first = match self.bump().ok_or("a class that does not close")? {
                ']' => break,
                '\\' if self.eat('b') => one('\u{8}'),
                '\\' if self.eat('-') => one('-'),
                '\\' => self.escape()?,
                c => one(c),
            };
            let is_range = self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|next| *next != ']');
            match first.as_slice() {
                [(from, to)] if is_range && from == to => {
                    self.at += 1;
                    let last = match self.bump().ok_or("a class that does not close")? {
                        '\\' => self.escape()?,
                        c => one(c),
                    };
                    match last.as_slice() {
                        [(end, same)] if end == same && from <= end => ranges.push((*from, *end)),
                        _ => return Err("a range that runs backwards"),
                    }
                }
                _ => ranges.extend(first),
            }
        }
        let ranges = if negated { complement(&ranges) } else { normal(ranges) };
        if ranges.is_empty() { Err("a class that no character is in") } else { Ok(Regex::Class(ranges)) }
    }
}

const DIGITS: [(char, char); 1] = [('0', '9')];
const WORD: [(char, char); 4] = [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
const LINE_ENDS: [(char, char); 3] = [('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];
/// White space and line ends by ECMA-262.
const SPACE: [(char, char); 9] = [
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];

fn one(c: char) -> Vec<(char, char)> {
    vec![(c, c)]
}

/// The character before, and the one behind, over the gap of the surrogates.
fn before(c: char) -> Option<char> {
    (u32::from(c)).checked_sub(1).map(|code| char::from_u32(code).unwrap_or('\u{d7ff}'))
}

fn after(c: char) -> Option<char> {
    if c == char::MAX { None } else { Some(char::from_u32(u32::from(c) + 1).unwrap_or('\u{e000}')) }
}

/// Sorted, with what touches joined.
pub(super) fn normal(mut ranges: Vec<(char, char)>) -> Vec<(char, char)> {
    ranges.sort_unstable();
    let mut joined: Vec<(char, char)> = Vec::with_capacity(ranges.len());
    for (from, to) in ranges {
        match joined.last_mut() {
            Some((_, end)) if from <= after(*end).unwrap_or(char::MAX) => *end = to.max(*end),
            _ => joined.push((from, to)),
        }
    }
    joined
}

fn complement(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut rest = Vec::new();
    let mut start = Some('\0');
    for (from, to) in normal(ranges.to_vec()) {
        if let (Some(begin), Some(end)) = (start, before(from))
            && begin <= end
        {
            rest.push((begin, end));
        }
        start = after(to);
    }
    rest.extend(start.map(|begin| (begin, char::MAX)));
    rest
}
