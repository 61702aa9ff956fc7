//! A JSON text as events and as a tree of places: what is where, so that a value can be changed without rewriting what stands
//! around it.

use std::ops::Range;

use crate::scan::is_space;

/// A piece of a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    Open {
        object: bool,
        at: usize,
    },
    Close {
        at: usize,
    },
    /// A key with its quotes.
    Key(Range<usize>),
    Scalar(Range<usize>),
}

/// Reads a text that is JSON; of any other it makes something, and comes to an end.
#[derive(Debug)]
pub(crate) struct Events<'a> {
    text: &'a str,
    at: usize,
    /// Of each open container: is it an object?
    open: Vec<bool>,
    expects_key: bool,
}

impl<'a> Events<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, open: Vec::new(), expects_key: false }
    }

    fn scalar(&mut self) -> Event {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let tail = bytes.get(start..).unwrap_or_default();
        let end = if tail.first() == Some(&b'"') {
            string_end(bytes, start)
        } else {
            let ends = |b: &u8| matches!(b, b',' | b'}' | b']' | b':' | b'"' | b'{' | b'[') || is_space(*b);
            start + tail.iter().position(ends).unwrap_or(tail.len()).max(1)
        };
        self.at = end;
        if std::mem::take(&mut self.expects_key) { Event::Key(start..end) } else { Event::Scalar(start..end) }
    }
}

/// Where the string that begins at `start` ends.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        let tail = bytes.get(at..).unwrap_or_default();
        let Some(length) = tail.iter().position(|b| matches!(b, b'"' | b'\\')) else { return bytes.len() };
        at += length;
        if bytes.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            let at = self.at;
            let byte = *self.text.as_bytes().get(at)?;
            match byte {
                b'{' | b'[' => {
                    self.at += 1;
                    let object = byte == b'{';
                    self.open.push(object);
                    self.expects_key = object;
                    return Some(Event::Open { object, at });
                }
                b'}' | b']' => {
                    self.at += 1;
                    self.open.pop();
                    self.expects_key = false;
                    return Some(Event::Close { at });
                }
                b',' => {
                    self.at += 1;
                    self.expects_key = self.open.last() == Some(&true);
                }
                b':' => self.at += 1,
                byte if is_space(byte) => self.at += 1,
                _ => return Some(self.scalar()),
            }
        }
    }
}

/// A value in a JSON text.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) range: Range<usize>,
    pub(crate) kind: NodeKind,
}

#[derive(Debug)]
pub(crate) enum NodeKind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar,
}

#[derive(Debug)]
pub(crate) struct Member {
    /// The key with its quotes.
    pub(crate) key: Range<usize>,
    pub(crate) value: Node,
}

impl Node {
    pub(crate) fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.range.clone()).unwrap_or_default()
    }
}

/// Reads a text that has parsed as JSON; `None` for any other.
pub(crate) fn read(text: &str) -> Option<Node> {
    let mut open: Vec<(Node, Range<usize>)> = Vec::new();
    let mut key = 0..0;
    for event in Events::new(text) {
        let node = match event {
            Event::Key(range) => {
                key = range;
                continue;
            }
            Event::Open { object, at } => {
                let kind = if object { NodeKind::Object(Vec::new()) } else { NodeKind::Array(Vec::new()) };
                open.push((Node { range: at..at, kind }, std::mem::take(&mut key)));
                continue;
            }
            Event::Close { at } => {
                let (mut node, its_key) = open.pop()?;
                node.range.end = at + 1;
                key = its_key;
                node
            }
            Event::Scalar(range) => Node { range, kind: NodeKind::Scalar },
        };
        match open.last_mut().map(|(parent, _)| &mut parent.kind) {
            Some(NodeKind::Object(members)) => members.push(Member { key: std::mem::take(&mut key), value: node }),
            Some(NodeKind::Array(items)) => items.push(node),
            Some(NodeKind::Scalar) => return None,
            None => return Some(node),
        }
    }
    None
}
