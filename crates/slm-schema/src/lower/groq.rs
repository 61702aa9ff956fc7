//! Groq with `strict: true`: OpenAI's form of objects, and hardly a keyword more. What its documents do not list is put
//! into words, since a keyword that it does not know would be a 400.

use super::openai_strict;
use super::rules::{Form, Limits, Node, Rules, UNLIMITED, Verdict, refused};

const LIMITS: Limits = Limits { forms: &[Form::Typed], ..UNLIMITED };

pub(super) const RULES: Rules = Rules { judge, limits: &LIMITS, ..openai_strict::RULES };

fn judge(node: &Node<'_>, keyword: &str) -> Verdict {
    match keyword {
        "minItems" | "maxItems" | "pattern" | "format" => refused("its documents do not list it"),
        _ => openai_strict::judge(node, keyword),
    }
}
