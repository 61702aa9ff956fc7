//! The strings of an expression that are no shorter and no longer than asked.

use super::Regex;
use crate::size::Size;

/// What is left of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Within {
    /// No string of such a length.
    Nothing,
    /// Exactly this.
    Exactly(Regex),
    /// Where two parts share what there is, no expression of about this size says how.
    Unknown,
}

impl Regex {
    /// Its strings with a length within `size`.
    pub(crate) fn within(&self, size: Size) -> Within {
        let (shortest, longest) = (self.shortest(), self.longest());
        if size.max().is_some_and(|max| max < shortest) || longest.is_some_and(|longest| longest < size.min()) {
            return Within::Nothing;
        }
        if size.min() <= shortest && size.max().is_none_or(|max| longest.is_some_and(|longest| longest <= max)) {
            return Within::Exactly(self.clone());
        }
        match self {
            Self::Class(_) => Within::Unknown,
            Self::Sequence(parts) => sequence(parts, size),
            Self::Choice(options) => choice(options, size),
            Self::Repeat(unit, min, max) => repeat(unit, Size::new(*min, *max), size),
        }
    }

    fn has_one_length(&self) -> bool {
        self.longest() == Some(self.shortest())
    }
}

/// All but one part have one length each, so the lengths of that one are known.
fn sequence(parts: &[Regex], size: Size) -> Within {
    let mut open = parts.iter().enumerate().filter(|(_, part)| !part.has_one_length());
    let (Some((place, part)), None) = (open.next(), open.next()) else { return Within::Unknown };
    let taken: usize = parts.iter().filter(|part| part.has_one_length()).map(Regex::shortest).sum();
    let left = Size::new(size.min().saturating_sub(taken), size.max().map(|max| max.saturating_sub(taken)));
    match left.map_or(Within::Nothing, |left| part.within(left)) {
        Within::Exactly(part) => {
            let mut parts = parts.to_vec();
            if let Some(open) = parts.get_mut(place) {
                *open = part;
            }
            Within::Exactly(Regex::Sequence(parts))
        }
        left @ (Within::Nothing | Within::Unknown) => left,
    }
}

fn choice(options: &[Regex], size: Size) -> Within {
    let mut left = Vec::with_capacity(options.len());
    for option in options {
        match option.within(size) {
            Within::Nothing => {}
            Within::Exactly(option) => left.push(option),
            Within::Unknown => return Within::Unknown,
        }
    }
    if left.is_empty() { Within::Nothing } else { Within::Exactly(Regex::Choice(left)) }
}

/// A repetition of what has one length is counted; what may be left out is, or is not.
fn repeat(unit: &Regex, counts: Option<Size>, size: Size) -> Within {
    let Some(counts) = counts else { return Within::Nothing };
    let length = unit.shortest();
    if unit.has_one_length() && length > 0 {
        let fitting = Size::new(size.min().div_ceil(length), size.max().map(|max| max / length));
        let left = fitting.and_then(|fitting| counts.and(fitting));
        return left.map_or(Within::Nothing, |left| {
            Within::Exactly(Regex::Repeat(Box::new(unit.clone()), left.min(), left.max()))
        });
    }
    match (counts.min(), counts.max(), unit.within(size)) {
        (0 | 1, Some(1), Within::Exactly(unit)) if counts.min() == 1 || size.min() > 0 => Within::Exactly(unit),
        (0, Some(1), Within::Exactly(unit)) => Within::Exactly(Regex::Repeat(Box::new(unit), 0, Some(1))),
        (0, Some(1), Within::Nothing) if size.min() == 0 => Within::Exactly(Regex::Sequence(Vec::new())),
        (0 | 1, Some(1), Within::Nothing) => Within::Nothing,
        _ => Within::Unknown,
    }
}
