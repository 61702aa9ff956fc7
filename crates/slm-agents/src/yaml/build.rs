//! From the parser's events to the tree.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::{Fault, Key, Layout, Node, Place, Text, Value};

/// Nothing that an agent declares nests deeper.
const DEEPEST: usize = 16;

/// How much a file may come to, what its aliases copy included: bytes of text, and [`VALUE`] for each value.
const MOST: usize = 4 << 20;
/// What a value weighs beside its text.
const VALUE: usize = 64;

/// Reads the one document of a text; `None` if there is nothing in it.
pub(crate) fn parse(text: &str) -> Result<Option<Node>, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut builder = Builder { parser: Parser::new_from_str(text), anchors: BTreeMap::new(), weight: 0 };
    let mut root = None;
    loop {
        let (event, span) = builder.next()?;
        match event {
            Event::StreamStart | Event::DocumentEnd | Event::Nothing => {}
            Event::DocumentStart(_) if root.is_some() => {
                let message = "a second document begins here; put the agents of a file into one list";
                return Err(fault(span, message));
            }
            Event::DocumentStart(_) => {
                let (event, span) = builder.next()?;
                root = Some(builder.node(event, span, 0)?);
            }
            Event::StreamEnd => return Ok(root.filter(|node| !matches!(node.value, Value::Null))),
            Event::Alias(_)
            | Event::Scalar(..)
            | Event::SequenceStart(..)
            | Event::SequenceEnd
            | Event::MappingStart(..)
            | Event::MappingEnd => return Err(fault(span, "a value stands outside of the document")),
        }
    }
}

struct Builder<'a> {
    parser: Parser<'a, StrInput<'a>>,
    /// What the anchors stand for, and what each weighs. One that is still being read is not there yet.
    anchors: BTreeMap<usize, (Node, usize)>,
    weight: usize,
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Fault> {
        match self.parser.next_event() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => Err(syntax(&error)),
            None => Err(Fault { place: Place { line: 1, column: 1 }, message: "the document does not end".to_owned() }),
        }
    }

    /// The value that begins with `event`.
    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Node, Fault> {
        if depth > DEEPEST {
            return Err(fault(span, &format!("nested deeper than {DEEPEST} levels, which no agent needs")));
        }
        let before = self.weight;
        self.weigh(VALUE, span)?;
        let (value, anchor) = match event {
            Event::Scalar(.., Some(_)) | Event::SequenceStart(.., Some(_)) | Event::MappingStart(.., Some(_)) => {
                return Err(fault(span, "a tag means nothing here; leave it out"));
            }
            Event::Scalar(text, style, anchor, None) => {
                self.weigh(text.len(), span)?;
                (scalar(&text, style, span), anchor)
            }
            Event::SequenceStart(anchor, None) => (Value::List(self.list(depth)?), anchor),
            Event::MappingStart(anchor, None) => (Value::Map(self.map(depth)?), anchor),
            Event::Alias(anchor) => return self.alias(anchor, span),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => return Err(fault(span, "a value is missing here")),
        };
        let node = Node { place: place(span), value };
        if anchor != 0 {
            self.anchors.insert(anchor, (node.clone(), self.weight - before));
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, Fault> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(items),
                (event, span) => items.push(self.node(event, span, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Vec<(Key, Node)>, Fault> {
        let mut members: Vec<(Key, Node)> = Vec::new();
        // The members are few where the file is sound, but it need not be.
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(members);
            }
            let Event::Scalar(name, ..) = event else { return Err(fault(span, "a key must be a plain word")) };
            let key = Key { place: place(span), name: name.into_owned() };
            self.weigh(VALUE + key.name.len(), span)?;
            if let Some(first) = lines.insert(key.name.clone(), key.place.line) {
                let message = format!("`{}` is given twice, first on line {first}", key.name.escape_debug());
                return Err(fault(span, &message));
            }
            let (event, span) = self.next()?;
            members.push((key, self.node(event, span, depth + 1)?));
        }
    }

    /// A copy of what the anchor stands for; its place is that of the alias.
    fn alias(&mut self, anchor: usize, span: Span) -> Result<Node, Fault> {
        let Some(weight) = self.anchors.get(&anchor).map(|(_, weight)| *weight) else {
            return Err(fault(span, "this alias stands for nothing, or for what it stands in"));
        };
        // Before the copy is made.
        self.weigh(weight, span)?;
        let value = self.anchors.get(&anchor).map_or(Value::Null, |(node, _)| node.value.clone());
        Ok(Node { place: place(span), value })
    }

    fn weigh(&mut self, weight: usize, span: Span) -> Result<(), Fault> {
        self.weight += weight;
        if self.weight > MOST {
            return Err(fault(span, "the file is too large, counting what its aliases copy"));
        }
        Ok(())
    }
}

/// A plain scalar may be no text: the core schema of YAML 1.2 decides, in which `yes` and `no` are texts.
fn scalar(text: &str, style: ScalarStyle, span: Span) -> Value {
    if style == ScalarStyle::Plain {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
            "true" | "True" | "TRUE" => return Value::Bool(true),
            "false" | "False" | "FALSE" => return Value::Bool(false),
            _ if is_number(text) => return Value::Number(text.to_owned()),
            _ => {}
        }
    }
    let layout = if style == ScalarStyle::Literal {
        // The parser's mark stands behind the empty lines that the text begins with.
        let empty = text.chars().take_while(|c| *c == '\n').count();
        Layout::Literal(span.start.line().saturating_sub(empty).max(1))
    } else {
        Layout::Folded(span.start.line()..=span.end.line())
    };
    Value::Text(Text { text: text.to_owned(), layout })
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
    digits && text.parse::<f64>().is_ok()
}

fn place(span: Span) -> Place {
    Place { line: span.start.line().max(1), column: span.start.col() + 1 }
}

fn fault(span: Span, message: &str) -> Fault {
    Fault { place: place(span), message: message.to_owned() }
}

fn syntax(error: &ScanError) -> Fault {
    let marker = error.marker();
    Fault { place: Place { line: marker.line().max(1), column: marker.col() + 1 }, message: error.info().to_owned() }
}
