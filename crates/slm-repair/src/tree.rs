//! A JSON text as a tree of places: what is where, so that a value can be changed without rewriting what stands around it.

use std::ops::Range;

use crate::scan::Bracket;
use crate::walk::{Role, Step, Walk};

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
    let mut open: Vec<(Node, Option<Range<usize>>)> = Vec::new();
    let mut key = None;
    for Step { token, role, .. } in Walk::new(text) {
        let node = match role {
            Role::Key => {
                key = Some(token.range());
                continue;
            }
            Role::Open(bracket) => {
                let kind = match bracket {
                    Bracket::Object => NodeKind::Object(Vec::new()),
                    Bracket::Array => NodeKind::Array(Vec::new()),
                };
                open.push((Node { range: token.range(), kind }, key.take()));
                continue;
            }
            Role::Close(_) => {
                let (mut node, its_key) = open.pop()?;
                node.range.end = token.end;
                key = its_key;
                node
            }
            Role::Value => Node { range: token.range(), kind: NodeKind::Scalar },
            Role::Colon | Role::Comma | Role::Fence | Role::Trivia => continue,
        };
        match open.last_mut().map(|(parent, _)| &mut parent.kind) {
            Some(NodeKind::Object(members)) => members.push(Member { key: key.take()?, value: node }),
            Some(NodeKind::Array(items)) => items.push(node),
            Some(NodeKind::Scalar) => return None,
            None => return Some(node),
        }
    }
    None
}
