//! Reads examples as prompts write them: JSON with comments, placeholders, types in place of values, and ends missing.

use super::text::is_name;

/// Examples that nest deeper are no examples, and each key remembers the keys around it.
const DEEPEST: usize = 64;

/// An outermost object of a text.
pub(super) struct Example<'a> {
    /// Where it begins, in bytes.
    pub(super) offset: usize,
    /// From its opening brace to the closing one, or to where it cannot be an example any more.
    pub(super) text: &'a str,
    /// Its keys, in the order of the text; never empty.
    pub(super) keys: Vec<Key<'a>>,
}

/// A key of an example.
pub(super) struct Key<'a> {
    pub(super) name: &'a str,
    pub(super) offset: usize,
    /// The keys of the objects around it, outermost first.
    pub(super) path: Vec<&'a str>,
    pub(super) quoted: bool,
    /// What follows its colon, up to the end of the text.
    pub(super) rest: &'a str,
}

/// The outermost objects of the text that have keys.
pub(super) fn examples(text: &str) -> Vec<Example<'_>> {
    let mut examples = Vec::new();
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('{')) {
        let offset = at + found;
        let mut scan = Scan { text, at: offset, stack: Vec::new(), keys: Vec::new() };
        scan.run();
        at = scan.at.max(offset + 1);
        if !scan.keys.is_empty() {
            examples.push(Example { offset, text: text.get(offset..at).unwrap_or_default(), keys: scan.keys });
        }
    }
    examples
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    stack: Vec<Frame<'a>>,
    keys: Vec<Key<'a>>,
}

/// An open bracket. It remembers the key it is the value of; what an array holds has the key of the array.
enum Frame<'a> {
    Object(Option<&'a str>),
    Array(Option<&'a str>),
}

impl<'a> Scan<'a> {
    /// Reads from an opening brace to its closing one, or to where the text cannot be an example any more.
    fn run(&mut self) {
        let mut pending = None;
        while let Some(c) = self.rest().chars().next() {
            let from = self.at;
            self.at += c.len_utf8();
            match c {
                '{' | '[' if self.stack.len() == DEEPEST => return,
                '{' => self.stack.push(Frame::Object(pending.take().or(self.array_key()))),
                '[' => self.stack.push(Frame::Array(pending.take().or(self.array_key()))),
                '}' | ']' => {
                    self.stack.pop();
                    pending = None;
                }
                ',' if matches!(self.stack.last(), Some(Frame::Object(_))) => pending = None,
                '"' => {
                    let name = self.string();
                    pending = self.key(name, from, true).or(pending);
                }
                '/' if self.rest().starts_with('/') && !self.text.get(..from).is_some_and(|b| b.ends_with(':')) => {
                    self.skip_until('\n');
                }
                // The span of backticks that the example stood in is over.
                '`' => return,
                '\n' if self.rest().trim_start_matches([' ', '\t', '\r']).starts_with('\n') => return,
                c if c.is_ascii_alphabetic() || c == '_' => {
                    let name = self.word(from);
                    // Quotes of other kinds: `'name'`, `“name”`.
                    let before = self.text.get(..from).and_then(|before| before.chars().next_back());
                    let closing = match before {
                        Some('\'') => "'",
                        Some('“') => "”",
                        _ => "",
                    };
                    let quoted = !closing.is_empty() && self.rest().starts_with(closing);
                    self.at += if quoted { closing.len() } else { 0 };
                    pending = self.key(name, from, quoted).or(pending);
                }
                _ => {}
            }
            if self.stack.is_empty() {
                return;
            }
        }
    }

    /// The key of the array that is being read.
    fn array_key(&self) -> Option<&'a str> {
        match self.stack.last() {
            Some(Frame::Array(key)) => *key,
            Some(Frame::Object(_)) | None => None,
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Notes `name` as a key if a colon follows it, directly inside an object.
    fn key(&mut self, name: &'a str, offset: usize, quoted: bool) -> Option<&'a str> {
        let after = self.rest().trim_start_matches([' ', '\t']);
        let after = after.strip_prefix('?').unwrap_or(after);
        let is_key = after.starts_with(':') && !after.starts_with("::") && (quoted || is_name(name));
        if !is_key || !matches!(self.stack.last(), Some(Frame::Object(_))) {
            return None;
        }
        let path = self.stack.iter().filter_map(|frame| match frame {
            Frame::Object(parent) => *parent,
            Frame::Array(_) => None,
        });
        let rest = after.strip_prefix(':').unwrap_or(after);
        self.keys.push(Key { name, offset, path: path.collect(), quoted, rest });
        Some(name)
    }

    /// What stands before the closing quote, or before the line's end where there is none.
    fn string(&mut self) -> &'a str {
        let from = self.at;
        let mut escaped = false;
        for (i, c) in self.rest().char_indices() {
            match c {
                '"' | '\n' if !escaped || c == '\n' => {
                    self.at = from + i + usize::from(c == '"');
                    return self.text.get(from..from + i).unwrap_or_default();
                }
                c => escaped = c == '\\' && !escaped,
            }
        }
        self.at = self.text.len();
        self.text.get(from..).unwrap_or_default()
    }

    fn word(&mut self, from: usize) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        self.text.get(from..self.at).unwrap_or_default()
    }

    fn skip_until(&mut self, end: char) {
        self.at += self.rest().find(end).unwrap_or(self.rest().len());
    }
}
