//! Markdown tables. Pure.

use std::fmt;

/// A table: its head, its rows.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    line(&mut text, head.iter().copied());
    line(&mut text, head.iter().map(|_| "---"));
    for row in rows {
        line(&mut text, row.iter().map(String::as_str));
    }
    text
}

fn line<'a>(text: &mut String, cells: impl Iterator<Item = &'a str>) {
    text.push('|');
    for cell in cells {
        text.extend([" ", &escaped(cell), " |"]);
    }
    text.push('\n');
}

/// A cell ends at a bar or a line break, so neither may stand in one.
fn escaped(cell: &str) -> String {
    cell.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// A text that models or servers wrote, as code: shortened, and without what would end the code.
pub(crate) fn quoted(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).map(|c| if c.is_control() || c == '`' { ' ' } else { c }).collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// A figure with one place, or a dash.
pub(crate) fn one_place(value: Option<impl fmt::Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"))
}

/// A figure without places, or a dash.
pub(crate) fn whole(value: Option<impl fmt::Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.0}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_cannot_break_out_of_its_table() {
        let text = table(&["what", "n"], &[vec!["a|b\nc".to_owned(), "1".to_owned()]]);
        assert_eq!(text, "| what | n |\n| --- | --- |\n| a\\|b c | 1 |\n");
    }

    #[test]
    fn quoted_text_is_short_and_stays_code() {
        assert_eq!(quoted("a `b`\nc", 40), "`a  b  c`");
        assert_eq!(quoted("ääää", 3), "`äää…`");
        assert_eq!(quoted("äää", 3), "`äää`");
    }
}
