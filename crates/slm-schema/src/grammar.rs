//! [`Schema`] to GBNF, the grammar format of llama.cpp.
//!
//! The grammar derives exactly the valid documents in canonical spelling: properties in schema order, no white space,
//! one spelling a character, integers without leading zeros. What it reads differently from the schema is in the report of
//! [`crate::Dialect::Gbnf`].
//!
//! What llama.cpp makes of a grammar decides how it is written: a repetition over 2000 loses its bound silently, a
//! repetition inside a repeated group is refused early, rule names take letters, digits and dashes only.

mod any;
mod array;
mod charset;
mod choice;
mod class;
mod expr;
mod integer;
mod key;
mod list;
mod literal;
mod number;
mod object;
mod pattern;
mod repeat;
mod rules;
mod spacing;
mod string;

use std::fmt;

use crate::schema::{Schema, Shape};
use expr::Expr;
use rules::Rules;
pub use spacing::Spacing;

/// A GBNF grammar; its start rule is `root`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grammar {
    text: String,
    rules: usize,
}

impl Grammar {
    /// The grammar's text: one rule a line.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many rules it has.
    pub fn rule_count(&self) -> usize {
        self.rules
    }
}

impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Compiles a schema. There is no way to fail: what a grammar cannot say was noted when the schema was read.
pub(crate) fn compile(schema: &Schema, spacing: Spacing) -> Grammar {
    let mut rules = Rules::new(spacing);
    let root = value(schema, &mut rules);
    while let Some((name, reference)) = rules.next_pending() {
        let layout = rules.layout().anywhere();
        let body = reference.with(|target| rules.at(layout, |rules| value(target, rules)));
        rules.define(&name, &body.unwrap_or_else(Expr::empty));
    }
    let text = rules.print(&root);
    Grammar { rules: text.lines().count(), text }
}

/// The expression that derives the documents of one schema node.
fn value(schema: &Schema, rules: &mut Rules) -> Expr {
    match &schema.shape {
        Shape::Any => any::compile(rules),
        Shape::Object(object) => object::compile(object, rules),
        Shape::Array(array) => array::compile(array, rules),
        Shape::String(size) => string::compile(*size, rules),
        Shape::Pattern(form) => pattern::compile(form, rules),
        Shape::Integer(range) => integer::compile(*range, rules),
        Shape::Number => number::compile(rules),
        Shape::Boolean => {
            let choice = Expr::Choice(vec![Expr::literal("true"), Expr::literal("false")]);
            rules.share("boolean", &choice)
        }
        Shape::Null => Expr::literal("null"),
        Shape::Enum(members) => literal::compile(members, rules),
        Shape::Union(members) => {
            let options: Vec<Expr> = members.iter().map(|member| value(member, rules)).collect();
            rules.share("any-of", &choice::choice(&options))
        }
        Shape::Reference(reference) => rules.reference(reference),
    }
}
