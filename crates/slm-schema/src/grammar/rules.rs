//! The rules of one grammar: equal bodies share one rule.

use std::collections::{HashMap, HashSet};

use super::expr::Expr;
use super::spacing::{Layout, Spacing};
use crate::schema::Reference;

/// Rules under construction, in the order they were first needed.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// Where the expression stands that is being made.
    layout: Layout,
    /// Rule names of what is referred to, by JSON pointer.
    references: HashMap<String, String>,
    /// References whose rule has no body yet.
    pending: Vec<(String, Reference)>,
    /// Body to name.
    names: HashMap<String, String>,
    /// How often a name was asked for, so that a second body gets a number.
    asked: HashMap<String, usize>,
    taken: HashSet<String>,
    lines: Vec<String>,
}

impl Rules {
    pub(super) fn new(spacing: Spacing) -> Self {
        Self { layout: Layout::new(spacing), ..Self::default() }
    }

    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// Makes an expression that stands elsewhere.
    pub(super) fn at<T>(&mut self, layout: Layout, make: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.layout, layout);
        let result = make(self);
        self.layout = outside;
        result
    }

    /// Takes a name for a rule whose body comes later; `false` if it is taken.
    pub(super) fn reserve(&mut self, name: &str) -> bool {
        self.asked.entry(name.to_owned()).or_insert(1);
        self.taken.insert(name.to_owned())
    }

    /// The body of a reserved rule.
    pub(super) fn define(&mut self, name: &str, body: &Expr) {
        self.lines.push(format!("{name} ::= {}\n", body.print()));
    }

    /// The rule of a reference; the first time it is asked for, its body is still to come.
    pub(super) fn reference(&mut self, reference: &Reference) -> Expr {
        if let Some(name) = self.references.get(reference.name()) {
            return Expr::Rule(name.clone());
        }
        let last = reference.name().rsplit('/').next().unwrap_or_default();
        let letters: String = last
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
            .take(40)
            .collect();
        let name = self.free_name(&format!("ref-{letters}"));
        self.references.insert(reference.name().to_owned(), name.clone());
        self.pending.push((name.clone(), reference.clone()));
        Expr::Rule(name)
    }

    /// A reference whose rule has no body yet.
    pub(super) fn next_pending(&mut self) -> Option<(String, Reference)> {
        self.pending.pop()
    }

    /// A reference to the rule with this body, made now or found. `hint` is what the rule is called if the name is free;
    /// it holds letters, digits and dashes only, and is never `root`.
    pub(super) fn share(&mut self, hint: &str, body: &Expr) -> Expr {
        // A name for what is as short as a name would be one more rule for nothing.
        if matches!(body, Expr::Rule(_) | Expr::Literal(_)) {
            return body.clone();
        }
        let body = body.print();
        if let Some(name) = self.names.get(&body) {
            return Expr::Rule(name.clone());
        }
        let name = self.free_name(hint);
        self.lines.push(format!("{name} ::= {body}\n"));
        self.names.insert(body, name.clone());
        Expr::Rule(name)
    }

    /// `hint`, or `hint` with the first number that makes it a name of its own.
    fn free_name(&mut self, hint: &str) -> String {
        let count = self.asked.entry(hint.to_owned()).or_insert(0);
        loop {
            *count += 1;
            let name = if *count == 1 { hint.to_owned() } else { format!("{hint}-{count}") };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    /// The grammar's text, `root` first.
    pub(super) fn print(self, root: &Expr) -> String {
        let mut text = format!("root ::= {}\n", root.print());
        text.extend(self.lines);
        text
    }
}
