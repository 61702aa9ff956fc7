//! `double_encoded`: a document that is written as if it stood in a string, `{\"a\": 1}`.

/// A text with one level of escapes taken away, and the way back from its offsets.
#[derive(Debug)]
pub(crate) struct Unescaped {
    pub(crate) text: String,
    start: usize,
    source: String,
}

impl Unescaped {
    /// Unescapes the text from `start` on; `None` where it holds what no string of JSON can hold escaped, or ends within an
    /// escape.
    pub(crate) fn new(text: &str, start: usize) -> Option<Self> {
        let source = text.get(start..)?;
        let mut out = String::with_capacity(source.len());
        let mut rest = source;
        while let Some(at) = rest.find('\\') {
            out.push_str(rest.get(..at)?);
            let (c, length) = escape(rest.get(at + 1..)?)?;
            out.push(c);
            rest = rest.get(at + 1 + length..)?;
        }
        out.push_str(rest);
        Some(Self { text: out, start, source: source.to_owned() })
    }

    /// Makes offsets into the text that was unescaped of offsets into this one. One pass, however many they are.
    pub(crate) fn move_back<'o>(&self, offsets: impl Iterator<Item = &'o mut usize>) {
        let mut offsets: Vec<&mut usize> = offsets.collect();
        offsets.sort_unstable();
        let (mut from, mut to) = (0, 0);
        for offset in offsets {
            while to < *offset
                && let Some((written, length)) = self.source.get(from..).and_then(piece)
            {
                from += length;
                to += written.len_utf8();
            }
            *offset = self.start + from;
        }
    }
}

/// The first character of a text, escaped or not, and how long it is there.
fn piece(text: &str) -> Option<(char, usize)> {
    let c = text.chars().next()?;
    let escaped = text.strip_prefix('\\').and_then(escape);
    Some(escaped.map_or((c, c.len_utf8()), |(written, length)| (written, length + 1)))
}

/// What the escape behind a backslash stands for, and how long it is.
fn escape(tail: &str) -> Option<(char, usize)> {
    let c = tail.chars().next()?;
    Some((
        match c {
            '"' | '\\' | '/' | '\'' => c,
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => return unit(tail.get(1..5)?),
            _ => return None,
        },
        c.len_utf8(),
    ))
}

/// A character by its code; halves of surrogate pairs are none.
fn unit(digits: &str) -> Option<(char, usize)> {
    let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    Some((char::from_u32(code)?, 5))
}
