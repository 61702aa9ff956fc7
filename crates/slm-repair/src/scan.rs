//! What characters and words are, and looking ahead over what is nothing: no state, every function linear in what it passes.

/// White space between tokens, by RFC 8259.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// What looks like nothing, but is not white space to JSON: byte order marks, no-break spaces, control characters.
pub(crate) fn is_odd_space(c: char) -> bool {
    !matches!(c, ' ' | '\t' | '\n' | '\r')
        && (c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{feff}' | '\u{180e}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}'))
}

/// The text from `at` on.
pub(crate) fn rest(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The byte at `at`.
pub(crate) fn byte_at(text: &str, at: usize) -> Option<u8> {
    text.as_bytes().get(at).copied()
}

/// The character at `at`.
pub(crate) fn char_at(text: &str, at: usize) -> Option<char> {
    match byte_at(text, at)? {
        byte if byte.is_ascii() => Some(char::from(byte)),
        _ => rest(text, at).chars().next(),
    }
}

/// Where the white space at `at` ends, odd or not.
pub(crate) fn blank_end(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        match byte_at(text, end) {
            Some(byte) if is_space(byte) => end += 1,
            Some(byte) if !byte.is_ascii() || byte.is_ascii_control() => match char_at(text, end) {
                Some(c) if is_odd_space(c) => end += c.len_utf8(),
                _ => return end,
            },
            _ => return end,
        }
    }
}

/// A comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) end: usize,
    /// It ended before the text did.
    pub(crate) closed: bool,
}

/// The comment that begins at `at`: `/* … */`, `// …` or `# …`.
pub(crate) fn comment_at(text: &str, at: usize) -> Option<Comment> {
    let body = rest(text, at);
    let line = || match body.find('\n') {
        Some(length) => Comment { end: at + length, closed: true },
        None => Comment { end: text.len(), closed: false },
    };
    match body.as_bytes() {
        [b'#', ..] | [b'/', b'/', ..] => Some(line()),
        [b'/', b'*', inner @ ..] => {
            let found = inner.windows(2).position(|pair| pair == b"*/");
            let unclosed = Comment { end: text.len(), closed: false };
            Some(found.map_or(unclosed, |length| Comment { end: at + length + 4, closed: true }))
        }
        _ => None,
    }
}

/// Where white space and closed comments at `at` end.
pub(crate) fn trivia_end(text: &str, at: usize) -> usize {
    let mut end = blank_end(text, at);
    while let Some(comment) = comment_at(text, end).filter(|comment| comment.closed) {
        end = blank_end(text, comment.end);
    }
    end
}

/// Does a colon stand on the line behind the remark at `at`, which is not too long to be one behind a key?
pub(crate) fn colon_behind_remark(text: &str, at: usize) -> bool {
    let line_end = at + rest(text, at).bytes().take(256).take_while(|b| *b != b'\n').count();
    matches!(byte_at(text, blank_end(text, line_end)), Some(b':' | b'='))
}

/// Characters of a word: a key or a value that does without quotes.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '$')
}

/// Where the word at `at` ends.
pub(crate) fn word_end(text: &str, at: usize) -> usize {
    let mut end = at;
    while let Some(c) = char_at(text, end).filter(|c| is_word_char(*c)) {
        end += c.len_utf8();
    }
    end
}

/// Where a run of anything that could be meant as one bare token ends: white space, marks of structure and quotes end it.
pub(crate) fn bare_end(text: &str, at: usize) -> usize {
    // Most tokens are nothing else.
    let plain = rest(text, at).bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    let mut end = at + plain.count();
    while let Some(c) = char_at(text, end) {
        let is_plain = c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let ends = !is_plain
            && (matches!(c, '{' | '}' | '[' | ']' | '(' | ')' | ',' | ':' | ';' | '"' | '\'' | '`')
                || matches!(c, '“' | '”' | '„' | '＂' | '，' | '：' | '｝' | '］')
                || c.is_ascii_whitespace()
                || is_odd_space(c)
                || (c == '/' && matches!(byte_at(text, end + 1), Some(b'/' | b'*')))
                // `C#` is a word, but behind a number or a literal a remark begins.
                || (c == '#' && end - at < 32 && text.get(at..end).is_some_and(|token| is_number(token) || literal(token).is_some())));
        if ends {
            break;
        }
        end += c.len_utf8();
    }
    end
}

/// Where the address at `at` ends, if one stands there: `https://…`.
pub(crate) fn address_end(text: &str, at: usize) -> Option<usize> {
    let scheme = rest(text, at).bytes().take(12).take_while(u8::is_ascii_alphabetic).count();
    if scheme < 2 || !rest(text, at + scheme).starts_with("://") {
        return None;
    }
    let body = rest(text, at);
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '}' | ']' | ')' | '"' | '\'' | '`' | '<' | '>');
    Some(at + body.find(ends).unwrap_or(body.len()))
}

/// Is this a number as JSON writes it?
pub(crate) fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if digits(unsigned) {
        return unsigned == "0" || !unsigned.starts_with('0');
    }
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
    match word {
        "true" | "True" | "TRUE" => Some("true"),
        "false" | "False" | "FALSE" => Some("false"),
        "null" | "Null" | "NULL" | "None" | "undefined" => Some("null"),
        _ => None,
    }
}

/// Could more letters have made this word a literal?
pub(crate) fn begins_literal(word: &str) -> bool {
    const LITERALS: [&str; 12] =
        ["true", "false", "null", "True", "False", "None", "TRUE", "FALSE", "NULL", "NaN", "Infinity", "undefined"];
    LITERALS.iter().any(|literal| literal.starts_with(word))
}

/// Names of numbers that JSON has no words for.
pub(crate) fn is_number_name(word: &str) -> bool {
    let word = word.strip_prefix(['-', '+']).unwrap_or(word);
    ["nan", "inf", "infinity"].iter().any(|name| word.eq_ignore_ascii_case(name))
}
