//! A walk through a document as it stands: tokens, and the role that each one plays.
//!
//! The stack of open containers is a vector, so depth costs no call stack; closers that fit nothing, or fit a container
//! further out, are named as such, and the walk goes on.

use crate::scan::{Bracket, Kind, Scanner, Token, literal};

/// Containers may be open inside one another this deep: what serde_json reads without an overflow in sight.
pub(crate) const MAX_DEPTH: usize = 127;

/// What a token is to the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Key,
    Colon,
    /// A string or bare word where a value may stand.
    Value,
    Comma,
    Open(Bracket),
    Close(Closing),
    /// A closing fence, or an opening one: never part of a document.
    Fence,
    /// White space and comments.
    Trivia,
}

/// How a closer fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// The innermost container.
    Fits,
    /// A container further out: those inside it were left open.
    Outer,
    /// Nothing that is open.
    Surplus,
    /// Nothing, but it ends the text where one container is open: the wrong closer was written.
    Mistaken,
}

/// What may come next in a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expects {
    Key,
    Colon,
    Value,
    /// A value is complete: a comma or a closer.
    Comma,
}

/// An open container.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) bracket: Bracket,
    pub(crate) expects: Expects,
    /// Nothing stands in it yet.
    pub(crate) bare: bool,
}

/// A token, its role, and the containers that were open before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) token: Token,
    pub(crate) role: Role,
    /// The innermost container before the token; `None` at the top.
    pub(crate) inside: Option<Frame>,
}

/// Steps through a text.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    text: &'a str,
    scanner: Scanner<'a>,
    stack: Vec<Frame>,
    /// How many of `stack` are objects: so that a closer which fits nothing is seen without a search.
    objects: usize,
    /// The containers that the last closer closed, innermost first.
    closed: Vec<Frame>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self::starting_at(text, 0)
    }

    pub(crate) fn starting_at(text: &'a str, start: usize) -> Self {
        Self { text, scanner: Scanner::starting_at(text, start), stack: Vec::new(), objects: 0, closed: Vec::new() }
    }

    /// The containers open after the last step, outermost first.
    pub(crate) fn open(&self) -> &[Frame] {
        &self.stack
    }

    /// The containers that the last step closed, innermost first.
    pub(crate) fn closed(&self) -> &[Frame] {
        &self.closed
    }

    fn role(&mut self, token: Token) -> Role {
        match token.kind {
            Kind::Space | Kind::OddSpace | Kind::Comment { .. } => Role::Trivia,
            Kind::Fence => Role::Fence,
            Kind::String { .. } | Kind::Bare => self.scalar(),
            Kind::Comma => {
                self.expect(|bracket| match bracket {
                    Bracket::Object => Expects::Key,
                    Bracket::Array => Expects::Value,
                });
                Role::Comma
            }
            Kind::Colon => {
                self.expect(|_| Expects::Value);
                Role::Colon
            }
            Kind::Open(bracket) => {
                self.expect(|_| Expects::Comma);
                let expects = match bracket {
                    Bracket::Object => Expects::Key,
                    Bracket::Array => Expects::Value,
                };
                self.stack.push(Frame { bracket, expects, bare: true });
                self.objects += usize::from(bracket == Bracket::Object);
                Role::Open(bracket)
            }
            Kind::Close(bracket) => Role::Close(self.close(bracket, token)),
        }
    }

    fn expect(&mut self, next: impl FnOnce(Bracket) -> Expects) {
        if let Some(frame) = self.stack.last_mut() {
            frame.expects = next(frame.bracket);
            frame.bare = false;
        }
    }

    fn scalar(&mut self) -> Role {
        let key = self.stack.last().is_some_and(|frame| frame.expects == Expects::Key);
        self.expect(|_| if key { Expects::Colon } else { Expects::Comma });
        if key { Role::Key } else { Role::Value }
    }

    fn close(&mut self, bracket: Bracket, token: Token) -> Closing {
        self.closed.clear();
        let candidates = match bracket {
            Bracket::Object => self.objects,
            Bracket::Array => self.stack.len() - self.objects,
        };
        if candidates == 0 {
            let last = self.text.get(token.end..).is_some_and(|rest| rest.trim_start().is_empty());
            if self.stack.len() == 1 && last {
                self.pop();
                return Closing::Mistaken;
            }
            return Closing::Surplus;
        }
        if self.pop() == Some(bracket) {
            return Closing::Fits;
        }
        while self.pop().is_some_and(|popped| popped != bracket) {}
        Closing::Outer
    }

    fn pop(&mut self) -> Option<Bracket> {
        let frame = self.stack.pop()?;
        self.closed.push(frame);
        self.objects -= usize::from(frame.bracket == Bracket::Object);
        Some(frame.bracket)
    }
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let token = self.scanner.next()?;
        let inside = self.stack.last().copied();
        let role = self.role(token);
        Some(Step { token, role, inside })
    }
}

/// Is this token a bare word that is a literal in some language?
pub(crate) fn is_literal(token: Token, text: &str) -> bool {
    token.kind == Kind::Bare && literal(token.text(text)).is_some()
}
