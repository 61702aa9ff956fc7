//! What llama.cpp's automaton makes of a grammar: every state, which is the set of stacks that are live together.
//!
//! A stack reads one class of characters and then goes on; each costs a pass over the vocabulary.

use std::collections::{HashMap, HashSet};

use schoolmarm::ElementType;
use schoolmarm::types::{Pos, Rules};

/// A stack: the number of its top in [`Automaton::nodes`]. Stacks share what lies below.
pub(crate) type Stack = usize;
/// The stack of a text that is complete.
const EMPTY: Stack = 0;

/// Ranges of characters, both ends inclusive, sorted and apart.
type Class = Vec<(u32, u32)>;

pub(crate) struct Automaton {
    rules: Rules,
    root: usize,
    /// Each with what lies below.
    nodes: Vec<(Pos, Stack)>,
    numbers: HashMap<(Pos, Stack), Stack>,
}

impl Automaton {
    pub(crate) fn new(grammar: &str) -> Self {
        let parsed = schoolmarm::parse::parse(grammar).unwrap_or_else(|error| panic!("refused: {error}\n{grammar}"));
        let root = parsed.root_index().expect("the grammar has a root");
        Self { rules: parsed.rules, root, nodes: vec![((0, 0), EMPTY)], numbers: HashMap::new() }
    }

    /// Visits every state; `None` once there are more than `most`.
    pub(crate) fn states(&mut self, most: usize, mut visit: impl FnMut(&mut Self, &[Stack])) -> Option<usize> {
        let start = self.alternatives(self.root, EMPTY);
        let mut live = Vec::new();
        for stack in start {
            self.expand(stack, &mut live);
        }
        let (mut seen, mut waiting) = (HashSet::new(), vec![live]);
        while let Some(live) = waiting.pop() {
            visit(self, &live);
            for stack in live.into_iter().filter(|stack| *stack != EMPTY) {
                let behind = self.behind(stack);
                if seen.insert(behind) {
                    waiting.push(self.live(behind));
                }
            }
            if seen.len() > most {
                return None;
            }
        }
        Some(seen.len())
    }

    /// The stacks that stand where `stack` does, each in front of a character.
    fn live(&mut self, stack: Stack) -> Vec<Stack> {
        let mut live = Vec::new();
        self.expand(stack, &mut live);
        live
    }

    fn expand(&mut self, stack: Stack, live: &mut Vec<Stack>) {
        let ((rule, place), below) = self.nodes[stack];
        let element = self.rules[rule][place];
        if stack == EMPTY || element.etype != ElementType::RuleRef {
            if !live.contains(&stack) {
                live.push(stack);
            }
            return;
        }
        let below = self.push((rule, place + 1), below);
        for alternative in self.alternatives(element.value as usize, below) {
            self.expand(alternative, live);
        }
    }

    /// The beginnings of a rule's alternatives.
    fn alternatives(&mut self, rule: usize, below: Stack) -> Vec<Stack> {
        let ends =
            |(place, element): (usize, &schoolmarm::Element)| (element.etype == ElementType::Alt).then_some(place + 1);
        let starts: Vec<usize> =
            std::iter::once(0).chain(self.rules[rule].iter().enumerate().filter_map(ends)).collect();
        starts.into_iter().map(|place| self.push((rule, place), below)).collect()
    }

    /// A stack with a place on top, or without one where the alternative ends there.
    fn push(&mut self, (rule, place): Pos, below: Stack) -> Stack {
        if self.rules[rule][place].is_end_of_sequence() {
            return below;
        }
        let node = ((rule, place), below);
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    /// The elements of the class that a stack reads.
    fn class_length(&self, (rule, place): Pos) -> usize {
        let more =
            |element: &&schoolmarm::Element| matches!(element.etype, ElementType::CharAlt | ElementType::CharRngUpper);
        1 + self.rules[rule][place + 1..].iter().take_while(more).count()
    }

    /// The characters that a stack reads.
    pub(crate) fn class(&self, stack: Stack) -> Class {
        if stack == EMPTY {
            return Class::new();
        }
        let ((rule, place), _) = self.nodes[stack];
        let elements = &self.rules[rule][place..place + self.class_length((rule, place))];
        let mut ranges = Class::new();
        for element in elements {
            if element.etype == ElementType::CharRngUpper {
                ranges.last_mut().unwrap().1 = element.value;
            } else {
                ranges.push((element.value, element.value));
            }
        }
        ranges.sort_unstable();
        if elements[0].etype == ElementType::CharNot { complement(&ranges) } else { ranges }
    }

    /// The stack once its class was read.
    pub(crate) fn behind(&mut self, stack: Stack) -> Stack {
        let ((rule, place), below) = self.nodes[stack];
        let length = self.class_length((rule, place));
        self.push((rule, place + length), below)
    }

    /// Do the same texts follow both? Exact where in every state no two stacks read the same character and no two go on
    /// alike: there is then one way only to split what may come next.
    pub(crate) fn go_on_alike(&mut self, one: Stack, other: Stack) -> bool {
        let (mut seen, mut waiting) = (HashSet::new(), vec![(one, other)]);
        while let Some((one, other)) = waiting.pop() {
            if one == other || !seen.insert((one, other)) {
                continue;
            }
            let (one, other) = (self.by_class(one), self.by_class(other));
            if one.iter().map(|(class, _)| class).ne(other.iter().map(|(class, _)| class)) {
                return false;
            }
            waiting.extend(one.iter().zip(&other).map(|((_, one), (_, other))| (*one, *other)));
        }
        true
    }

    /// What may come next by what is read, with what follows that.
    fn by_class(&mut self, stack: Stack) -> Vec<(Class, Stack)> {
        let live = self.live(stack);
        let read = |stack: Stack| (self.class(stack), if stack == EMPTY { EMPTY } else { self.behind(stack) });
        let mut classes: Vec<(Class, Stack)> = live.into_iter().map(read).collect();
        classes.sort_unstable();
        classes
    }
}

fn complement(ranges: &Class) -> Class {
    let mut rest = Class::new();
    let mut start = 0;
    for (from, to) in ranges {
        if start < *from {
            rest.push((start, from - 1));
        }
        start = to + 1;
    }
    rest.push((start, u32::from(char::MAX)));
    rest
}

/// Is there a character in both?
pub(crate) fn overlap(one: &Class, other: &Class) -> bool {
    one.iter().any(|(from, to)| other.iter().any(|(low, high)| from <= high && low <= to))
}
