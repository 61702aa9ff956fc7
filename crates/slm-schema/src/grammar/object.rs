//! Objects: declared properties in schema order, optional ones in linear size.

use std::collections::VecDeque;

use super::choice::choice;
use super::expr::Expr;
use super::key;
use super::list::{following, list};
use super::repeat::repeat;
use super::rules::Rules;
use super::value;
use crate::json::write_string;
use crate::schema::{ObjectShape, Property};

/// Parts of a flat sequence: nesting them would cost a level of recursion for each property.
type Parts = VecDeque<Expr>;

/// Optional properties in one choice of what comes next, times the number of such choices: beyond it a choice goes on in
/// another one, so that the size stays linear.
const WRITTEN_OUT: usize = 300;

/// Up to the first required property nothing need have been written yet, so that part is needed in two forms: with and
/// without a comma in front. Behind it there is always a comma.
pub(super) fn compile(object: &ObjectShape, rules: &mut Rules) -> Expr {
    let layout = rules.layout().inside();
    rules.at(layout, |rules| body(object, rules))
}

fn body(object: &ObjectShape, rules: &mut Rules) -> Expr {
    let (before, comma) = (rules.layout().before(), rules.layout().comma());
    if object.properties.is_empty() {
        let Some(pair) = undeclared(object, rules) else { return Expr::literal("{}") };
        let body = list("{", &pair, "}", object.count, rules);
        return rules.share("object", &body);
    }
    let optional = object.properties.iter().filter(|property| !property.required).count();
    let first_required = object.properties.iter().position(|property| property.required);
    let (leading, rest) = object.properties.split_at(first_required.unwrap_or(object.properties.len()));
    let (mut first, close) = end(object, rules);
    let mut later = Tail::new(close, (WRITTEN_OUT / optional.max(1)).max(1));
    if let Some((required, following)) = rest.split_first() {
        for property in following.iter().rev() {
            later.prepend(&comma, property, rules);
        }
        let mut parts = later.parts(rules);
        parts.push_front(value(&required.schema, rules));
        if !leading.is_empty() {
            parts = Parts::from([named(parts, rules)]);
        }
        first.clone_from(&parts);
        first.push_front(declared(&before, required, rules));
        later.require(declared(&comma, required, rules), parts);
    }
    let mut options = vec![Expr::Sequence(first.into())];
    for property in leading.iter().rev() {
        let member = later.member(property, rules);
        options.push(Expr::Sequence(vec![declared(&before, property, rules), member.clone()]));
        later.allow(declared(&comma, property, rules), member, rules);
    }
    options.reverse();
    Expr::Sequence(vec![Expr::literal("{"), choice(&options)])
}

/// What follows a place inside an object.
struct Tail {
    /// Optional members that may come next; beside each what follows where it and those before it are left out.
    optional: VecDeque<(Expr, Expr)>,
    /// What comes where all of them are left out: a required member and everything behind it, or the closing brace.
    end: Parts,
    /// How many optional members one choice holds.
    window: usize,
}

impl Tail {
    fn new(end: Parts, window: usize) -> Self {
        Self { optional: VecDeque::new(), end, window }
    }

    /// Puts a property in front.
    fn prepend(&mut self, comma: &str, property: &Property, rules: &mut Rules) {
        let key = declared(comma, property, rules);
        if property.required {
            let mut parts = self.parts(rules);
            parts.push_front(value(&property.schema, rules));
            self.require(key, parts);
        } else {
            let member = self.member(property, rules);
            self.allow(key, member, rules);
        }
    }

    /// A required member, and all that follows its name.
    fn require(&mut self, key: Expr, mut parts: Parts) {
        parts.push_front(key);
        *self = Self::new(parts, self.window);
    }

    /// An optional member; `member` is what [`Self::member`] gave.
    fn allow(&mut self, key: Expr, member: Expr, rules: &mut Rules) {
        let without = self.rule(rules);
        self.optional.push_front((Expr::Sequence(vec![key, member]), without));
    }

    /// The value of an optional property and what follows it. It stands in several choices, so it has a name.
    fn member(&mut self, property: &Property, rules: &mut Rules) -> Expr {
        let value = value(&property.schema, rules);
        let rest = self.rule(rules);
        rules.share("member", &Expr::Sequence(vec![value, rest]))
    }

    /// All of it as the parts of a sequence.
    fn parts(&mut self, rules: &mut Rules) -> Parts {
        if self.optional.is_empty() { std::mem::take(&mut self.end) } else { Parts::from([self.rule(rules)]) }
    }

    /// All of it under a name.
    fn rule(&mut self, rules: &mut Rules) -> Expr {
        if self.end.len() > 2
            && let Some(key) = self.end.pop_front()
        {
            // It will stand in several choices.
            let behind = named(std::mem::take(&mut self.end), rules);
            self.end = Parts::from([key, behind]);
        }
        let mut options: Vec<Expr> = self.optional.iter().take(self.window).map(|(member, _)| member.clone()).collect();
        options.push(match self.optional.get(self.window - 1) {
            Some((_, without)) if self.optional.len() > self.window => without.clone(),
            _ => Expr::Sequence(self.end.clone().into()),
        });
        rules.share("rest", &choice(&options))
    }
}

/// Behind the declared properties: any undeclared ones, and the closing brace. In both forms.
fn end(object: &ObjectShape, rules: &mut Rules) -> (Parts, Parts) {
    let (empty, before) = (Expr::literal("}"), Expr::literal(rules.layout().before()));
    let behind = rules.layout().behind();
    let close = Expr::literal(format!("{behind}}}"));
    let Some(pair) = undeclared(object, rules) else { return (Parts::from([empty]), Parts::from([close])) };
    let next = following(&pair, rules);
    let more = repeat(&next, 0, None, rules);
    let first = Expr::Sequence(vec![before, pair, more.clone(), Expr::literal(behind)]).optional();
    (Parts::from([first, empty]), Parts::from([more, close]))
}

/// A property that is not declared, under a name.
fn undeclared(object: &ObjectShape, rules: &mut Rules) -> Option<Expr> {
    let rest = object.additional.as_ref()?;
    let name = key::compile(&rest.name, object, rules);
    let colon = Expr::literal(rules.layout().colon());
    let value = value(&rest.value, rules);
    Some(rules.share("pair", &Expr::Sequence(vec![name, colon, value])))
}

/// Parts under a name.
fn named(parts: Parts, rules: &mut Rules) -> Expr {
    let parts = Vec::from(parts);
    match parts.as_slice() {
        [only] => rules.share("rest", only),
        _ => rules.share("rest", &Expr::Sequence(parts)),
    }
}

fn declared(comma: &str, property: &Property, rules: &Rules) -> Expr {
    let mut text = comma.to_owned();
    write_string(&property.name, &mut text);
    text.push_str(rules.layout().colon());
    Expr::Literal(text)
}
