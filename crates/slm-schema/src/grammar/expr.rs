//! Grammar expressions, and how they are printed.

use std::fmt::Write as _;

/// A piece of a rule's right-hand side.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Expr {
    /// Fixed text.
    Literal(String),
    /// A character class, in GBNF's own spelling.
    Class(String),
    /// A class of digits, both ends inclusive.
    Digits(u8, u8),
    /// A rule, by name.
    Rule(String),
    /// One after the other.
    Sequence(Vec<Self>),
    /// One of several; never empty.
    Choice(Vec<Self>),
    /// `{min,max}`; without `max`, `{min,}`.
    Repeat(Box<Self>, usize, Option<usize>),
}

impl Expr {
    pub(super) fn literal(text: impl Into<String>) -> Self {
        Self::Literal(text.into())
    }

    pub(super) fn class(class: &str) -> Self {
        Self::Class(class.to_owned())
    }

    /// Nothing at all.
    pub(super) fn empty() -> Self {
        Self::Sequence(Vec::new())
    }

    pub(super) fn optional(self) -> Self {
        Self::Repeat(Box::new(self), 0, Some(1))
    }

    /// Prints the expression as a whole right-hand side.
    pub(super) fn print(&self) -> String {
        let mut out = String::new();
        if let Self::Choice(options) = self {
            print_choice(options, &mut out);
        } else {
            self.print_in_sequence(&mut out);
        }
        out
    }

    /// Prints the expression where a sequence stands: only a choice needs parentheses.
    fn print_in_sequence(&self, out: &mut String) {
        match self {
            Self::Literal(text) => print_literal(text, out),
            Self::Class(class) => out.push_str(class),
            Self::Digits(from, to) if from == to => print_literal(&from.to_string(), out),
            Self::Digits(from, to) => print(out, format_args!("[{from}-{to}]")),
            Self::Rule(name) => out.push_str(name),
            Self::Choice(options) => {
                out.push_str("( ");
                print_choice(options, out);
                out.push_str(" )");
            }
            Self::Sequence(_) => print_sequence(&self.flattened(), out),
            Self::Repeat(unit, min, max) => {
                unit.print_repeated(out);
                match (min, max) {
                    (0, Some(1)) => out.push('?'),
                    (min, Some(max)) if min == max => print(out, format_args!("{{{min}}}")),
                    (min, Some(max)) => print(out, format_args!("{{{min},{max}}}")),
                    (0, None) => out.push('*'),
                    (1, None) => out.push('+'),
                    (min, None) => print(out, format_args!("{{{min},}}")),
                }
            }
        }
    }

    fn print_repeated(&self, out: &mut String) {
        let has_parts = match self {
            Self::Sequence(_) => match self.flattened().as_slice() {
                [only] => return only.print_repeated(out),
                _ => true,
            },
            Self::Literal(text) => text.chars().count() != 1,
            Self::Class(_) | Self::Digits(..) | Self::Rule(_) | Self::Choice(_) | Self::Repeat(..) => false,
        };
        out.push_str(if has_parts { "( " } else { "" });
        self.print_in_sequence(out);
        out.push_str(if has_parts { " )" } else { "" });
    }

    /// The parts of a sequence, nested ones opened up and neighbouring literals folded into one: fixed text as one literal
    /// is one stack and no choice for the engine.
    pub(super) fn flattened(&self) -> Vec<Self> {
        let mut parts = Vec::new();
        self.flatten_into(&mut parts);
        parts
    }

    fn flatten_into(&self, parts: &mut Vec<Self>) {
        match self {
            Self::Sequence(inner) => inner.iter().for_each(|part| part.flatten_into(parts)),
            Self::Literal(text) if text.is_empty() => {}
            Self::Literal(text) => match parts.last_mut() {
                Some(Self::Literal(before)) => before.push_str(text),
                _ => parts.push(self.clone()),
            },
            Self::Digits(from, to) if from == to => Self::literal(from.to_string()).flatten_into(parts),
            Self::Class(_) | Self::Digits(..) | Self::Rule(_) | Self::Choice(_) | Self::Repeat(..) => {
                parts.push(self.clone());
            }
        }
    }
}

fn print_choice(options: &[Expr], out: &mut String) {
    for (i, option) in options.iter().enumerate() {
        if i > 0 {
            out.push_str(" | ");
        }
        option.print_in_sequence(out);
    }
}

fn print_sequence(parts: &[Expr], out: &mut String) {
    if parts.is_empty() {
        out.push_str("\"\"");
    }
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        part.print_in_sequence(out);
    }
}

/// Text as a GBNF literal. `\xHH` for controls: `\b` and `\f` are no escapes there, and an unknown escape refuses the
/// whole grammar. Everything else, beyond ASCII too, may stand raw.
fn print_literal(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' || c == '\u{7f}' => print(out, format_args!("\\x{:02X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn print(out: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing into a String cannot fail.
    let _infallible = out.write_fmt(args);
}
