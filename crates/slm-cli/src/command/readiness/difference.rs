//! Two texts, line by line: what goes and what comes.

/// Lines that both have begin with a space, lines that go with `-`, lines that come with `+`.
pub(super) fn difference(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = longest_common(&old, &new);
    let mut lines = Vec::new();
    let (mut old, mut new) = (old.into_iter(), new.into_iter());
    for line in common.into_iter().map(Some).chain([None]) {
        lines.extend(old.by_ref().take_while(|gone| Some(*gone) != line).map(|gone| format!("-{gone}")));
        lines.extend(new.by_ref().take_while(|come| Some(*come) != line).map(|come| format!("+{come}")));
        lines.extend(line.map(|both| format!(" {both}")));
    }
    lines
}

/// The longest list of lines that both hold in this order. Configurations are short.
fn longest_common<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<&'a str> {
    let mut row: Vec<Vec<&'a str>> = vec![Vec::new(); new.len() + 1];
    for line in old {
        let mut diagonal: Vec<&'a str> = Vec::new();
        let mut left: Vec<&'a str> = Vec::new();
        for (cell, other) in row.iter_mut().skip(1).zip(new) {
            let above = std::mem::take(cell);
            *cell = if line == other {
                diagonal.push(*line);
                diagonal
            } else if above.len() >= left.len() {
                above.clone()
            } else {
                std::mem::take(&mut left)
            };
            diagonal = above;
            left.clone_from(cell);
        }
    }
    row.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn only_what_changes_is_marked() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\nc\nd\n"), [" a", "-b", "+x", " c", "+d"]);
        assert_eq!(difference("", "a = 1\n"), ["+a = 1"]);
        assert_eq!(difference("a\na\n", "a\n"), [" a", "-a"]);
    }
}
