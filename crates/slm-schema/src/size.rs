//! How many of something there may be.

/// How long a string or an array may be; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    min: usize,
    max: Option<usize>,
}

impl Size {
    /// Any length.
    pub const ANY: Self = Self { min: 0, max: None };

    /// `min ..= max`, or `None` where that is empty. Without `max` there is no upper bound.
    pub fn new(min: usize, max: Option<usize>) -> Option<Self> {
        max.is_none_or(|max| min <= max).then_some(Self { min, max })
    }

    /// The least length.
    pub fn min(self) -> usize {
        self.min
    }

    /// The greatest length, where there is one.
    pub fn max(self) -> Option<usize> {
        self.max
    }

    /// Is `length` inside?
    pub fn contains(self, length: usize) -> bool {
        self.min <= length && self.max.is_none_or(|max| length <= max)
    }

    /// What is inside both.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        let max = match (self.max, other.max) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self::new(self.min.max(other.min), max)
    }
}
