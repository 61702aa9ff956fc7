//! What a regular expression needs of an engine.

/// Traits of a pattern, read off its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Bound to both ends.
    pub(super) is_anchored: bool,
    /// Looks ahead or behind.
    pub(super) looks_around: bool,
    /// More than plain classes and groups: `\d`, `\w`, `\b`, `\p`, back references, `(?…)`.
    pub(super) is_rich: bool,
}

impl Pattern {
    pub(super) fn read(text: &str) -> Self {
        let mut escaped = text.chars().scan(false, |after_backslash, c| {
            let is_escaped = *after_backslash;
            *after_backslash = c == '\\' && !is_escaped;
            Some(is_escaped.then_some(c))
        });
        Self {
            is_anchored: text.starts_with('^') && text.ends_with('$') && !text.ends_with("\\$") && !has_bare_bar(text),
            looks_around: ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|group| text.contains(group)),
            is_rich: escaped.any(|c| c.is_some_and(|c| c.is_alphanumeric() && !matches!(c, 'n' | 'r' | 't')))
                || text.contains("(?"),
        }
    }
}

/// `^a|b$` is bound to one end each.
fn has_bare_bar(text: &str) -> bool {
    let (mut depth, mut in_class, mut after_backslash) = (0_usize, false, false);
    for c in text.chars() {
        if !std::mem::take(&mut after_backslash) {
            match c {
                '\\' => after_backslash = true,
                ']' => in_class = false,
                '[' => in_class = true,
                _ if in_class => {}
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                '|' if depth == 0 => return true,
                _ => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn traits_are_read_off_the_text() {
        let anchored = |text| Pattern::read(text).is_anchored;
        assert!(anchored("^[a|b]+$") && anchored("^(a|b)$"));
        assert!(!anchored("^a|b$") && !anchored("a$") && !anchored("^a") && !anchored(r"^a\$"));
        assert!(Pattern::read(r"^\d$").is_rich && !Pattern::read(r"^\.\\d$").is_rich);
        assert!(Pattern::read("^(?=a)b$").looks_around && !Pattern::read("^(?:a)b$").looks_around);
        assert!(Pattern::read("^(?:a)b$").is_rich && !Pattern::read("^(a)b?$").is_rich);
    }
}
