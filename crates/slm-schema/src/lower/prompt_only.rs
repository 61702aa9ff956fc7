//! `prompt_only`: nothing on the wire; the schema is described in the prompt.

use super::rules::{Node, Objects, Root, Rules, Tuples, UNLIMITED, Verdict, Vocabulary, withheld};

pub(super) const RULES: Rules = Rules {
    judge,
    objects: Objects::AsWritten,
    root: Root::Any,
    tuples: Tuples::Places,
    vocabulary: Vocabulary::Empty,
    limits: &UNLIMITED,
};

fn judge(_node: &Node<'_>, _keyword: &str) -> Verdict {
    withheld("the schema is described in the prompt only")
}
