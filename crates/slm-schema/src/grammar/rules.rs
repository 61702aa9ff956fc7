//! The rules of one grammar: equal bodies share one rule.

use std::collections::{HashMap, HashSet};

use super::expr::Expr;

/// Rules under construction, in the order they were first needed.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// Body to name.
    names: HashMap<String, String>,
    /// How often a name was asked for, so that a second body gets a number.
    asked: HashMap<String, usize>,
    taken: HashSet<String>,
    lines: Vec<String>,
}

impl Rules {
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
