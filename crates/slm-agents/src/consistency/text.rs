//! A prompt, cut into prose and fenced blocks, and small questions about words.

/// What a block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// Markdown outside fences.
    Prose,
    /// A fence that holds JSON.
    Json,
    /// A fence in any other language; its names are code.
    Code,
}

/// A run of lines of one kind; fence markers belong to no block.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) kind: BlockKind,
    pub(super) text: &'a str,
    /// The prompt's line on which it begins, from 1.
    line: usize,
    /// Where its newlines are, so that finding a line does not read the text again.
    newlines: Vec<usize>,
}

impl<'a> Block<'a> {
    fn new(kind: BlockKind, text: &'a str, line: usize) -> Self {
        Self { kind, text, line, newlines: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    /// The prompt's line on which the byte at `offset` stands.
    pub(super) fn line_at(&self, offset: usize) -> usize {
        self.line + self.newlines.partition_point(|newline| *newline < offset)
    }

    /// Its last line that is not empty.
    pub(super) fn last_line(&self) -> &'a str {
        self.text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default()
    }

    /// The lines with their numbers and offsets.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'a>> {
        let first = self.line;
        let mut offset = 0;
        self.text.split_inclusive('\n').enumerate().map(move |(i, text)| {
            let line = Line { number: first + i, offset, text: text.trim_end() };
            offset += text.len();
            line
        })
    }
}

/// A line of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    /// Where it begins, in bytes from the start of its block.
    pub(super) offset: usize,
    pub(super) text: &'a str,
}

/// Cuts a prompt at its fences. A fence that never closes reaches to the end.
pub(super) fn blocks(prompt: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut fence: Option<Fence<'_>> = None;
    let (mut start, mut start_line) = (0, 1);
    let mut offset = 0;
    for (i, line) in prompt.split_inclusive('\n').enumerate() {
        let end = offset + line.len();
        let marker = Fence::read(line);
        let turns = match &fence {
            None => marker.is_some(),
            Some(open) => marker.as_ref().is_some_and(|marker| marker.closes(open)),
        };
        if turns {
            push(&mut blocks, prompt.get(start..offset), start_line, fence.as_ref());
            fence = if fence.is_none() { marker } else { None };
            (start, start_line) = (end, i + 2);
        }
        offset = end;
    }
    push(&mut blocks, prompt.get(start..), start_line, fence.as_ref());
    blocks
}

fn push<'a>(blocks: &mut Vec<Block<'a>>, text: Option<&'a str>, line: usize, fence: Option<&Fence<'_>>) {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return };
    let kind = match fence {
        None => BlockKind::Prose,
        Some(fence) if fence.holds_json(text) => BlockKind::Json,
        Some(_) => BlockKind::Code,
    };
    blocks.push(Block::new(kind, text, line));
}

/// The line that opens or closes a fenced block.
struct Fence<'a> {
    mark: char,
    length: usize,
    info: &'a str,
}

impl<'a> Fence<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let line = line.trim();
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = line.trim_start_matches(mark);
        let length = line.len() - info.len();
        // Backticks after the marker make it an inline span, such as ```x```.
        (length >= 3 && !info.contains('`')).then_some(Self { mark, length, info: info.trim() })
    }

    fn closes(&self, open: &Fence<'_>) -> bool {
        self.mark == open.mark && self.length >= open.length && self.info.is_empty()
    }

    fn holds_json(&self, text: &str) -> bool {
        match self.info.to_ascii_lowercase().as_str() {
            "" => text.trim_start().starts_with(['{', '[']),
            info => matches!(info, "json" | "jsonc" | "json5" | "jsonl"),
        }
    }
}

/// How far around a name a text is read for what it says of it.
const CONTEXT: usize = 300;

/// The end of a text, enough of it to tell what it leads to.
pub(super) fn tail(text: &str) -> &str {
    let start = text.char_indices().rev().nth(CONTEXT).map_or(0, |(at, _)| at);
    text.get(start..).unwrap_or_default()
}

/// The beginning of a text, as far.
pub(super) fn head(text: &str) -> &str {
    let end = text.char_indices().nth(CONTEXT).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// The words of a text, in lower case.
pub(super) fn words(text: &str) -> impl DoubleEndedIterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Does a word of `list`, which holds them apart by spaces, occur in the text?
pub(super) fn has_word(text: &str, list: &str) -> bool {
    words(text).any(|word| is_one_of(&word, list))
}

/// Is it a word of `list`, which holds them apart by spaces?
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    list.split(' ').any(|member| member == word)
}

/// Could this be a field's name?
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !text.ends_with('-')
}
